"""A form sent by several clicks at once does its work once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from dialogue.models import Conversation, ConversationMessage
from dialogue.services.beginning import Beginning, begin_conversation
from tests.support.api import Someone, make_member
from tooling.errors import DomainError, NotFound
from tooling.models import IdempotencyRecord
from tooling.services.forms import FormSentBefore, do_once

WANTED = Beginning("Build", "", "en", is_private=False, text="An export, please.")


@pytest.fixture
def member(transactional_db: None) -> Someone:
    return make_member("acme", "member")


def once(member: Someone, work: Any, key: str = "k", **content: str) -> str:
    return do_once(
        principal=member.principal,
        key=key,
        content=content,
        work=work,
        now=timezone.now(),
    )


@pytest.mark.django_db(transaction=True)
def test_parallel_clicks_begin_one_conversation(member: Someone) -> None:
    clicks = 6
    together = threading.Barrier(clicks)

    def click(_number: int) -> str:
        together.wait()
        try:
            return begin_conversation(
                principal=member.principal,
                form_key="k" * 32,
                wanted=WANTED,
                now=timezone.now(),
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(clicks) as pool:
        found = set(pool.map(click, range(clicks)))
    assert found == {str(Conversation.objects.get().pk)}
    assert ConversationMessage.objects.count() == 1


def test_work_that_fails_leaves_the_key_free(member: Someone) -> None:
    def fail() -> str:
        raise NotFound

    with pytest.raises(NotFound):
        once(member, fail)
    assert not IdempotencyRecord.objects.exists()
    assert once(member, lambda: "/there/") == "/there/"


def test_other_content_is_told_and_the_first_work_stands(member: Someone) -> None:
    assert once(member, lambda: "/a/", text="a") == "/a/"
    with pytest.raises(FormSentBefore):
        once(member, lambda: "/b/", text="b")
    assert once(member, lambda: "/c/", text="a") == "/a/"


def test_without_a_key_each_is_done(member: Someone) -> None:
    assert once(member, lambda: "/a/", key="") == "/a/"
    assert once(member, lambda: "/b/", key="") == "/b/"
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.parametrize("key", ["k" * 81, "a\x00b", "\ud800"])
def test_a_key_that_cannot_be_kept_is_refused(member: Someone, key: str) -> None:
    with pytest.raises(DomainError) as refused:
        once(member, lambda: "/a/", key=key)
    assert refused.value.field == "form_key"
