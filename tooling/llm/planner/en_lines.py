"""Writes titles, tasks and criteria of an English request."""

from __future__ import annotations

import re
from dataclasses import replace

from tooling.intent.cleaning import fold
from tooling.llm.planner import en_forms as forms
from tooling.llm.planner import en_words as words
from tooling.llm.planner.model import Ask, Kind, Mood
from tooling.llm.planner.wording import bare, capital, sentence, small


def _no_article(text: str) -> str:
    found = words.ARTICLE.match(text)
    return text[found.end() :] if found else text


_OWNED = re.compile(
    r"(?:we|i|they) (?:have|get|see|receive) (?:(?:too many|too much|a lot of|many"
    r"|lots of"
    r"|several|some) )?"
)


_ASKED = re.compile(r"[a-z]+ (?:which|what|who|whose|how|whether|where|why|when) ")
# A whole sentence, though no word of asking stands in it.
_STATEMENT = re.compile(
    r"(?:.{3,90}? )?(?:(?:nobody|no one|everyone|everybody|[a-z]+s)"
    r" (?:can|cannot|may|must|will) "
    r"|(?<![a-z ])[a-z]+s (?:see|get|receive|have|find|need) )[a-z]"
)


class EnglishLines:
    """English wording of asks. Every content word comes from the ask."""

    def reference(self, ask: Ask) -> str:
        """Return how later sentences speak of the ask: "the export"."""
        if ask.kind is Kind.CLAUSE:
            return ask.subject
        if ask.kind is Kind.PLAIN:
            return ""
        text = ask.text
        if ask.kind is Kind.VERB:
            text = forms.split_object(text)[1]
        if ask.kind is Kind.FAULT:
            return small(self._fault_subject(text))
        if not text or fold(text) in words.PRONOUNS:
            return ""
        return self._the(self._head(text), text)

    def title(self, ask: Ask) -> str:
        """Return an imperative or a noun phrase without article."""
        if ask.kind is Kind.NOUN:
            text = _no_article(ask.text)  # fmt: skip
            if ask.audience:
                text = f"{text} for {small(ask.audience)}"
            return capital(text)
        if ask.kind in {Kind.VERB, Kind.PLAIN}:
            return capital(ask.text)
        if ask.kind is Kind.FAULT:
            return self._fault_title(ask.text)
        return self._clause_title(ask)

    def _fault_subject(self, text: str) -> str:
        found = words.FAULT_VERB.search(fold(text))
        return text[: found.start()] if found and found.start() > 2 else ""

    def topic(self, text: str) -> str:
        """Return what a sentence speaks of, "" where it does not tell."""
        folded = fold(text)
        owned = _OWNED.match(folded)
        if owned is not None:
            return text[owned.end() :].split(",")[0].strip(" .!?")
        toil = re.search(r" (?:to|on) ([a-z]+) ((?:the |our )?[a-z]+)[.!?]?$", folded)
        if toil is not None and toil[1] in forms.VERBS:
            return f"{forms.gerund(toil[1])} {text[slice(*toil.span(2))]}"
        if re.match(r"(?:it|this|that|there|we|i|you|they)\b", folded):
            return ""
        still = re.match(
            r"[a-z' -]{3,60}?(?= (?:still|always|currently|only) )", folded
        )
        return small(text[: still.end()] if still else self._fault_subject(text))

    def _fault_title(self, text: str) -> str:
        slow = re.fullmatch(
            r"(.{3,60}?) (?:is|are) (?:far |way |much |really )?(?:too |very |so"
            r" )?slow",
            fold(text),
        )
        if slow is not None:
            return f"Speed up {small(text[: slow.end(1)])}"
        return capital(text)

    def _clause_title(self, ask: Ask) -> str:
        subject, rest = small(ask.subject), ask.text
        if fold(subject) in {"we", "i", "you", "one"} and ask.mood is not Mood.NOT:
            return capital(f"{ask.verb} {rest}")
        if ask.mood is Mood.NOT:
            do = "do" if forms.plural(subject) else "does"
            not_be = f"{forms.conjugate('be', subject)} not {rest}"
            tail = not_be if ask.verb == "be" else f"{do} not {ask.verb} {rest}"
            return bare(f"Make sure {subject} {tail}")
        if ask.mood is Mood.CAN:
            return bare(f"Let {subject} {ask.verb} {rest}")
        if ask.verb in {"get", "have", "receive"} and words.ARTICLE.match(rest):
            return capital(f"{words.ARTICLE.sub('', rest, count=1)} for {subject}")
        if ask.verb == "be":
            first = fold(rest).split(" ", 1)[0]
            lead = "Have" if forms.is_participle(first) else "Make"
            return bare(f"{lead} {subject} {rest}")
        lead = "Have" if words.PEOPLE.match(fold(subject)) else "Make"
        return bare(f"{lead} {subject} {ask.verb} {rest}")

    def task(self, ask: Ask, about: str) -> str:
        """Return the ask as a task; `about` is what "it" stands for."""
        title = self.title(ask)
        if ask.kind is Kind.NOUN and words.COMPARATIVE.match(ask.text):
            title = f"Get {small(ask.text)}"
        elif ask.kind is Kind.CLAUSE and title.endswith(f"for {small(ask.subject)}"):
            title = f"Set up {ask.text} for {small(ask.subject)}"
        elif ask.kind is Kind.NOUN:
            head = self._head(ask.text).split(" ")[-1]
            if _STATEMENT.match(fold(ask.text)):
                return f"Make sure {small(ask.text)}"
            verb = "Add" if ask.after and head not in words.SENT else "Set up"
            title = f"{verb} {small(ask.text)}"
            if ask.audience:
                title += f" for {small(ask.audience)}"
        if ask.condition:
            title = f"{title} {self._condition(ask, about)}"
        return title if ask.first else self.resolve(title, about)

    def _condition(self, ask: Ask, about: str) -> str:
        condition = self.resolve(small(ask.condition), about)
        vague = re.fullmatch(r"in case of (?:an? )?\w+", fold(condition))
        return f"{condition} of {about}" if vague and about else condition

    def resolve(self, text: str, about: str) -> str:
        """Put `about` in the place of a pronoun."""
        if not about or fold(about) in words.PRONOUNS:
            return text
        many = forms.plural(about)
        text = re.sub(r"(?<=\w) that$", lambda _: f" {about}", text)
        text = re.sub(
            r"^that (?=is |are )", lambda _: f"{about} ", text, flags=re.IGNORECASE
        )
        pattern = r"\b(?:they|them)\b" if many else r"\b(?<!make )it\b(?!')"
        return re.sub(pattern, lambda _: about, text, count=1, flags=re.IGNORECASE)

    def criteria(self, ask: Ask, about: str) -> list[str]:
        """Return sentences that can be checked."""
        condition = self._condition(ask, about) if ask.condition else ""
        plain = replace(ask, condition="")
        if ask.kind is Kind.PLAIN:
            return [sentence(self._conditioned(plain.text, condition))]
        if ask.kind is Kind.NOUN:
            lines = self._noun_criteria(plain, condition)
        elif ask.kind is Kind.VERB:
            lines = self._verb_criteria(plain.text, condition)
        elif ask.kind is Kind.CLAUSE:
            lines = [self._conditioned(self._clause_line(plain), condition)]
        else:
            line = (
                self._mended(plain.text) or f"this no longer happens: {small(ask.text)}"
            )
            lines = [self._conditioned(line, condition)]
        known = "" if ask.first else about
        return [sentence(self.resolve(line, known)) for line in lines if line]

    def _conditioned(self, line: str, condition: str, named: bool = False) -> str:
        if not condition or not line:
            return line
        if fold(condition).startswith(("unless", "until")):
            return f"{line} {condition}"
        return f"{capital(condition)}, {line if named else small(line)}"

    def _clause_line(self, ask: Ask) -> str:
        subject = words.SUBJECT.get(fold(ask.subject), ask.subject)
        if ask.mood is Mood.CAN:
            return bare(f"{subject} can {ask.verb} {ask.text}")
        if ask.mood is Mood.NOT:
            if ask.verb == "be":
                be = forms.conjugate("be", subject)
                return bare(f"{subject} {be} not {ask.text}")
            do = "do" if forms.plural(subject) else "does"
            return bare(f"{subject} {do} not {ask.verb} {ask.text}")
        return bare(f"{subject} {forms.conjugate(ask.verb, subject)} {ask.text}")

    def _mended(self, text: str) -> str:
        since = re.search(
            r",? (?:since|again|any ?more|at all|these days)\b.*$", fold(text)
        )
        text = text[: since.start()] if since and since.start() > 8 else text
        folded = fold(text)
        found = re.search(
            r" (is|are|gets?|keeps?|takes?|crash(?:es)?|fails?|breaks?|freezes?|hangs?"
            r"|loses?|drops?|throws?|shows?|lags?|disappears?|duplicates?|resets?) ",
            folded + " ",
        )
        if found and found.start() > 2:
            subject, rest = text[: found.start()], text[found.start() + 1 :]
            head, _, tail = rest.partition(" ")
            copula = fold(head) in {"is", "are"}
            after = f"{head} no longer {tail}" if copula else f"no longer {rest}"
            return f"{subject} {after}"
        return ""

    def _verb_criteria(self, text: str, condition: str) -> list[str]:
        lead = re.match(
            r"(?:ensure|make sure|check|verify)(?: that)? (?=.+ )", fold(text)
        )
        if lead and re.search(r" (?:is|are|has|have|can|do|does|[a-z]+s) ",
                              fold(text[lead.end() :])):  # fmt: skip
            return [self._conditioned(text[lead.end() :], condition)]
        # The first word stood within the sentence: a capital of its own stays.
        asked = _ASKED.match(fold(text))
        line = f"we can {small(text)}" if asked else forms.passive(text)
        if not line:
            head, _, tail = text.partition(" ")
            verb = forms.base_form(fold(head)) or fold(head)
            line = bare(f"{forms.gerund(verb)} {tail}") + " is complete"
        lines = [self._conditioned(line, condition, named=True)]
        relative = re.search(r" (?:that|which) (?=[a-z]+s? )", fold(text))
        thing = forms.split_object(text)[1]
        if relative is not None and forms.makes(text):
            noun = self._the(self._head(thing), thing)
            if noun:
                lines = [f"{noun} {text[relative.end() :]}"]
        return lines

    def _head(self, text: str) -> str:
        """Return the noun of a phrase with what qualifies it, without article."""
        body = _no_article(text)
        head = re.split(r" (?:of|to|for|from|in|on|with|that|which|who|where|at|by|per"
                        r"|into|between|when|if|under|every|each|after|before"
                        r"|showing) ",
                        body, maxsplit=1, flags=re.IGNORECASE)[0]  # fmt: skip
        drop = {"fewer", "less", "more", *words.FREQUENT}
        parts = [w for w in head.split(" ") if fold(w) not in drop]
        return bare(" ".join(parts[-4:]))

    def _the(self, head: str, text: str) -> str:
        if not head:
            return ""
        owned = re.match(r"(?:our|my|your|their|all|every|each|its|the|this|these)\b",
                         fold(head))  # fmt: skip
        proper = head[:1].isupper() and not words.ARTICLE.match(text)
        bare_plural = forms.plural(head) and not words.ARTICLE.match(text)
        mass = not words.ARTICLE.match(text) and fold(head).endswith(("ing", "mode"))
        if owned or proper or bare_plural or mass:
            return small(head) if not proper else head
        return f"the {head}"

    def _noun_criteria(self, ask: Ask, condition: str) -> list[str]:
        text, tail = ask.text, ""
        if _STATEMENT.match(fold(text)):
            return [self._conditioned(text, condition)]
        reduced = words.REDUCED.search(fold(text))
        if reduced is not None and reduced.start() > 3:
            text, tail = text[: reduced.start()], text[reduced.end() :]
        pieces = words.SEGMENT.split(text)
        head = self._head(pieces[0])
        noun = fold(head).split(" ")[-1] if head else ""
        of_part = re.search(r" of .+", pieces[0])
        ref = self._the(head, text) + (of_part[0] if of_part else "")
        lines: list[str] = []
        if condition:
            be = "are" if forms.plural(noun) else "is"
            done = f"{be} sent" if noun in words.SENT else f"{be} in place"
            if noun.endswith(words.ACTION_ENDS) and noun not in words.SENT:
                done = "take place" if be == "are" else "takes place"
            lines.append(self._conditioned(f"{text} {done}", condition))
        lines += self._frequency_lines(text, ref, noun)
        if tail and ref:
            lines.append(f"{ref} {forms.conjugate('be', noun)} {tail}")
        for piece in pieces[1:]:
            line = self._segment_line(piece, ref, self._the(head, text), noun)
            if line:
                lines.append(line)
        if ask.audience:
            lines.append(self._usable(small(ask.audience), text, ref))
        if not lines and words.COMPARATIVE.match(text):
            lines = [f"there {forms.conjugate('be', noun)} {text}"]
        if not lines:
            whole = self._the(_no_article(text), text)
            lines = [f"{whole} {forms.conjugate('be', text)} in place"]
        return lines

    def _usable(self, people: str, text: str, ref: str) -> str:
        subject = words.SUBJECT.get(fold(people), people)
        return f"{subject} can use {ref or text}"

    def _frequency_lines(self, text: str, ref: str, noun: str) -> list[str]:
        folded = fold(text)
        when = [said for word, said in words.FREQUENT.items()
                if re.search(rf"\b{word}\b", folded)]  # fmt: skip
        spoken = words.FREQUENCY.search(folded)
        if spoken is not None:
            when = [text[spoken.start() : spoken.end()]]
        if not when or not ref:
            return []
        many = forms.plural(noun)
        verb = ("are sent" if many else "is sent") if noun in words.SENT else (
            ("run" if many else "runs") if noun in words.RUNS else
            ("are produced" if many else "is produced"))  # fmt: skip
        return [f"{ref} {verb} {when[0]}"]

    def _segment_line(self, piece: str, ref: str, the: str, noun: str) -> str:
        word, _, rest = piece.partition(" ")
        word = fold(word)
        many = forms.plural(noun)
        be = "are" if many else "is"
        if words.FREQUENCY.match(fold(piece)) or not rest:
            return ""
        if word in {"that", "which"}:
            # After "of" it speaks of the complement, not of the head noun.
            return "" if " of " in ref else f"{the} {rest}"
        if word in {"showing", "containing", "using"}:
            verb = forms.conjugate(word[:-3] if word != "using" else "use", noun)
            return f"{the} {verb} {rest}"
        if word == "for" and words.PEOPLE.match(fold(rest)):
            return self._usable(rest, ref, ref)
        if word == "for":
            return f"{ref} {be} available for {rest}"
        if word in {"to", "into", "onto"} and noun in words.DELIVERED:
            return f"{ref} {be} delivered to {rest}"
        if word in {"within", "under", "below"}:
            return f"{the} {'stay' if many else 'stays'} {piece}"
        if word in {"before", "by", "until"} and re.search(
            r"\b(?:\d|end of|next|summer|winter|spring|autumn|[a-z]+day|january"
            r"|february"
            r"|march|april|june|july|august|september|october|november|december|q[1-4]"
            r"|christmas|year|month|week|tomorrow|tonight)", fold(rest)):  # fmt: skip
            return f"{ref} {be} in place {piece}"
        if word == "at" and noun in words.SENT:
            return f"{the} {be} sent {piece}"
        if word in {"in", "on", "at"}:
            return f"{the} {be} available {piece}"
        if word == "with":
            return f"{the} {'come' if many else 'comes'} with {rest}"
        return ""
