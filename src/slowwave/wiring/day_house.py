"""The verbs of the day over one home: what the waking loop keeps, as doors call it."""

from collections.abc import Mapping
from typing import Any

from slowwave.wiring import verbs_observations
from slowwave.wiring.premises import Premises


class DayHouse(Premises):
    """An open home with the verbs of the day."""

    def observations(self, *, everything: bool) -> dict[str, Any]:
        """Traits that await review, or all."""
        return verbs_observations.list_observations(self, everything=everything)

    def preview_observation(self, name: str) -> dict[str, Any]:
        """The trait that a decision would be about."""
        return verbs_observations.preview_observation(self, name)

    def decide_observation(self, name: str, decision: str, *, text: str = "") -> dict[str, Any]:
        """Confirm, edit or drop a trait."""
        return verbs_observations.decide_observation(self, name, decision, text=text)

    def remember_observation(self, name: str) -> dict[str, Any]:
        """Propose a confirmed trait as a memory."""
        return verbs_observations.remember_observation(self, name)

    def identity_views(self) -> Mapping[str, str]:
        """What is known of the person, by theme."""
        return verbs_observations.show_views(self)

    def goals(self) -> dict[str, Any]:
        """Active goals."""
        return verbs_observations.list_goals(self)

    def begin_goal(self, *, title: str, description: str) -> dict[str, Any]:
        """Begin a goal."""
        return verbs_observations.begin_goal(self, title=title, description=description)

    def reach_goal(self, name: str) -> dict[str, Any]:
        """A goal is reached."""
        return verbs_observations.reach_goal(self, name)

    def coaching(self, goal: str) -> dict[str, Any]:
        """Which traits bear on which goal, and why."""
        return verbs_observations.show_coaching(self, goal)
