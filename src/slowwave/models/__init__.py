"""Models: whom we ask, and what it may cost.

Start with ``toolbox``: what somebody who is asked may do, whoever it is. ``ask`` leads one conversation with a model of
any provider, ``budget`` reserves on disk before each call, ``recipes`` say how a person's own agent is run locked
down. What it is about comes in as a toolbox. May import ``proof`` and the rooms below; never ``corpus``.
"""
