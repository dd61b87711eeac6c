"""What a model saw can be told from a call's row, without a copy in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

from tests.support.backend_contract import WEATHER
from tooling.llm.manifest import (
    PromptPartMissing,
    astore_part,
    digest_of,
    forget_parts,
    rebuild,
    store_part,
    tools_text,
)
from tooling.models import PromptPart

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("_clients_closed"),
]


def test_a_part_is_stored_once_and_then_costs_nothing(
    django_assert_num_queries: Callable[..., Any],
) -> None:
    digest = store_part("be kind")
    with django_assert_num_queries(0):
        assert store_part("be kind") == digest
    assert digest == digest_of("be kind")
    assert PromptPart.objects.get().text == "be kind"


def test_another_process_may_have_stored_it_before() -> None:
    store_part("be kind")
    forget_parts()
    store_part("be kind")
    assert PromptPart.objects.count() == 1


def test_a_part_that_was_rolled_back_is_stored_again() -> None:
    with transaction.atomic():
        store_part("be kind")
        transaction.set_rollback(True)
    store_part("be kind")
    assert PromptPart.objects.count() == 1


async def test_from_an_event_loop() -> None:
    digest = await astore_part("be kind")
    assert await PromptPart.objects.acount() == 1
    assert await astore_part("be kind") == digest


def test_a_manifest_leads_back_to_what_was_seen() -> None:
    manifest = {
        "system": store_part("be kind"),
        "tools": store_part(tools_text((WEATHER,))),
        "messages": [3, 9],
        "notes": "window",
    }
    seen = rebuild(manifest)
    assert (seen.system, seen.tools) == ("be kind", (WEATHER,))
    assert (seen.messages, seen.notes) == ((3, 9), "window")


def test_an_empty_manifest_saw_nothing() -> None:
    seen = rebuild({})
    assert (seen.system, seen.tools, seen.messages) == ("", (), ())


def test_a_part_that_is_gone_is_said_to_be() -> None:
    with pytest.raises(PromptPartMissing):
        rebuild({"system": digest_of("never stored")})
