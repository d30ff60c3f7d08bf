"""What asking a model used: tokens, money in millionths of a US dollar, seconds; whole numbers that only add up."""

from dataclasses import dataclass

MICRO = 1_000_000
"""Millionths in a US dollar: money is counted in whole ones, rounded up, so that sums never drift below the truth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one or more calls, as the provider counted them; cached ones are part of ``input_tokens``."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    micro_usd: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            micro_usd=self.micro_usd + other.micro_usd,
            seconds=self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        """Tokens in both directions."""
        return self.input_tokens + self.output_tokens


NOTHING_USED = Usage()
"""Where nobody was asked."""
