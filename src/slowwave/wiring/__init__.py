"""Wiring: the one place that knows every concrete thing and puts it together.

``open_house`` gives the verbs over a home, ``open_library`` the bounded tools over transcripts, ``Bench`` proposing and
checking over a folder. The system's clock is read here and nowhere else. May import every room but ``desk``.
"""

from slowwave.wiring.bench import Bench
from slowwave.wiring.house import House, open_house
from slowwave.wiring.library import Library, open_library
from slowwave.wiring.premises import home_folder, system_clock

__all__ = ["Bench", "House", "Library", "home_folder", "open_house", "open_library", "system_clock"]
