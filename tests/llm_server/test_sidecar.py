"""The contract with a real model server beside Dialogue.

The model is tiny and talks nonsense; what it says is beside the point.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.support.backend_contract import (
    BackendContract,
    Target,
    finish_of,
    text_of,
)
from tests.support.processes import free_port
from tooling.llm.backends import backend_for
from tooling.llm.presets import ResolvedPreset
from tooling.llm.types import BackendError, FinishReason, LLMRequest, PromptMessage

if TYPE_CHECKING:
    from tests.support.llama_server import LlamaServer

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("_clients_closed")]


@pytest.fixture
def preset(
    llama_server: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> ResolvedPreset:
    """The server as a sidecar; its key comes from a file."""
    monkeypatch.setenv("TEST_SIDECAR_KEY_FILE", str(llama_server.key_file))
    return ResolvedPreset(
        name="sidecar",
        kind="sidecar",
        model=llama_server.model,
        base_url=llama_server.url,
        key_env="TEST_SIDECAR_KEY",
        connect_seconds=1.0,
        retries=0,
    )


class TestModelServer(BackendContract):
    @pytest.fixture
    def target(self, preset: ResolvedPreset) -> Target:
        return Target(backend_for(preset))


@pytest.fixture
def target(preset: ResolvedPreset) -> Target:
    return Target(backend_for(preset))


async def test_a_schema_constrains_the_answer(target: Target) -> None:
    schema = {
        "type": "object",
        "properties": {
            "verdict": {"enum": ["question", "request"]},
            "sure": {"type": "boolean"},
        },
        "required": ["verdict", "sure"],
        "additionalProperties": False,
    }
    request = target.ask(json_schema=schema, max_output_tokens=60)
    events = await target.collect(request)
    assert finish_of(events).reason is FinishReason.STOP
    answer = json.loads(text_of(events))
    assert answer["verdict"] in {"question", "request"}
    assert isinstance(answer["sure"], bool)


async def test_a_repeated_prompt_is_counted_once(target: Target) -> None:
    words = "the server remembers what it has read before " * 10
    request = LLMRequest("", (PromptMessage("user", words),), max_output_tokens=2)
    first = finish_of(await target.collect(request)).usage
    again = finish_of(await target.collect(request)).usage
    whole = first.fresh + first.cache_read
    assert again.cache_read > 0
    assert again.fresh + again.cache_read == whole


async def test_a_prompt_that_is_too_long(target: Target) -> None:
    request = LLMRequest("", (PromptMessage("user", "word " * 4000),))
    with pytest.raises(BackendError) as caught:
        await target.collect(request)
    assert caught.value.code == "context_too_long"
    assert not caught.value.retryable


async def test_a_wrong_key(
    preset: ResolvedPreset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_WRONG_KEY", "not-the-key")
    target = Target(backend_for(replace(preset, key_env="TEST_WRONG_KEY")))
    with pytest.raises(BackendError) as caught:
        await target.collect(target.ask())
    assert caught.value.code == "unauthorized"
    assert "not-the-key" not in str(caught.value)


@pytest.mark.promise("A21")
async def test_a_server_that_is_not_there(preset: ResolvedPreset) -> None:
    gone = replace(preset, base_url=f"http://127.0.0.1:{free_port()}/v1")
    target = Target(backend_for(gone))
    with pytest.raises(BackendError) as caught:
        await target.collect(target.ask())
    assert caught.value.code == "unreachable"
