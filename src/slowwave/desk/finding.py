"""A finding of the doctor: what was seen, how bad it is, where, and what to do."""

from dataclasses import dataclass

from slowwave.facts.refusal import DamageError, SlowwaveError


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing the doctor saw: ``ok``, ``info``, ``warning``, ``error`` or ``damage``, where, and what to do."""

    severity: str
    code: str
    message: str
    file: str = ""
    remedy: str = ""


def failed(error: SlowwaveError, file: str) -> Finding:
    """What stopped a look, as a finding; to run the doctor is no remedy here."""
    severity = "damage" if isinstance(error, DamageError) else "error"
    remedy = "" if "slowwave doctor" in error.hint else error.hint
    return Finding(severity=severity, code=error.code, file=file, message=error.message, remedy=remedy)
