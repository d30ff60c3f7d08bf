"""Scratch: ``daily.md``, its running summary, and the nightly roll-up into ``weekly.md`` and the archive.

A page is bytes that people write too: it is cut into lines and sections and never written anew, only added to.
Start with ``pad.py``, then ``page.py``; ``rolling.py`` ends a day.
"""
