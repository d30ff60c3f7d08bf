"""Mining: deterministic proposers. Events in, findings out; pure, so the same sessions give the same bytes.

Each lens is one file; ``miner`` runs them all, scores, diversifies and hands over one answer. May import
``corpus``, ``proof``, ``records`` and ``facts``. Start with ``miner``.
"""
