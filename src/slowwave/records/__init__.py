"""Records: what happened, read from other people's files and never written.

``lines`` turns bytes into records, ``formats`` turn an agent's records into ``entries``, ``sessions`` indexes them,
``read`` offers the three bounded tools, ``secrets`` masks what must not leave, ``sources`` finds transcripts.
May import ``disk`` and ``facts``. Start with ``entries``.
"""
