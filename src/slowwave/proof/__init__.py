"""Proof: does the record really say so, and who said it?

Start with ``contract``: it parses an answer and believes it whole or refuses it whole. ``answer_schema`` (with
``json_text`` and ``faults``) is the closed form; ``receipt`` holds claims of reading against the log; ``quotes`` finds
where words stand (``look`` in one session, ``sieve`` over raw lines, ``spans`` in one string) and ``places`` says whose
they are; ``copies`` and ``assignment`` keep one observation from counting twice; ``candidates`` and ``commitments``
judge. ``instruction`` and ``preference`` read claims with the versioned tables of ``lexicon/``. May import ``records``,
``disk`` and ``facts``.
"""
