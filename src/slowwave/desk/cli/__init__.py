"""The command line: a file a group of verbs; each verb is thin, the work lies below it."""


def main() -> None:
    """Run the ``slowwave`` command."""
