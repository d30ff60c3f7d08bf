"""Disk: bytes that survive a power cut, and the only places that touch them.

``durable`` writes, ``lock`` keeps one writer, ``journal`` remembers what was about to happen, ``fence`` opens only
beneath a root, ``git`` starts git (with ``git_settings``; ``git_locks`` removes what a dead one left), ``sql`` opens
SQLite, ``home`` names our folders, ``trouble`` gives every system error a code and a hint. May import ``facts``.
"""
