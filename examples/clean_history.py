"""An agent that works for long with a clean history: runs offline, with a scripted model in place of a real one.

The script reads a file, changes it and runs the tests, again and again. Each reading and each run of the tests makes
the one before it worthless, and the processor puts one line in its place once that pays at the provider's cache.

    pip install 'slowwave[model]'
    python examples/clean_history.py
"""

from datetime import UTC, datetime

from pydantic_ai import Agent
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from slowwave.hygiene.history import CleanHistory

STEPS = (
    ToolCallPart("read_file", {"path": "shop/cart.py"}),
    ToolCallPart("write_file", {"path": "shop/cart.py", "text": "total = sum(prices)"}),
    ToolCallPart("bash", {"command": "pytest -q"}),
)
ROUNDS = 8


def scripted(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """What a real model would do: one step at a time, until it is done."""
    characters, stubs = measured(messages)
    print(f"request with {len(messages):2} messages, {characters:6,} characters of results, {stubs:2} of them stubs")
    done = sum(isinstance(message, ModelResponse) for message in messages)
    if done >= ROUNDS * len(STEPS):
        return ModelResponse(parts=[TextPart("The cart adds up.")])
    step = STEPS[done % len(STEPS)]
    return ModelResponse(parts=[ToolCallPart(step.tool_name, step.args)])


def measured(messages: list[ModelMessage]) -> tuple[int, int]:
    """Characters of all results of tools, and how many of these are stubs."""
    texts = [str(part.content) for each in messages for part in each.parts if isinstance(part, ToolReturnPart)]
    return sum(map(len, texts)), sum(text.startswith("[slowwave:pruned ") for text in texts)


clean = CleanHistory(clock=lambda: datetime.now(UTC))
# ``recall`` as a tool lets the agent fetch back what a stub stands for.
agent = Agent(FunctionModel(scripted), capabilities=[ProcessHistory(clean)], tools=[clean.recall])


@agent.tool_plain
def read_file(path: str) -> str:
    """Read a file."""
    return "\n".join(f"{path}: one more line of the cart, as long as lines are" for _ in range(150))


@agent.tool_plain
def write_file(path: str, text: str) -> str:
    """Write a file."""
    return f"{path} has {len(text)} characters now"


@agent.tool_plain
def bash(command: str) -> str:
    """Run a command."""
    return "\n".join([f"{command}: a test passed"] * 200)


if __name__ == "__main__":
    print(agent.run_sync("Make the cart add up.").output)
