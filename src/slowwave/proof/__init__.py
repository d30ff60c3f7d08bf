"""Proof: does the record really say so, and who said it?

``contract`` parses an answer and refuses it whole or accepts it whole; ``quotes`` finds where a quote stands and whose
words it is. May import ``records``, ``disk`` and ``facts``. Start with ``contract``.
"""
