"""The built-in judge: cue lists and weights, no model, no network; the same words always get the same answer.

``lexicon`` reads the cue lists, ``reading`` says which rows of them a text holds, ``weighing`` adds them up to a class,
``judge`` is the whole; ``relevance`` and ``summary`` are word statistics. Start with ``judge.py``.
"""
