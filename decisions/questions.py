"""The subject “question” of the Decisions queue: its own options, and no effect.

An answer goes back to the conversation; nothing is created, approved or published.
So no option may look like one of the three that dispose of a proposal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decisions.kinds import ApprovalOption, EffectLine, RequestSubject, Summary
from decisions.models import MAX_OPTION_CHARS, RequestKind
from decisions.visible import has_hidden
from tooling.boundary import check_json, require_text
from tooling.errors import InvalidInput
from tooling.tiers import DISPOSE_VERBS, fold_name

SUBJECT = "question"
DETAIL_TEMPLATE = "decisions/question_detail.html"
MAX_TITLE = 200
MAX_TEXT = 4_000
MIN_OPTIONS, MAX_OPTIONS = 2, 6
# What the buttons of a proposal are called by people, beside the verbs themselves.
_LIKE_A_DISPOSAL = DISPOSE_VERBS | {
    *("approved", "rejected", "approuver", "approuve", "rejeter", "rejette"),
    *("publier", "accorder", "trancher"),
}


class WrongQuestion(InvalidInput):
    """A payload that is not a question."""

    code = "wrong_shape"
    message = gettext_lazy("This is not a question with options.")


class WrongOptions(InvalidInput):
    """Options that do not let a person choose."""

    code = "wrong_options"
    field = "options"
    message = gettext_lazy(
        "Give two to six different options, each a short text without hidden "
        "characters."
    )


class OptionLikeDisposal(InvalidInput):
    """An option that reads as if it settled a proposal."""

    code = "option_like_disposal"
    field = "options"
    message = gettext_lazy(
        "An answer settles nothing, so no option may be called like the buttons of a "
        "proposal. Word it differently."
    )


def make_payload(*, title: str, text: str, options: Sequence[str]) -> dict[str, Any]:
    """Return the checked payload of a question, or raise an `InvalidInput`."""
    heading = require_text(title.strip(), field="title", max_chars=MAX_TITLE)
    words = require_text(text.strip(), field="question", max_chars=MAX_TEXT)
    return {
        "question": {
            "title": " ".join(heading.split()),
            "text": words,
            "options": _check_options(options),
        }
    }


def _check_options(options: Sequence[str]) -> list[str]:
    if not MIN_OPTIONS <= len(options) <= MAX_OPTIONS:
        raise WrongOptions(extra={"least": MIN_OPTIONS, "most": MAX_OPTIONS})
    checked = [_check_option(option) for option in options]
    if len({fold_name(option) for option in checked}) < len(checked):
        raise WrongOptions
    return checked


def _check_option(option: str) -> str:
    text = require_text(option.strip(), field="options", max_chars=MAX_OPTION_CHARS)
    line = " ".join(text.split())
    if has_hidden(line):
        raise WrongOptions
    if is_like_disposal(line):
        raise OptionLikeDisposal(extra={"option": line})
    return line


def is_like_disposal(option: str) -> bool:
    """Tell whether an option reads like one that settles a proposal."""
    folded = fold_name(option)
    words = "".join(c if c.isalnum() else " " for c in folded).split()
    return not _LIKE_A_DISPOSAL.isdisjoint(words) or folded in _buttons()


def _buttons() -> set[str]:
    """Return the three options of a proposal in every language that pages speak."""
    found = {fold_name(option) for option in ApprovalOption.values}
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            found |= {fold_name(str(label)) for label in ApprovalOption.labels}
    return found


def check_payload(payload: Any) -> dict[str, Any]:
    """Return the canonical payload, or raise `InvalidInput`."""
    check_json(payload)
    question = payload.get("question") if isinstance(payload, Mapping) else None
    if not isinstance(question, Mapping) or set(payload) != {"question"}:
        raise WrongQuestion
    if set(question) != {"title", "text", "options"}:
        raise WrongQuestion
    options = question["options"]
    texts = [question["title"], question["text"]]
    if not isinstance(options, list):
        raise WrongQuestion(field="options")
    if not all(isinstance(text, str) for text in [*texts, *options]):
        raise WrongQuestion
    return make_payload(title=texts[0], text=texts[1], options=options)


def options_of(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a question's own options."""
    return tuple(payload["question"]["options"])


def effect(payload: Mapping[str, Any]) -> list[EffectLine]:
    """Return what an answer does, and does not do."""
    return [
        EffectLine(_("The conversation hears the answer and the note.")),
        EffectLine(_("Nothing is created, approved or published."), negative=True),
    ]


def summarise(payload: Mapping[str, Any]) -> Summary:
    """Return a question in short."""
    question = payload["question"]
    return Summary(text=str(question["text"]), facts=tuple(question["options"]))


QUESTION = RequestSubject(
    name=SUBJECT,
    kind=RequestKind.QUESTION,
    options=(),
    options_of=options_of,
    check_payload=check_payload,
    title_of=lambda payload: str(payload["question"]["title"]),
    effect=effect,
    summarise=summarise,
    detail_template=DETAIL_TEMPLATE,
    labels={
        "question": gettext_lazy("Question"),
        "question.title": gettext_lazy("Title"),
        "question.text": gettext_lazy("Question"),
        "question.options": gettext_lazy("Possible answers"),
    },
)
