"""Formats: one file an agent; each turns that agent's records into canonical entries."""
