"""The corpus: what we believe, as Markdown files in git.

``format`` and ``paths`` say how a memory looks and where it lives, ``gate`` refuses what must not be written,
``duplicates`` recognises what is known, ``shelf`` reads a snapshot at one commit, ``door`` is the only way in,
``index`` and ``search`` find things again. May import ``proof``, ``records``, ``disk`` and ``facts``.
"""
