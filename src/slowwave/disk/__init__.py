"""Disk: bytes that survive a power cut, and the only places that touch them.

``durable`` writes, ``lock`` keeps one writer, ``journal`` remembers what was about to happen, ``fence`` opens only
beneath a root, ``git`` starts git, ``sql`` opens SQLite, ``home`` names our folders. May import ``facts``.
"""
