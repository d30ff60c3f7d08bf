"""The desk: where people and agents meet slowwave.

``cli`` is the command line, a file a group of verbs; ``envelope`` its one output form; ``guard`` asks whether a person
is there; ``doctor`` says what is wrong and what to do. May import every room below.
"""
