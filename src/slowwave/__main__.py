"""``python -m slowwave`` is the ``slowwave`` command."""

from slowwave.desk.cli import main

if __name__ == "__main__":
    main()
