"""Judges: who decides about captures in a home: a configured model that the person said yes to, else the rules."""

from time import monotonic, sleep

from slowwave.facts.refusal import SlowwaveError
from slowwave.models.keys import read_key
from slowwave.models.prices import Price, price_of
from slowwave.models.providers import check, destination_of
from slowwave.sleep.consent import is_consented
from slowwave.wake.judging import Judge
from slowwave.wake.model_judge import Asking, ModelJudge
from slowwave.wake.rules.judge import RulesJudge
from slowwave.wiring.consolidating import draw_nonce
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import open_budget


def judge_of(house: Premises) -> Judge:
    """The judge of an open home; never raises for settings: what cannot be asked is not asked, and the rules decide.

    Consent is looked at again before each question, so that a loop that runs for days sees it taken back.
    """
    rules = RulesJudge()
    settings = house.config.models
    if not (settings.provider and settings.model):
        return rules
    try:
        check(settings)
        destination = destination_of(settings)
    except SlowwaveError:
        return rules
    if not is_consented(house.state, destination):
        return rules

    def refusal() -> str:
        if is_consented(house.state, destination):
            return ""
        return f"you have taken back that captures may go to {destination}"

    def price() -> Price | None:
        return price_of(settings.provider, settings.model, on=house.clock().date(), settings=settings)

    asking = Asking(
        settings=settings,
        budget=lambda: open_budget(house),
        key=lambda: read_key(settings, house.environment),
        price=price,
        refusal=refusal,
        nonce=draw_nonce,
        sleeper=sleep,
        stopwatch=monotonic,
        secrets=house.secrets,
    )
    return ModelJudge(asking, rules)


def why_rules(house: Premises) -> str:
    """Why the rules decide though a model is configured; empty where none is, or where it is asked."""
    settings = house.config.models
    if not (settings.provider and settings.model):
        return ""
    try:
        check(settings)
        destination = destination_of(settings)
    except SlowwaveError as error:
        return error.message
    if is_consented(house.state, destination):
        return ""
    return f"you have not said that captures may go to {destination}: `slowwave consent give`"
