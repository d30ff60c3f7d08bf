"""slowwave turns what AI agents lived through into memory people can trust.

Rooms, lowest first: ``facts``, ``disk``, ``records``, ``proof``, ``corpus``, ``mining``, ``sleep``, ``wiring``,
``desk``. A room imports only rooms below it; ``.importlinter`` makes that a running check. Start at
``docs/house.md``.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "WakeLoop": "slowwave.wiring.wakefulness",
    "MicroConsolidationLoop": "slowwave.wiring.wakefulness",
    "curate": "slowwave.hygiene.curate",
    "format_triage_for_brief": "slowwave.sleep.triage",
    "format_triage_for_vdb": "slowwave.wiring.verbs_brief",
    "gather_context": "slowwave.wiring.verbs_brief",
    "open_house": "slowwave.wiring",
}
"""What programs use, and where it is; loaded when it is asked for, so that the command starts fast."""


def __getattr__(name: str) -> Any:
    """A public name, from the room that has it."""
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    """The public names."""
    return sorted([*_PUBLIC, "__version__"])
