"""slowwave turns what AI agents lived through into memory people can trust.

Rooms, lowest first: ``facts``, ``disk``, ``records``, ``proof``, ``corpus``, ``mining``, ``sleep``, ``wiring``,
``desk``. A room imports only rooms below it; ``.importlinter`` makes that a running check. Start at
``docs/house.md``.
"""

__version__ = "0.1.0"
