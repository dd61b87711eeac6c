"""Forms of English words: number, third person, participle, passive."""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold
from tooling.intent.lexicon import EN_ACTS, EN_STATES
from tooling.llm.planner.wording import small

# The judge leaves deciding words out; "reject rows without a number" is a task.
VERBS = EN_ACTS | EN_STATES | {"reject", "refuse", "approve", "decline"}

PARTICIPLES = {
    "bring": "brought", "build": "built", "rebuild": "rebuilt", "buy": "bought",
    "choose": "chosen", "cut": "cut", "do": "done", "draw": "drawn", "find": "found",
    "freeze": "frozen", "get": "obtained", "give": "given", "hide": "hidden",
    "hold": "held", "keep": "kept", "leave": "left", "let": "let", "make": "made",
    "pay": "paid", "put": "put", "read": "read", "redo": "redone", "reset": "reset",
    "rethink": "rethought", "rewrite": "rewritten", "run": "run", "say": "said",
    "see": "seen", "send": "sent", "set": "set", "show": "shown", "shrink": "shrunk",
    "split": "split", "take": "taken", "teach": "taught", "tell": "told",
    "undo": "undone",
    "withdraw": "withdrawn", "write": "written", "speed": "sped", "wind": "wound",
    "spend": "spent", "lose": "lost", "meet": "met", "have": "had", "be": "been",
}  # fmt: skip
PASTS = {
    "got": "get", "had": "have", "were": "be", "was": "be", "did": "do", "saw": "see",
    "went": "go", "came": "come", "knew": "know", "showed": "show", "gave": "give",
    "took": "take", "ran": "run", "wrote": "write", "sent": "send", "kept": "keep",
    "made": "make", "told": "tell", "let": "let", "could": "can", "found": "find",
    "has": "have", "is": "be", "are": "be", "does": "do", "led": "lead",
    "said": "say", "chose": "choose", "paid": "pay", "built": "build",
}  # fmt: skip
_DOUBLED = frozenset(
    """ban chat clip cap drop flag log map pin plan plug prefer ship skip snap stop
    submit tag trim wrap zip cut get let put run set split refer scrub scan cancel
    prep swap""".split()
) - {"cancel"}
_IRREGULAR = {form: base for base, form in PARTICIPLES.items()}
PREPOSITIONS = frozenset(
    """to from into onto in on at for with by before after every each when if as under
    within via per through so without between until during over above below across
    against once unless because whenever while using instead inside based whose upon
    everywhere anywhere daily weekly nightly monthly hourly automatically twice
    immediately there again
    instantly about""".split()
)
_PLURAL_EXCEPTIONS = ("ss", "us", "is", "sis", "ics", "sms", "dns", "css", "aws", "ops")
_ADVERBS = frozenset(
    "daily weekly nightly monthly hourly automatically instantly immediately".split()
)
_MAKERS = frozenset(
    """add build create make set design implement introduce write provide prepare draft
    develop""".split()
)
_PARTICLES = frozenset({"up", "out", "off", "down", "away", "back"})


def plural(phrase: str) -> bool:
    """Say whether a noun phrase is plural."""
    words = fold(phrase).split()
    if not words:
        return False
    if words[0] in {"a", "an", "each", "every", "this", "that", "it", "one", "another"}:
        return False
    if words[0] in {"they", "these", "those", "we", "you", "all", "both", "two", "i"}:
        return True
    head = noun_head(words)
    if "and" in words:
        return True
    if head in {"people", "staff", "data", "children", "men", "women", "media"}:
        return head != "data" and head != "media"
    return head.endswith("s") and not head.endswith(_PLURAL_EXCEPTIONS)


def noun_head(words: list[str]) -> str:
    """Return the head noun of a folded noun phrase."""
    stop = len(words)
    for index, word in enumerate(words):
        if index and (word in PREPOSITIONS or word in {"of", "that", "which", "who"}):
            stop = index
            break
        if word.endswith("ed") and index and words[index - 1].endswith("s"):
            stop = index
            break
    return words[stop - 1].strip(",;:'\"").removesuffix("'s")


def third(verb: str) -> str:
    """Return the third person singular of `verb`."""
    known = {"be": "is", "have": "has", "do": "does", "go": "goes", "can": "can"}
    if verb in known:
        return known[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def conjugate(verb: str, subject: str) -> str:
    """Return `verb` in the present for `subject`."""
    if plural(subject):
        return "are" if verb == "be" else verb
    return third(verb)


def participle(verb: str) -> str:
    """Return the past participle of `verb`."""
    if verb in PARTICIPLES:
        return PARTICIPLES[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    if verb in _DOUBLED:
        return verb + verb[-1] + "ed"
    return verb + "ed"


def gerund(verb: str) -> str:
    """Return the -ing form of `verb`."""
    if verb in _DOUBLED or verb in {"cut", "get", "run", "set", "put", "split", "stop"}:
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith(("ee", "oe")) and verb != "be":
        return verb[:-1] + "ing"
    return verb + "ing"


def base_form(word: str) -> str:
    """Return the base form of a verb that stands in any form, "" if none is known."""
    if word in PASTS:
        return PASTS[word]
    if word in VERBS:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending, puts in (
        ("ies", "y"), ("es", ""), ("es", "e"), ("s", ""), ("ied", "y"), ("ed", ""),
        ("ed", "e"), ("ing", ""), ("ing", "e"),
    ):  # fmt: skip
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        if stem + puts in VERBS:
            return stem + puts
        if ending in {"ed", "ing"} and stem[-1] == stem[-2] and stem[:-1] in VERBS:
            return stem[:-1]
    return ""


def is_participle(word: str) -> bool:
    """Say whether `word` reads as a past participle."""
    return word in _IRREGULAR or (word.endswith("ed") and len(word) > 4)


_RELATIVES = frozenset(
    {"that", "which", "who", "whose", "where", "older", "larger", "longer"}
)
_UNITS = frozenset(
    "minute minutes hour hours day days week weeks month months year years".split()
)
_LATER = frozenset({"before", "later", "after", "ahead", "earlier", "beforehand"})
_SPANS = frozenset({"for", "since", "before", "after", "by"})
_KEPT = frozenset(
    """private safe secret visible simple clean short available unchanged intact
    readable     separate secure open free up""".split()
)
_QUALITIES = frozenset(
    "the a an our this original old current existing same present previous".split()
)
_GIVERS = frozenset("send give offer show email grant tell mail".split())


def _stops(lower: list[str], index: int, size: int) -> bool:
    """Say whether the object of a verb phrase ends before the word at `index`."""
    word = lower[index].strip(",")
    if index > size and word in _PARTICLES:
        return True
    if index > size and lower[index - 1] == "of":
        return False
    if index > size + 1 and lower[index - 1].endswith("ed") and word in _SPANS:
        return False
    following = lower[index + 1].strip(",") if index + 1 < len(lower) else ""
    if following in _UNITS and index + 2 < len(lower) and lower[index + 2] in _LATER:
        return index > size
    if (
        lower[0] in {"keep", "leave"}
        and index > size
        and lower[index - 1] not in _QUALITIES
        and (word.endswith(("ing", "able", "ible")) or word in _KEPT)
    ):
        return True
    if word not in PREPOSITIONS or (index == size and word in _ADVERBS):
        return False
    if word in _ADVERBS and following and following not in PREPOSITIONS:
        return False
    dated = word == "by" and following in {"the", "end", "next", "mid", *_MONTHS}
    noun_like = word in {"for", "by", "per", "with", "about"}
    return not (lower[0] in _MAKERS and noun_like and not dated)


_MONTHS = frozenset(
    """january february march april may june july august september october november
    december monday tuesday wednesday thursday friday""".split()
)


# "90, 60 and 30 days before": what stands before the last number goes with it.
_IN_A_ROW = re.compile(r"and|or|\d+,?")


def split_object(phrase: str) -> tuple[str, str, str]:
    """Split a verb phrase into verb (with particle), object and the rest."""
    words = phrase.split(" ")
    lower = [fold(w) for w in words]
    size = 2 if len(words) > 1 and lower[1] in _PARTICLES else 1
    stop = len(words)
    for index in range(size, len(words)):
        before = " ".join(words[:index])
        if before.count('"') % 2 or before.count("“") > before.count("”"):
            continue
        if lower[index] in _RELATIVES and index > size:
            break
        if _stops(lower, index, size):
            stop = index
            break
    while size < stop - 1 and _IN_A_ROW.fullmatch(lower[stop - 1]):
        stop -= 1
    if lower[0] in _GIVERS:
        stop = _receiver(lower, size, stop)
    thing = " ".join(words[size:stop])
    return " ".join(words[:size]), thing, " ".join(words[stop:])


def makes(phrase: str) -> bool:
    """Say whether a verb phrase brings something new about."""
    return fold(phrase.split(" ", 1)[0]) in _MAKERS


def _receiver(lower: list[str], size: int, stop: int) -> int:
    """Find where "managers a checklist" passes from the receiver to the thing."""
    for index in range(size + 1, stop):
        if lower[index] in {"a", "an", "the", "their", "its", "our"}:
            inner = lower[index - 1] in {"of", "and", "or", "all"} or index - size > 4
            return stop if inner else index
    return stop


_STOPPED = re.compile(r"(?:stop|avoid) (\w+ing) (\S.*)", re.IGNORECASE | re.DOTALL)
_OBJECTS = {"me": "I", "us": "we", "them": "they", "him": "he", "her": "she"}


def passive(phrase: str, negative: bool = False) -> str:
    """Return "send the file to finance" as "the file is sent to finance".

    "" where the phrase has no object to speak of.
    """
    adverb = ""
    first = fold(phrase).split(" ", 1)[0]
    if first.endswith("ly") and first not in VERBS and " " in phrase:
        adverb, phrase = phrase.split(" ", 1)
    if fold(phrase).startswith("get rid of "):
        thing = phrase[11:]
        thing, rest = split_object(f"remove {thing}")[1:]
        return f"{thing} {'are' if plural(thing) else 'is'} gone {rest}".strip()
    stopped = _STOPPED.match(phrase)
    if stopped is not None and base_form(fold(stopped[1])):
        thing, rest = split_object(f"{base_form(fold(stopped[1]))} {stopped[2]}")[1:]
        if not thing:
            return f"{stopped[1]} {rest} has stopped"
        be = "are" if plural(thing) else "is"
        done = participle(base_form(fold(stopped[1])))
        return f"{thing} {be} no longer {done} {rest}".strip()
    verb, thing, rest = split_object(phrase)
    thing = thing.strip(" ,")
    if not thing:
        return ""
    parts = verb.split(" ")
    base = base_form(fold(parts[0])) or fold(parts[0])
    done = " ".join([participle(base), *parts[1:]])
    subject = _OBJECTS.get(fold(thing), thing)
    be = "am" if subject == "I" else "are" if plural(subject) else "is"
    if subject.endswith(("a", "an", "the")) and " " not in subject:
        return ""
    done = f"{small(adverb)} {done}".strip()
    words = [subject, be + (" not" if negative else ""), done, rest]
    return " ".join(word for word in words if word)
