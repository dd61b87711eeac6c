"""The list of conversations, and beginning one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from dialogue.models import Conversation, ConversationMessage, Turn, TurnState
from dialogue.services.conversations import (
    archive_conversation,
    complete_conversation,
)
from dialogue.web.examples import EXAMPLES
from tests.dialogue.web.conftest import begin
from tests.support.api import Someone, make_member

URL = "/t/acme/"
NEW = "/t/acme/c/new"


def titles(html: str) -> list[str]:
    """Return the titles of a list page in order."""
    parts = html.split('class="list__title" dir="auto">')[1:]
    return [part.split("<", 1)[0] for part in parts]


def page(client: Client, query: str = "") -> str:
    response = client.get(URL + query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.promise("D7")
def test_newest_activity_comes_first(client: Client, member: Someone) -> None:
    now = timezone.now()
    first, second = (
        begin(member, title=name, now=now - dt.timedelta(hours=hours))
        for name, hours in (("first", 3), ("second", 2))
    )
    assert titles(page(client)) == ["second", "first"]
    first.say("again")
    assert titles(page(client)) == ["first", "second"]
    assert second.conversation.title in page(client)


@pytest.mark.promise("D7", "D10")
def test_filters_by_track_status_and_title(client: Client, member: Someone) -> None:
    begin(member, title="Rules of access", track="Governance")
    done = begin(member, title="Export", track="Build")
    complete_conversation(
        principal=member.principal,
        conversation_id=done.conversation.pk,
        now=timezone.now(),
    )
    assert titles(page(client, "?track=Governance")) == ["Rules of access"]
    assert titles(page(client, "?status=completed")) == ["Export"]
    assert titles(page(client, "?q=rules")) == ["Rules of access"]
    nothing = page(client, "?track=Research")
    assert titles(nothing) == []
    assert "No conversation fits these filters." in nothing


@pytest.mark.parametrize("query", ["?track=Gardening", "?status=lost", "?cursor=%00"])
def test_unknown_filters_are_refused_in_words(client: Client, query: str) -> None:
    response = client.get(URL + query)
    assert response.status_code == 400
    assert b"<h1>" in response.content


def test_archived_ones_have_a_place_of_their_own(
    client: Client, member: Someone
) -> None:
    kept = begin(member, title="kept")
    gone = begin(member, title="gone")
    archive_conversation(
        principal=member.principal,
        conversation_id=gone.conversation.pk,
        archived=True,
        now=timezone.now(),
    )
    assert titles(page(client)) == [kept.conversation.title]
    assert titles(page(client, "?archived=1")) == ["gone"]


@pytest.mark.promise("D7")
def test_shows_nothing_of_others(
    client: Client, stranger: Someone, viewer: Someone
) -> None:
    begin(stranger, title="foreign")
    other = begin(stranger, title="theirs", is_private=True)
    Conversation.objects.filter(pk=other.conversation.pk).update(tenant=viewer.tenant)
    assert titles(page(client)) == []
    assert client.get("/t/globex/").status_code == 404


def test_pages_follow_on_from_each_other(client: Client, member: Someone) -> None:
    now = timezone.now()
    for number in range(35):
        begin(member, title=f"n{number:02}", now=now - dt.timedelta(minutes=number))
    first = page(client, "?track=Build")
    link = first.split('class="btn" href="?')[1].split('"')[0].replace("&amp;", "&")
    assert "track=Build" in link
    second = page(client, "?" + link)
    assert titles(first) + titles(second) == [f"n{number:02}" for number in range(35)]


@pytest.mark.parametrize("state", [TurnState.QUEUED, TurnState.RUNNING])
def test_says_where_an_answer_is_under_way(
    client: Client, member: Someone, state: TurnState
) -> None:
    chat = begin(member)
    chat.say("hello", state)
    assert "Answering" in page(client)
    Turn.objects.update(state=TurnState.DONE, ended_at=timezone.now())
    assert "Answering" not in page(client)


def test_an_empty_list_offers_prompts_in_both_languages(client: Client) -> None:
    html = page(client)
    for language in ("en", "fr"):
        assert html.count(f'class="example" lang="{language}"') == 3
    assert html.index('lang="en"><span') < html.index('lang="fr"><span')


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.text[:20])
def test_a_prompt_begins_a_conversation_with_one_click(
    client: Client, example: object
) -> None:
    fields = {name: getattr(example, name) for name in ("track", "language", "text")}
    response = client.post(NEW, fields)
    conversation = Conversation.objects.get()
    assert response.headers["Location"] == f"/t/acme/c/{conversation.pk}/"
    assert (conversation.track, conversation.language) == (
        fields["track"],
        fields["language"],
    )
    assert conversation.title
    assert ConversationMessage.objects.get().text == fields["text"]
    assert Turn.objects.get().state == TurnState.QUEUED


def test_a_viewer_is_offered_nothing_to_begin(
    signed_in: Callable[[Someone], Client], viewer: Someone
) -> None:
    client = signed_in(viewer)
    html = page(client)
    assert NEW not in html
    assert client.get(NEW).status_code == 403
    assert client.post(NEW, {"track": "Build", "language": "en"}).status_code == 403
    assert not Conversation.objects.exists()


@pytest.mark.promise("D10")
def test_the_four_tracks_are_explained(client: Client) -> None:
    html = client.get(NEW).content.decode()
    for track in ("Governance", "Research", "Planning", "Build"):
        assert f'name="track" value="{track}"' in html
    assert html.count('class="track__help"') == 4


@pytest.mark.promise("D5")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("track", "Gardening"),
        ("track", ""),
        ("track", "build"),
        ("language", "xx"),
        ("title", "t" * 201),
        ("text", "x" * 200_000),
        ("text", "nul \x00 here"),
    ],
)
def test_what_does_not_fit_is_said_at_its_field_and_nothing_is_kept(
    client: Client, field: str, value: str
) -> None:
    fields = {"track": "Build", "language": "en", "text": "An idea"} | {field: value}
    response = client.post(NEW, fields)
    assert response.status_code == 400
    assert b'class="errorlist"' in response.content
    assert not Conversation.objects.exists()
    if field != "text":
        assert b"An idea" in response.content


def test_a_private_one_is_private(client: Client) -> None:
    client.post(NEW, {"track": "Build", "language": "en", "is_private": "1"})
    assert Conversation.objects.get().is_private


def test_the_list_reads_no_message_and_costs_the_same_however_long(
    client: Client, member: Someone, count_statements: Callable[[str], list[str]]
) -> None:
    begin(member, title="one").say("hello")
    few = count_statements(URL)
    for number in range(25):
        begin(member, title=f"n{number}").say("hello")
    many = count_statements(URL)
    assert len(few) == len(many)
    assert not any("dialogue_conversationmessage" in sql for sql in many)


def new_key(client: Client) -> str:
    html = client.get(NEW).content.decode()
    return html.split('name="form_key" value="')[1].split('"')[0]


def test_the_form_sent_twice_begins_one_conversation(client: Client) -> None:
    fields = {"track": "Build", "language": "en", "text": "An export, please."}
    fields["form_key"] = new_key(client)
    first, second = (client.post(NEW, fields) for _twice in range(2))
    assert first.status_code == second.status_code == 302
    assert first.headers["Location"] == second.headers["Location"]
    assert Conversation.objects.count() == 1
    assert ConversationMessage.objects.count() == Turn.objects.count() == 1
    client.post(NEW, {**fields, "form_key": new_key(client)})
    assert Conversation.objects.count() == 2


def test_a_form_of_an_example_has_a_key_of_its_own(client: Client) -> None:
    html = client.get(NEW).content.decode()
    keys = [part.split('"')[0] for part in html.split('"form_key" value="')[1:]]
    assert len(keys) == len(set(keys)) == 1 + len(EXAMPLES)


def test_the_key_is_a_person_s_own(
    client: Client, signed_in: Callable[[Someone], Client]
) -> None:
    fields = {"track": "Build", "language": "en", "text": "Hi", "form_key": "k" * 32}
    client.post(NEW, fields)
    other = signed_in(make_member("acme", "operator"))
    assert other.post(NEW, fields).status_code == 302
    assert Conversation.objects.count() == 2


def test_a_changed_form_is_not_lost_and_can_be_sent_once_more(client: Client) -> None:
    fields = {"track": "Build", "language": "en", "form_key": new_key(client)}
    client.post(NEW, {**fields, "text": "one"})
    refused = client.post(NEW, {**fields, "text": "two"})
    assert refused.status_code == 409
    html = refused.content.decode()
    assert ">two</textarea>" in html
    assert fields["form_key"] not in html
    assert Conversation.objects.count() == 1


def test_a_refused_form_keeps_its_key_free(client: Client) -> None:
    fields = {"language": "en", "text": "one", "form_key": new_key(client)}
    assert client.post(NEW, {**fields, "track": "Gossip"}).status_code == 400
    assert client.post(NEW, {**fields, "track": "Build"}).status_code == 302
    assert Conversation.objects.count() == 1
