"""Questions: asked by a model or a person, answered by people, settling nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from decisions.cards import load_proposals
from decisions.models import AttentionRequest, LateDecision, RequestKind, Resolution
from decisions.questions import OptionLikeDisposal, check_payload, make_payload
from decisions.selectors import waiting_count
from decisions.services.asking import TooManyQuestions, ask_question
from decisions.services.closing import expire_requests, withdraw_request
from decisions.services.deciding import AlreadyDecided, InvalidOption
from decisions.services.editing import edit_request
from dialogue.models import ConversationMessage, MessageRole
from dialogue.spawned import list_spawned
from missions.models import (
    Materialisation,
    Mission,
    MissionSuggestionRecord,
    WorkflowDraft,
)
from missions.services.materialising import materialise
from missions.services.suggestions import record_turn_suggestion
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT, choose
from tests.missions.support import NOW, Scene, call_tool, preview_of, user_of
from tooling.errors import InvalidInput, NotAllowed, NotFound
from tooling.models import AuditEntry, Features, User
from tooling.policy import Principal, PrincipalKind

if TYPE_CHECKING:
    from django.conf import LazySettings

pytestmark = pytest.mark.django_db
ASKED: dict[str, Any] = {
    "title": "Where does the export go?",
    "question": "The finance share is full. Where shall the file go instead?",
    "options": ["The archive share", "A new bucket", "Nowhere for now"],
}


@pytest.fixture
def asking(scene: Scene, settings: LazySettings) -> Scene:
    """The scene with every gate open but the person's own request."""
    settings.WRITE_TOOLS_SERVED = True
    Features.objects.create(tenant=scene.tenant, write_tools=True)
    return scene


@pytest.fixture
def question(asking: Scene) -> AttentionRequest:
    """An open question of the scene's turn."""
    assert call_tool(asking, "decision_create", ASKED).state == "done"
    return AttentionRequest.objects.get()


def notices() -> list[str]:
    rows = ConversationMessage.objects.filter(role=MessageRole.NOTICE)
    return list(rows.order_by("seq").values_list("text", flat=True))


@pytest.mark.promise("D33", "D34", "D35", "D42")
def test_the_tool_asks_one_question_of_its_own_kind(asking: Scene) -> None:
    done = call_tool(asking, "decision_create", ASKED)
    request = AttentionRequest.objects.get()
    assert (request.kind, request.subject) == (RequestKind.QUESTION, "question")
    assert (request.title, request.options) == (ASKED["title"], ASKED["options"])
    assert request.maker_kind == "model"
    assert (
        request.origin_conversation,
        request.origin_message,
        request.origin_turn,
    ) == (asking.conversation.pk, asking.message.pk, asking.turn.pk)
    assert done.cards == ({"kind": "proposal", "id": str(request.pk)},)
    assert done.result["status"] == "awaiting_decision"
    assert AuditEntry.objects.get(action="question.asked").actor_kind == "model"
    assert not WorkflowDraft.objects.exists()
    spawned = list_spawned(
        tenant_id=asking.tenant.pk, conversation_id=asking.conversation.pk
    )
    assert [(row.kind, row.id) for row in spawned] == [("request", request.pk)]


@pytest.mark.promise("D57")
def test_a_preview_shows_the_question_and_asks_nothing(asking: Scene) -> None:
    changes = preview_of(asking, "decision_create", ASKED)
    assert [(c.label, c.before, c.after) for c in changes] == [
        ("Title", "", ASKED["title"]),
        ("Question", "", ASKED["question"]),
        ("Possible answers", "", "\n".join(ASKED["options"])),
    ]
    assert not AttentionRequest.objects.exists()


@pytest.mark.promise("D61", "D64", "D78")
@pytest.mark.parametrize(
    "option",
    [
        *(APPROVE, CHANGES, REJECT, "approve", "REJECT", "Reject it", "We approve"),
        *("Approuver et créer", "Demander des modifications", "Rejeter"),
        *("Publish it", "approve_", "request  changes", "\uff32eject"),
    ],
)
def test_no_answer_is_called_like_a_disposal(asking: Scene, option: str) -> None:
    wanted = {**ASKED, "options": ["Another", option]}
    told = call_tool(asking, "decision_create", wanted).result
    assert told["error"] == "option_like_disposal"
    assert not AttentionRequest.objects.exists()


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["One"],
        ["One", "one"],
        ["One", " One "],
        ["One", "On\u200be"],
        ["One", "  "],
        ["One", "x" * 81],
        [str(number) for number in range(7)],
        ["One", 2],
        "One or two",
    ],
    ids=str,
)
def test_options_let_a_person_choose(asking: Scene, options: Any) -> None:
    done = call_tool(asking, "decision_create", {**ASKED, "options": options})
    assert done.state == "failed"
    assert not AttentionRequest.objects.exists()


@pytest.mark.promise("D64")
@pytest.mark.parametrize(
    "extra",
    [{"status": "resolved"}, {"approved": True}, {"Resolution": "x"}, {"decision": 1}],
    ids=lambda extra: next(iter(extra)),
)
def test_no_argument_settles_the_question(asking: Scene, extra: dict[str, Any]) -> None:
    told = call_tool(asking, "decision_create", {**ASKED, **extra}).result
    assert told["error"] == "settling_refused"
    assert not AttentionRequest.objects.exists()


@pytest.mark.promise("D16")
def test_the_same_question_is_found_not_asked_twice(question: AttentionRequest) -> None:
    raised = ask_question(
        principal=_model_of(question),
        title=ASKED["title"],
        text=ASKED["question"],
        options=ASKED["options"],
        origin_conversation=question.origin_conversation,
        origin_message=question.origin_message,
        origin_turn=question.origin_turn,
        now=LATER,
    )
    assert (raised.request.pk, raised.created) == (question.pk, False)


def _model_of(request: AttentionRequest) -> Principal:
    return Principal(PrincipalKind.MODEL, request.tenant_id, request.requested_by_id)


def test_a_conversation_has_only_so_many_open_questions(
    asking: Scene, settings: LazySettings
) -> None:
    settings.OPEN_PROPOSALS_PER_CONVERSATION = 1
    call_tool(asking, "decision_create", ASKED)
    told = call_tool(asking, "decision_create", {**ASKED, "title": "Another"}).result
    assert told["error"] == TooManyQuestions.code
    assert AttentionRequest.objects.count() == 1


# --- answering ----------


@pytest.mark.promise("D66", "D85")
def test_an_answer_reaches_the_conversation_and_nothing_follows(
    asking: Scene, question: AttentionRequest
) -> None:
    decided = choose(question, asking.operator, "A new bucket", note="In Paris.")
    assert decided.outcome == "won"
    question.refresh_from_db()
    assert (question.state, question.resolved_option) == ("resolved", "A new bucket")
    assert notices() == [
        "Answer to “Where does the export go?” by ola: A new bucket.\nNote: In Paris."
    ]
    with pytest.raises(NotFound):
        materialise(request_id=question.pk, now=LATER)
    assert not Mission.objects.exists()
    assert not Materialisation.objects.exists()
    card = load_proposals(
        tenant_id=asking.tenant.pk, ids=[question.pk], principal=asking.member
    )[question.pk]
    assert (card["state"], card["is_question"], card["option_label"]) == (
        "answered",
        True,
        "A new bucket",
    )
    told = call_tool(asking, "decision_list", {"status": "answered"}).result
    assert [item["id"] for item in told["items"]] == [str(question.pk)]


@pytest.mark.promise("D66", "N3")
@pytest.mark.lesson("H-14")
@pytest.mark.parametrize(
    "option", [APPROVE, CHANGES, REJECT, "", "a new bucket", None, 1, ["A new bucket"]]
)
def test_only_its_own_options_answer_it(
    asking: Scene, question: AttentionRequest, option: Any
) -> None:
    with pytest.raises(InvalidOption):
        choose(question, asking.operator, option, note="A note.")
    assert not Resolution.objects.exists()


@pytest.mark.promise("D66", "N3")
def test_members_models_and_strangers_do_not_answer(
    asking: Scene, question: AttentionRequest
) -> None:
    for who in (asking.viewer, asking.member, asking.model):
        with pytest.raises(NotAllowed):
            choose(question, who, "A new bucket")
    with pytest.raises(NotFound):
        choose(question, asking.stranger, "A new bucket")
    assert not Resolution.objects.exists()


@pytest.mark.lesson("H-02")
def test_the_second_answer_is_told_of_the_first(
    asking: Scene, question: AttentionRequest
) -> None:
    choose(question, asking.operator, "A new bucket")
    assert choose(question, asking.operator, "A new bucket").outcome == "same"
    with pytest.raises(AlreadyDecided):
        choose(question, asking.operator, "Nowhere for now", note="Too late.")
    assert LateDecision.objects.get().note == "Too late."


@pytest.mark.promise("D78")
def test_the_database_keeps_approvals_out_of_questions(
    asking: Scene, question: AttentionRequest
) -> None:
    for option in (APPROVE, CHANGES, REJECT):
        with pytest.raises(IntegrityError), transaction.atomic():
            AttentionRequest.objects.filter(pk=question.pk).update(
                state="resolved",
                resolved_option=option,
                resolved_by_id=asking.operator.user_id,
                resolved_at=LATER,
            )


def test_withdrawn_and_expired_questions_say_so(
    asking: Scene, question: AttentionRequest
) -> None:
    withdraw_request(principal=asking.member, request_id=question.pk, now=NOW)
    call_tool(asking, "decision_create", {**ASKED, "title": "Another"})
    assert expire_requests(now=NOW.replace(year=NOW.year + 1)) == 1
    assert notices() == [
        "mia withdrew the question “Where does the export go?”.",
        "The question “Another” expired: nobody answered it in time.",
    ]


def test_an_operator_rewords_it_into_a_revision_with_its_own_options(
    asking: Scene, question: AttentionRequest
) -> None:
    payload = make_payload(title="Which share?", text="Which?", options=["A", "B"])
    new = edit_request(
        principal=asking.operator,
        request_id=question.pk,
        payload=payload,
        revision=1,
        payload_hash=question.payload_hash,
        now=LATER,
    )
    assert (new.title, new.options, new.revision) == ("Which share?", ["A", "B"], 2)
    with pytest.raises(OptionLikeDisposal):
        edit_request(
            principal=asking.operator,
            request_id=new.pk,
            payload={"question": {**payload["question"], "options": ["A", REJECT]}},
            revision=2,
            payload_hash=new.payload_hash,
            now=LATER,
        )


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {},
        {"question": []},
        {"question": {"title": "a"}},
        {"question": {"title": "a", "text": "b", "options": "c"}},
        {"question": {"title": "a", "text": "b", "options": [1, 2]}},
        {"question": {"title": "a", "text": "b", "options": ["c", "d"]}, "more": 1},
    ],
    ids=str,
)
def test_other_payloads_are_no_question(payload: Any) -> None:
    with pytest.raises(InvalidInput):
        check_payload(payload)


@pytest.mark.promise("D97")
def test_a_question_is_no_proposal_so_the_idea_is_kept(asking: Scene) -> None:
    call_tool(asking, "decision_create", ASKED)
    record_turn_suggestion(turn=asking.turn, now=NOW)
    assert MissionSuggestionRecord.objects.count() == 1


def test_a_person_asks_too_and_only_where_they_may(asking: Scene) -> None:
    words: dict[str, Any] = {
        "title": "Which?",
        "text": "Which one?",
        "options": ["A", "B"],
        "now": NOW,
    }
    raised = ask_question(
        principal=asking.member, origin_conversation=asking.conversation.pk, **words
    )
    assert raised.created
    assert notices() == ["mia asked the question “Which?”."]
    assert waiting_count(asking.operator) == 1
    with pytest.raises(NotAllowed):
        ask_question(principal=asking.viewer, **words)
    with pytest.raises(NotFound):
        ask_question(
            principal=asking.stranger,
            origin_conversation=asking.conversation.pk,
            **words,
        )


# --- pages ----------


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def operator(asking: Scene) -> Client:
    user = user_of(asking.operator)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    return signed_in(User.objects.get(pk=user.pk))


@pytest.mark.promise("D76")
def test_the_decision_page_shows_question_options_and_note(
    asking: Scene, question: AttentionRequest, operator: Client
) -> None:
    # The page decides by the clock on the wall.
    AttentionRequest.objects.update(expires_at=None)
    address = reverse("admin:decisions_attentionrequest_change", args=[question.pk])
    page = operator.get(address).content.decode()
    for text in (ASKED["question"], *ASKED["options"], "What an answer does"):
        assert text in page
    for button in ASKED["options"]:
        assert f'name="option" value="{button}"' in page
    for absent in ("Approve and create", "Request changes", "Reject", " required"):
        assert absent not in page.partition('id="decision-form"')[2]
    assert "proposal" not in page.partition('id="content-main"')[2].lower()
    sent = {
        "option": "A new bucket",
        "note": "In Paris.",
        "revision": "1",
        "payload_hash": question.payload_hash,
    }
    answer = operator.post(address, sent, follow=True)
    assert "Answered. The conversation has been told." in answer.content.decode()
    assert "ola answered “A new bucket”" in answer.content.decode()
    assert Resolution.objects.get().note == "In Paris."


def test_the_queue_and_the_chat_show_it_as_a_question(
    asking: Scene, question: AttentionRequest, operator: Client
) -> None:
    queue = reverse("admin:decisions_attentionrequest_changelist")
    assert "Question" in operator.get(queue).content.decode()
    member = signed_in(user_of(asking.member))
    slug = asking.tenant.slug
    page = member.get(reverse("decisions:request", args=[slug, question.pk]))
    assert "What an answer does" in page.content.decode()
    listed = member.get(reverse("decisions:queue", args=[slug])).content.decode()
    assert "A new bucket" in listed
    assert "Question" in listed
