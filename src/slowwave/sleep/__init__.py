"""Sleep: the night. It proposes, proves, plans and applies, then reports.

``plan`` holds the phase table, ``run`` walks it, ``consolidator`` turns transcripts into items, ``review`` and
``merge`` are the person's side. May import ``mining``, ``corpus``, ``proof``, ``records``, ``disk`` and ``facts``.
"""
