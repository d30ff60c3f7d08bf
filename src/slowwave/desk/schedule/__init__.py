"""The schedule: when the night and the brief are due, and how this machine is told to run them.

``moments.py`` says when, ``tries.py`` what became of it, ``running.py`` runs what is due. ``systemd.py``,
``launchd.py`` and ``crontab.py`` write for whoever wakes us, ``installing.py`` puts that in its place.
"""
