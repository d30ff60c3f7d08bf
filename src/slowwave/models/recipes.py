"""Recipes: every agent we know how to run for one batch, by name."""

from slowwave.models.agent_claude import CLAUDE
from slowwave.models.agent_codex import CODEX
from slowwave.models.agent_gemini import GEMINI

AGENTS = {agent.name: agent for agent in (CLAUDE, CODEX, GEMINI)}
"""Every agent by name."""
