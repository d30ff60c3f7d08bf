"""Facts: frozen values that every room shares.

Lives here: ids, moments, texts, memories, evidence, answers, actions, refusals, markers and limits. Nothing here reads
a clock, a file or the network, and nothing here imports another room. Start with ``action`` (all that slowwave can
do) and ``refusal`` (how it says no).
"""
