"""What a screenplay leaves open, ``[[word …]]``, filled in: noise, dates, places, and made-up secrets.

A secret's shape is put together here, at run time, so that no scanner finds one in our own files.
"""

import re
import string
import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from slowwave.desk.samples.dice import CAPITALS, Dice
from slowwave.desk.samples.noise import noise
from slowwave.desk.samples.screenplay import ScreenplayError

_OPEN = re.compile(r"\[\[([a-z]+)((?: [a-z0-9+-]+)*)\]\]")
_SIXTY_TWO = string.digits + string.ascii_uppercase + string.ascii_lowercase


@dataclass(frozen=True, slots=True, kw_only=True)
class Filler:
    """Fills in the texts of one session.

    Attributes:
        name: The screenplay's name, the seed of its chance.
        home: Home folder of the made-up person.
        cwd: Folder the session works in.
        now: The moment dates are counted from.
    """

    name: str
    home: str
    cwd: str
    now: datetime

    def fill(self, text: str) -> str:
        """The text with everything filled in; the same each time.

        Raises:
            ScreenplayError: A word nobody can fill in.
        """
        return _OPEN.sub(lambda found: self._one(found.group(1), found.group(2).split()), text)

    def _one(self, word: str, details: list[str]) -> str:
        dice = Dice(f"{self.name}/{word}/{' '.join(details)}")
        match word, details:
            case "cwd", []:
                return self.cwd
            case "home", []:
                return self.home
            case "date", [days]:
                return (self.now + timedelta(days=int(days))).date().isoformat()
            case "noise", [kind, lines]:
                return noise(kind, int(lines), dice)
            case "secret", [kind]:
                return _secret(kind, dice)
            case _:
                raise ScreenplayError(f"{self.name}: nobody can fill in {word} {details}")


def _secret(kind: str, dice: Dice) -> str:
    match kind:
        case "aws-id":
            return "".join(("AK", "IA", dice.letters(16, CAPITALS)))
        case "aws-key":
            return dice.letters(40)
        case "github":
            body = dice.letters(30)
            return "".join(("gh", "p", "_", body, _checksum(body)))
        case _:
            raise ScreenplayError(f"nobody makes the secret {kind}")


def _checksum(body: str) -> str:
    """The last six characters of such a token, by which scanners tell a real shape from a random word."""
    rest, digits = zlib.crc32(body.encode()), ""
    while rest:
        rest, digit = divmod(rest, 62)
        digits = _SIXTY_TWO[digit] + digits
    return digits.rjust(6, "0")
