"""Screens: what a person sees of each command's data. Text from transcripts is made showable, never read as markup."""

from slowwave.desk.screens.answers import answer_lines, check_lines, json_lines
from slowwave.desk.screens.consent import consent_lines, sending_lines, understood_line
from slowwave.desk.screens.house import config_lines, doctor_lines, init_lines, key_lines, state_lines, token_lines
from slowwave.desk.screens.memories import export_lines, moved_lines, search_lines, why_lines
from slowwave.desk.screens.night import demo_lines, night_lines
from slowwave.desk.screens.review import asked_lines, changed_lines, item_lines, review_lines, task_lines
from slowwave.desk.screens.transcripts import examination_lines, hit_lines, line_lines, session_lines

__all__ = [
    "answer_lines",
    "asked_lines",
    "changed_lines",
    "check_lines",
    "config_lines",
    "consent_lines",
    "demo_lines",
    "doctor_lines",
    "examination_lines",
    "export_lines",
    "hit_lines",
    "init_lines",
    "item_lines",
    "json_lines",
    "key_lines",
    "line_lines",
    "moved_lines",
    "night_lines",
    "review_lines",
    "search_lines",
    "sending_lines",
    "session_lines",
    "state_lines",
    "task_lines",
    "token_lines",
    "understood_line",
    "why_lines",
]
