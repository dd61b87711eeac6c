"""Anthropic's messages, by the library's own mapping of history and tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson
from anthropic import AsyncAnthropic
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.tools import ToolDefinition

from tooling.llm.backends.base import LibraryBackend, Progress, Wire
from tooling.llm.backends.clients import Connection, http_client
from tooling.llm.backends.errors import StreamCutError
from tooling.llm.backends.openai import sendable_arguments
from tooling.llm.backends.usage import usage_from_anthropic
from tooling.llm.keys import read_key
from tooling.models.llm import BackendKind

if TYPE_CHECKING:
    from pydantic_ai.models import StreamedResponse

    from tooling.llm.types import Finished, LLMRequest, PromptMessage, Usage

_FOREIGN_ID = re.compile(r"[^a-zA-Z0-9_-]")


class AnthropicBackend(LibraryBackend):
    """Anthropic, or a gateway that speaks its wire."""

    kind = BackendKind.ANTHROPIC.value

    def _connect(self) -> Connection:
        key = read_key(self.preset.key_env)
        http = http_client(self.preset)
        client = AsyncAnthropic(
            api_key=key,
            # The SDK adds the version itself.
            base_url=self.preset.base_url.rstrip("/").removesuffix("/v1") or None,
            http_client=http,
            max_retries=0,
        )
        provider = AnthropicProvider(anthropic_client=client)
        model = AnthropicModel(self.preset.model, provider=provider)
        return Connection(model=model, http=http, key=key)

    def _wire(self, request: LLMRequest) -> Wire:
        settings = AnthropicModelSettings(max_tokens=request.max_output_tokens)
        if request.temperature is not None:
            settings["temperature"] = request.temperature
        return Wire(_history(request), settings, _parameters(request))

    def _finished(
        self, response: StreamedResponse, request: LLMRequest, progress: Progress
    ) -> Finished:
        if response.finish_reason is None:
            raise StreamCutError
        return super()._finished(response, request, progress)

    def _usage(self, response: StreamedResponse) -> Usage | None:
        report = response.usage.details
        return usage_from_anthropic(report) if report else None


def _parameters(request: LLMRequest) -> ModelRequestParameters:
    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.parameters,
        )
        for tool in request.tools
    ]
    if request.json_schema is None:
        return ModelRequestParameters(function_tools=tools)
    wanted = OutputObjectDefinition(json_schema=request.json_schema, name="answer")
    return ModelRequestParameters(
        function_tools=tools, output_mode="native", output_object=wanted
    )


def _history(request: LLMRequest) -> list[ModelMessage]:
    """Return the messages in the library's types, neighbours of one side joined."""
    history: list[ModelMessage] = []
    for message in request.messages:
        last = history[-1] if history else None
        if message.role == "assistant":
            history.append(ModelResponse(parts=list(_response_parts(message))))
        elif isinstance(last, ModelRequest):
            last.parts = [*last.parts, _request_part(message)]
        else:
            history.append(ModelRequest(parts=[_request_part(message)]))
    for sent in history:
        if isinstance(sent, ModelRequest):
            sent.instructions = request.system or None
    return history


def _request_part(message: PromptMessage) -> ModelRequestPart:
    if message.role == "tool":
        return ToolReturnPart(
            tool_name=message.tool_name,
            content=message.text,
            tool_call_id=_own_id(message.tool_call_id),
        )
    return UserPromptPart(content=message.text)


def _response_parts(message: PromptMessage) -> list[ModelResponsePart]:
    parts: list[ModelResponsePart] = []
    if message.text:
        parts.append(TextPart(content=message.text))
    for call in message.tool_calls:
        arguments: dict[str, Any] = orjson.loads(sendable_arguments(call.arguments))
        parts.append(
            ToolCallPart(
                tool_name=call.name, args=arguments, tool_call_id=_own_id(call.id)
            )
        )
    return parts


def _own_id(identifier: str) -> str:
    """Return a call's id in the characters that Anthropic takes."""
    return _FOREIGN_ID.sub("_", identifier)
