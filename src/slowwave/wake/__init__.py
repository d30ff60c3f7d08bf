"""Wake: the day's memory kept up to date while people work.

Captures come in (``intake``, ``scan``), are judged (``judging``) and land where seed 001 wants them (``triage``); the
scratch is summarised and rolled up, traits are held against goals, reminders are sent. ``loop`` says when.
May import mining, models, proof, records, disk and facts; never sleep. Start with ``loop.py``, then ``triage.py``.
"""
