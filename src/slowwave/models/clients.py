"""Clients: the one file that knows the client library; a channel to a model of any provider.

Each request has a connection, an event loop and a client of its own, so that nothing stays open while tools work or
we wait, and a channel left behind holds nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anyio
import httpx2
from pydantic_ai import exceptions, messages
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.bedrock import BedrockProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.tools import ToolDefinition

from slowwave.disk.config import ModelSettings
from slowwave.models.as_sent import clean, sendable, written
from slowwave.models.bedrock import bedrock_client
from slowwave.models.channel import Counted, Kind, Message, ModelAnswer, Prompt, Replies, ToolCall, Trouble
from slowwave.models.outgoing import Outgoing
from slowwave.models.providers import region_of, url_of
from slowwave.models.toolbox import ToolSpec

_NO_KEY = "none"
"""Stands in where a library insists on a key; it never leaves, since it is not the key."""
_CUT = "the connection broke before the answer was whole"


class ProviderChannel:
    """A model of a provider, as the settings name it.

    Args:
        settings: Which model, where; checked already.
        key: Its key; empty where none is needed.
        instructions: What it is told before everything.
        specs: The tools it is offered; it is offered no other.
    """

    def __init__(self, settings: ModelSettings, key: str, *, instructions: str, specs: Sequence[ToolSpec]) -> None:
        self._settings = settings
        self._key = key
        self._instructions = instructions
        self._parameters = ModelRequestParameters(
            function_tools=[
                # Not strict: a provider's own dialect of schemas would leave bounds out.
                ToolDefinition(
                    name=spec.name,
                    description=spec.description,
                    parameters_json_schema=dict(spec.schema),
                    strict=False,
                )
                for spec in specs
            ],
        )

    def ask(self, said: Sequence[Message]) -> ModelAnswer | Trouble:
        """One request, within its whole time; whatever the libraries raise comes back as trouble."""
        heard = anyio.run(self._ask, _history(said, self._instructions, self._settings.provider))
        if isinstance(heard, Trouble) and heard.kind is Kind.CUT and not heard.is_counted:
            where = f"nobody answers at {url_of(self._settings)}; does it run, and is models.base_url right?"
            return replace(heard, message=where)
        return heard

    async def _ask(self, history: list[messages.ModelMessage]) -> ModelAnswer | Trouble:
        outgoing = Outgoing(url_of(self._settings), self._key, self._settings.provider)
        try:
            with anyio.fail_after(self._settings.seconds):
                timeout = httpx2.Timeout(self._settings.seconds, pool=None)
                async with httpx2.AsyncClient(transport=outgoing, trust_env=False, timeout=timeout) as http:
                    model = _model(self._settings, self._key, outgoing, http)
                    return _heard(await self._response(model, history))
        except TimeoutError:
            message = f"no whole answer came within models.seconds ({self._settings.seconds:g})"
            return Trouble(kind=Kind.SLOW, message=message, is_counted=True)
        except Exception as error:
            # Four client libraries stand behind this call, and each may raise anything.
            if not outgoing.is_used and len(history) > 1:
                # The turn's first request could be made, so what was said since is why this one cannot.
                message = f"what was said in this turn makes no request ({type(error).__name__})"
                return Trouble(kind=Kind.REJECTED, message=message)
            return outgoing.trouble or _trouble(error)

    async def _response(self, model: Model, history: list[messages.ModelMessage]) -> messages.ModelResponse:
        asked: dict[str, Any] = {
            "model_settings": _wishes(self._settings),
            "model_request_parameters": self._parameters,
            "instrument": False,
        }
        if not self._settings.stream:
            return await model_request(model, history, **asked)
        async with model_request_stream(model, history, **asked) as stream:
            async for _ in stream:
                pass
            return stream.get()


def _model(settings: ModelSettings, key: str, outgoing: Outgoing, http: httpx2.AsyncClient) -> Model:
    """The library's model for a provider; every provider with its own class, all on our way out."""
    name, url, secret = settings.model, url_of(settings), key or _NO_KEY
    match settings.provider:
        case "anthropic":
            client = AnthropicProvider(api_key=secret, base_url=url, http_client=http).client
            # No spans, whatever a variable or a tracer in this process would have it send.
            quiet = AnthropicProvider(anthropic_client=client.with_options(open_telemetry=False))
            return AnthropicModel(name, provider=quiet)
        case "gemini":
            return GoogleModel(name, provider=GoogleProvider(api_key=secret, base_url=url, http_client=http))
        case "bedrock":
            runtime = bedrock_client(url, region_of(settings), secret, outgoing)
            return BedrockConverseModel(name, provider=BedrockProvider(bedrock_client=runtime))
        case "openai-responses":
            return OpenAIResponsesModel(name, provider=OpenAIProvider(api_key=secret, base_url=url, http_client=http))
        case _:
            return _completions(settings, OpenAIProvider(api_key=secret, base_url=url, http_client=http))


def _completions(settings: ModelSettings, openai: OpenAIProvider) -> Model:
    """A model behind OpenAI's older protocol, at OpenAI or at anybody's who speaks it."""
    # Half a stream is no answer. Elsewhere than at OpenAI, the older name of the bound is the one that all know.
    whole = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    if settings.provider == "openai":
        return OpenAIChatModel(settings.model, provider=openai, profile=whole)
    profile = OpenAIModelProfile(**whole, openai_chat_supports_max_completion_tokens=False)
    if settings.provider == "ollama":
        return OllamaModel(settings.model, provider=OllamaProvider(openai_client=openai.client), profile=profile)
    other = OpenAICompatibleProvider(settings.provider, openai_client=openai.client, profile=profile)
    return OpenAIChatModel(settings.model, provider=other)


def _wishes(settings: ModelSettings) -> Any:
    """What we ask of every request: bounds, no retries of the library's own, nothing kept by the provider."""
    wishes: dict[str, Any] = {"max_tokens": settings.output_tokens}
    if settings.provider != "bedrock":
        wishes |= {"timeout": settings.seconds, "max_retries": 0}
    if settings.provider == "anthropic":
        wishes["cache"] = True
    if settings.provider in ("openai", "openai-responses"):
        wishes["openai_store"] = False
    return wishes


def _history(said: Sequence[Message], instructions: str, provider: str) -> list[messages.ModelMessage]:
    """What was said, in the library's terms."""
    # Elsewhere the library would wrap the text into JSON of its own; a reply is sent as the toolbox gave it.
    can_say_failed = provider in ("anthropic", "bedrock")
    history: list[messages.ModelMessage] = []
    for message in said:
        match message:
            case Prompt():
                parts: list[messages.ModelRequestPart] = [messages.UserPromptPart(content=clean(message.text))]
                history.append(messages.ModelRequest(parts=parts, instructions=instructions))
            case Replies():
                returned = [
                    messages.ToolReturnPart(
                        tool_name=clean(call.name),
                        content=clean(reply.text),
                        tool_call_id=clean(call.id),
                        outcome="failed" if reply.is_error and can_say_failed else "success",
                    )
                    for call, reply in message.each
                ]
                history.append(messages.ModelRequest(parts=list(returned), instructions=instructions))
            case ModelAnswer() if message.original is not None and message.original.parts:
                history.append(message.original)
    return history


def _heard(response: messages.ModelResponse) -> ModelAnswer | Trouble:
    """A response in our terms; half of one, and one that a filter stopped, is trouble."""
    counted = _counted(response)
    if response.finish_reason == "content_filter":
        message = "the model, or a filter before it, declined to answer"
        return Trouble(kind=Kind.DECLINED, message=message, is_counted=True, counted=counted)
    if response.finish_reason in (None, "error") or response.state != "complete":
        return Trouble(kind=Kind.CUT, message=_CUT, is_counted=True)
    calls = tuple(
        ToolCall(id=part.tool_call_id, name=part.tool_name, arguments=written(part.args))
        for part in response.parts
        if isinstance(part, messages.ToolCallPart)
    )
    text = "".join(part.content for part in response.parts if isinstance(part, messages.TextPart))
    return ModelAnswer(
        text=text,
        calls=calls,
        counted=counted,
        was_cut=response.finish_reason == "length",
        original=replace(response, parts=[_sendable(part) for part in response.parts]),
    )


def _sendable(part: messages.ModelResponsePart) -> messages.ModelResponsePart:
    """A part of an answer as it can be sent back, whatever the model wrote into it."""
    match part:
        case messages.ToolCallPart():
            return messages.ToolCallPart(
                tool_name=clean(part.tool_name),
                args=sendable(written(part.args)),
                tool_call_id=clean(part.tool_call_id),
                id=part.id,
                provider_name=part.provider_name,
                provider_details=part.provider_details,
            )
        case messages.TextPart() | messages.ThinkingPart():
            return replace(part, content=clean(part.content))
        case _:
            return part


def _counted(response: messages.ModelResponse) -> Counted | None:
    """What the provider counted; None where it did not, or where its figures are none."""
    usage = response.usage
    if usage.input_tokens <= 0 or usage.output_tokens < 0:
        return None
    read, write = max(0, usage.cache_read_tokens), max(0, usage.cache_write_tokens)
    if read + write > usage.input_tokens:
        return None
    return Counted(input=usage.input_tokens, output=usage.output_tokens, cache_read=read, cache_write=write)


_SORTS: tuple[tuple[type[Exception], Kind, str], ...] = (
    (exceptions.ModelAuthenticationError, Kind.AWAY, "the provider refuses the key; is it right, and for this model?"),
    (exceptions.ModelNotFoundError, Kind.AWAY, "the provider has no such model, or models.base_url is wrong"),
    (exceptions.ModelContextWindowExceededError, Kind.REJECTED, "the batch is too long for the model"),
    (exceptions.ModelRequestRejectedError, Kind.REJECTED, "the provider does not take the request"),
    (exceptions.ModelQuotaExceededError, Kind.AWAY, "the account's quota or credit with the provider is used up"),
    (exceptions.ModelRateLimitError, Kind.BUSY, "the provider takes no more requests for now"),
    (exceptions.ModelUnavailableError, Kind.BUSY, "the provider is overloaded"),
    (exceptions.ModelServerError, Kind.BUSY, "the provider failed"),
    (exceptions.ModelTimeoutError, Kind.SLOW, "the provider did not answer in time"),
    (exceptions.ModelConnectionError, Kind.CUT, _CUT),
    (exceptions.ContentFilterError, Kind.DECLINED, "the model, or a filter before it, declined to answer"),
)
"""Errors of the library by what they mean, the narrower before the wider."""


def _trouble(error: Exception) -> Trouble:
    """An error in our terms; its own words may quote a transcript or worse, and are left out."""
    for sort, kind, message in _SORTS:
        if isinstance(error, sort) and kind is Kind.CUT:
            return _broken_connection(is_unsent=getattr(error, "phase", None) in ("pool", "connect"))
        if isinstance(error, sort):
            status = getattr(error, "status_code", None)
            return Trouble(
                kind=kind,
                message=f"{message} (status {status})" if status else message,
                retry_after=getattr(error, "retry_after", None),
                is_counted=kind in (Kind.SLOW, Kind.DECLINED),
            )
    if isinstance(error, exceptions.ModelHTTPError):
        is_busy = error.status_code >= 500 or error.status_code in (408, 425)
        message = f"the provider does not take the request (status {error.status_code})"
        return Trouble(kind=Kind.BUSY if is_busy else Kind.REJECTED, message=message, retry_after=error.retry_after)
    if isinstance(error, httpx2.TransportError):  # of a library that lets it through
        return _broken_connection(is_unsent=isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout))
    message = f"the provider's answer was not understood ({type(error).__name__})"
    return Trouble(kind=Kind.AWAY, message=message, is_counted=True)


def _broken_connection(*, is_unsent: bool) -> Trouble:
    message = "the provider cannot be reached" if is_unsent else _CUT
    return Trouble(kind=Kind.CUT, message=message, is_counted=not is_unsent)
