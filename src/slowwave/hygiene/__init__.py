"""Hygiene: the context of a long-lived agent kept clean, every decision and every name in it, and restorable.

A document is read into items and groups; detectors (or, by choice, a model) propose operations; the validator decides
with code; a rewrite is proved by reading its own bytes again; the revision log can bring everything back. Start with
``items`` for the nouns, ``validate`` for the decision, ``revise`` for the writing. Imports nothing of its sister rooms.
"""
