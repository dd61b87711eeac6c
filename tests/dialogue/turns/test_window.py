"""The window of a prompt: rare big steps, never a parted tool call."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dialogue.models import ConversationMessage, MessageRole
from dialogue.turns.prompt import prompt_messages
from dialogue.turns.window import message_tokens, next_start

Rows = list[ConversationMessage]
Row = tuple[MessageRole, str, dict[str, object]]


def turn_rows(
    words: int, calls: int
) -> list[tuple[MessageRole, str, dict[str, object]]]:
    """Return a person's message, tool calls with results, and an answer."""
    rows: list[Row] = [(MessageRole.USER, "ask " * words, {})]
    for _number in range(calls):
        rows.append((MessageRole.ASSISTANT, "", {"tool_calls": []}))
        rows.append((MessageRole.TOOL, "", {"result": {"x": "y" * words}}))
    return [*rows, (MessageRole.ASSISTANT, "answer " * words, {})]


conversations = st.lists(
    st.builds(turn_rows, st.integers(1, 200), st.integers(0, 3)),
    min_size=1,
    max_size=20,
).map(
    lambda turns: [
        ConversationMessage(seq=seq, role=role, text=text, data=data)
        for seq, (role, text, data) in enumerate(
            (row for turn in turns for row in turn), start=1
        )
    ]
)


@given(conversations, st.integers(100, 2000))
def test_the_start_moves_only_over_the_limit_and_to_a_persons_message(
    rows: Rows, limit: int
) -> None:
    keep = limit // 4
    start = next_start(rows, limit=limit, keep=keep)
    total = sum(message_tokens(row) for row in rows)
    if total <= limit:
        assert start is None, "the window moved though everything fits"
        return
    assert start is not None
    chosen = next(row for row in rows if row.seq == start)
    assert chosen.role == MessageRole.USER
    left = [row for row in rows if row.seq >= start]
    newest = max(row.seq for row in rows if row.role == MessageRole.USER)
    assert start <= newest, "the message at hand fell out of the window"
    size = sum(message_tokens(row) for row in left)
    assert size <= keep or start == newest, "the step was not a big one"


@given(conversations)
def test_growing_by_one_turn_rarely_moves_the_start(rows: Rows) -> None:
    moves, start = 0, 1
    for end in range(1, len(rows) + 1):
        window = [row for row in rows[:end] if row.seq >= start]
        new = next_start(window, limit=1000, keep=250)
        if new is not None and new > start:
            moves, start = moves + 1, new
    total = sum(message_tokens(row) for row in rows)
    assert moves <= total / 500 + 1, f"{moves} moves for {total} tokens"


def rows_of_calls(ids: list[str], answered: set[str]) -> Rows:
    """Return a message with calls, and results for some, in reverse order."""
    calls = [{"id": i, "name": "mission_list", "arguments": "{}"} for i in ids]
    rows = [
        ConversationMessage(seq=1, role=MessageRole.USER, text="hi"),
        ConversationMessage(
            seq=2, role=MessageRole.ASSISTANT, data={"tool_calls": calls}
        ),
    ]
    rows += [
        ConversationMessage(
            seq=3 + n, role=MessageRole.TOOL, data={"call_id": i, "result": {"n": n}}
        )
        for n, i in enumerate(reversed([i for i in ids if i in answered]))
    ]
    return rows


@given(st.lists(st.uuids().map(str), min_size=1, max_size=6, unique=True), st.data())
def test_every_call_has_exactly_one_result_next_to_it(
    ids: list[str], data: st.DataObject
) -> None:
    answered = data.draw(st.sets(st.sampled_from(ids)))
    prompt = prompt_messages(rows_of_calls(ids, answered), turn_id=None, attempt=1)
    assert [message.role for message in prompt] == [
        "user",
        "assistant",
        *("tool" for _id in ids),
    ]
    assert [message.tool_call_id for message in prompt[2:]] == ids
    for message in prompt[2:]:
        cancelled = "cancelled" in message.text
        assert cancelled == (message.tool_call_id not in answered)
