"""The doctor's look at the ledger of what models cost."""

from collections.abc import Iterator

from slowwave.desk.finding import Finding
from slowwave.facts.refusal import NewerFormatError
from slowwave.models.accounts import count_calls
from slowwave.models.budget import BudgetUnreadableError
from slowwave.wiring import House
from slowwave.wiring.purses import looking_at_budget


def look_at_ledger(house: House) -> Iterator[Finding]:
    """Whether what was spent can be read; nothing where no model was ever asked."""
    path = house.home.budget_db
    if path.is_symlink() or not path.exists():
        if path.is_symlink():
            yield _damaged(str(path), "a link stands where the ledger should be, so nothing is asked")
        return
    try:
        with looking_at_budget(house) as budget:
            verdict = str(budget.ledger.rows("PRAGMA quick_check")[0][0])
            number = count_calls(budget.ledger)
    except NewerFormatError as error:
        yield Finding(severity="error", code=error.code, file=str(path), message=error.message, remedy=error.hint)
        return
    except BudgetUnreadableError as error:
        yield _damaged(str(path), error.message)
        return
    if verdict != "ok":
        yield _damaged(str(path), f"the ledger is damaged, so nothing is asked: {verdict}")
        return
    yield Finding(severity="ok", code="budget", message=f"{number:,} calls to models in the ledger")


def _damaged(path: str, message: str) -> Finding:
    return Finding(
        severity="damage",
        code="budget_damaged",
        file=path,
        message=message,
        remedy="move it aside: what was spent is forgotten with it, and today's budget begins anew",
    )
