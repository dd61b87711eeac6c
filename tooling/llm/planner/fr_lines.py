"""Writes titles, tasks and criteria of a French request."""

from __future__ import annotations

import re
from dataclasses import replace

from tooling.intent.cleaning import fold
from tooling.llm.planner import fr_forms as forms
from tooling.llm.planner import fr_words as words
from tooling.llm.planner.model import Ask, Kind, Mood
from tooling.llm.planner.wording import bare, capital, sentence, small


def _plain(text: str) -> str:
    """Return a phrase without its adjectives of frequency."""
    for pattern, _said in words.FREQUENT:
        text = re.sub(rf" {pattern}\b", "", text)
    return bare(text)


class FrenchLines:
    """French wording of asks. Every content word comes from the ask."""

    def reference(self, ask: Ask) -> str:
        """Return how later sentences speak of the ask: "l'export"."""
        if ask.kind is Kind.CLAUSE:
            return ask.subject
        if ask.kind is Kind.PLAIN:
            return ""
        text = ask.text
        if ask.kind is Kind.VERB:
            text = forms.split_object(text)[1]
        if ask.kind is Kind.FAULT:
            found = words.FAULT_VERB.search(fold(text) + " ")
            return small(text[: found.start()]) if found and found.start() > 2 else ""
        if not text or fold(text) in words.PRONOUNS:
            return ""
        noun = self._noun(text)
        return forms.definite(noun, self._agree(text, noun))

    def _agree(self, text: str, noun: str) -> str:
        """Return what tells gender and number: the phrase with its article."""
        parts = forms.words_of(text)
        if parts and parts[0] in {"un", "une", "le", "la", "les", "des", "du", "de"}:
            return text
        return noun

    def _noun(self, text: str) -> str:
        body = forms.strip_article(text)
        found = words.COMPOUND.match(body)
        return bare(found[0]) if found else ""

    def title(self, ask: Ask) -> str:
        """Return an infinitive or a noun phrase without article."""
        if ask.kind is Kind.NOUN:
            text = forms.strip_article(ask.text)
            if ask.audience:
                text = f"{text} pour {small(ask.audience)}"
            return capital(text)
        if ask.kind in {Kind.VERB, Kind.PLAIN}:
            return capital(ask.text)
        if ask.kind is Kind.FAULT:
            return self._fault_title(ask.text)
        return self._clause_title(ask)

    def topic(self, text: str) -> str:
        """Return what a sentence speaks of, "" where it does not tell."""
        folded = fold(text)
        owned = re.match(
            r"(?:nous avons|on a|il y a) (?:trop de |beaucoup de |plusieurs |des )",
            folded,
        )
        if owned is not None:
            return "les " + text[owned.end() :].split(",")[0].strip(" .!?")
        found = re.match(r"(?:les|nos|ces) [a-z' ]{2,50}?(?= [a-z]{3,}ent\b)", folded)
        found = found or re.match(
            r"(?:le|la|l'|notre) ?[a-z' ]{2,50}?(?= (?:est|a|ne|n'|arrive|met"
            r"|prend)\b)",
            folded,
        )
        return small(text[: found.end()]) if found else ""

    def _fault_title(self, text: str) -> str:
        slow = re.fullmatch(
            r"(.{3,60}?) (?:est|sont) (?:beaucoup |bien |vraiment )?(?:trop |tres |si"
            r" )?"
            r"lente?s?", fold(text))  # fmt: skip
        if slow is not None:
            return f"Accélérer {small(text[: slow.end(1)])}"
        return capital(text)

    def _clause_title(self, ask: Ask) -> str:
        subject, rest = small(ask.subject), ask.text
        many = forms.plural(subject)
        if ask.mood is Mood.CAN:
            de = "d'" if fold(ask.verb)[:1] in "aeiouh" else "de "
            return bare(f"Permettre {forms.after_to(subject)} {de}{ask.verb} {rest}")
        gets = ask.verb in {"avoir", "recevoir", "disposer", "obtenir"}
        if gets and ask.mood is Mood.DOES and forms.ARTICLE.match(rest):
            return capital(f"{forms.strip_article(rest)} pour {subject}")
        verb = forms.present(ask.verb, many, subjunctive=True)
        que = "qu'" if fold(subject)[:1] in "aeiou" else "que "
        if ask.mood is Mood.NOT:
            ne = "n'" if fold(verb or ask.verb)[:1] in "aeiouh" else "ne "
            return bare(
                f"Faire en sorte {que}{subject} {ne}{verb or ask.verb} pas {rest}"
            )
        if not verb:
            modal = "doivent" if many else "doit"
            return capital(bare(f"{subject} {modal} {ask.verb} {rest}"))
        return bare(f"Faire en sorte {que}{subject} {verb} {rest}")

    def task(self, ask: Ask, about: str) -> str:
        """Return the ask as a task; `about` is what "il" stands for."""
        title = self.title(ask)
        if ask.kind is Kind.NOUN and words.COMPARATIVE.match(fold(ask.text)):
            title = f"Obtenir {small(ask.text)}"
        elif ask.kind is Kind.CLAUSE and title.endswith(f"pour {small(ask.subject)}"):
            title = f"Mettre en place {ask.text} pour {small(ask.subject)}"
        elif ask.kind is Kind.NOUN:
            verb = "Prévoir" if ask.after else "Mettre en place"
            title = f"{verb} {self._with_article(ask.text)}"
            if ask.audience:
                title += f" pour {small(ask.audience)}"
        if ask.condition:
            title = f"{title} {self._condition(ask, about)}"
        return title if ask.first else self.resolve(title, about)

    def _with_article(self, text: str) -> str:
        if forms.ARTICLE.match(text) or not re.match(r"\w", text):
            return small(text)
        first = fold(text).split(" ", 1)[0]
        if first[:1].isdigit() or first in {
            "nos",
            "notre",
            "deux",
            "trois",
            "plusieurs",
            "quelques",
            "ce",
        }:
            return small(text)
        noun = self._noun(text)
        article = (
            "des" if forms.plural(noun) else "une" if forms.feminine(noun) else "un"
        )
        return f"{article} {small(text)}"

    def _condition(self, ask: Ask, about: str) -> str:
        condition = self.resolve(small(ask.condition), about)
        vague = re.fullmatch(r"en cas d(?:e |')\w+", fold(condition))
        if vague and about:
            return f"{condition} {forms.after_of(about)}"
        return condition

    def resolve(self, text: str, about: str) -> str:
        """Put `about` in the place of a pronoun."""
        if not about or fold(about) in words.PRONOUNS:
            return text
        many = forms.plural(about)
        pronoun = (
            r"(?:ils|elles|ceux-ci|celles-ci)"
            if many
            else r"(?:il|elle|celui-ci|celle-ci)"
        )
        guard = r"(?!-| y a| faut| est possible| serait| arrive que)"
        found = re.search(
            rf"\b(s['’]|qu['’])?({pronoun})\b{guard}", text, re.IGNORECASE
        )
        if found is None:
            return text
        lead = {"s": "si ", "q": "que "}.get((found[1] or "")[:1].lower(), "")
        return text[: found.start()] + lead + about + text[found.end() :]

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
            line = self._mended(plain.text) or f"ceci n'arrive plus : {small(ask.text)}"
            lines = [self._conditioned(line, condition)]
        known = "" if ask.first else about
        return [sentence(self.resolve(line, known)) for line in lines if line]

    def _conditioned(self, line: str, condition: str, named: bool = False) -> str:
        if not condition or not line:
            return line
        return f"{capital(condition)}, {line if named else small(line)}"

    def _clause_line(self, ask: Ask) -> str:
        subject, many = ask.subject, forms.plural(ask.subject)
        if ask.mood is Mood.CAN:
            can = "peuvent" if many else "peut"
            return bare(f"{subject} {can} {ask.verb} {ask.text}")
        verb = forms.present(ask.verb, many)
        if not verb:
            modal = "doivent" if many else "doit"
            return bare(f"{subject} {modal} {ask.verb} {ask.text}")
        if ask.mood is Mood.NOT:
            ne = "n'" if fold(verb)[:1] in "aeiouh" else "ne "
            return bare(f"{subject} {ne}{verb} pas {ask.text}")
        return bare(f"{subject} {verb} {ask.text}")

    def _mended(self, text: str) -> str:
        since = re.search(r",? (?:depuis|ces derniers|en ce moment)\b.*$", fold(text))
        text = text[: since.start()] if since and since.start() > 8 else text
        folded = fold(text)
        found = re.search(
            r" ((?:est|sont|plant\w+|bug\w*|bogue|rame\w*|echoue\w*|disparai\w+"
            r"|tombe\w*"
            r"|met|mettent|prend|prennent|perd|perdent|ralenti\w+|se \w+|reste\w*"
            r"|freeze)\b)", folded)  # fmt: skip
        if found is None:
            return ""
        verb = text[found.start(1) : found.end(1)]
        reflexive = verb.lower().startswith("se ")
        verb = verb[3:] if reflexive else verb
        ne = "n'" if fold(verb)[:1] in "aeiouh" else "ne "
        ne = "ne se " if reflexive else ne
        return bare(f"{text[: found.start()]} {ne}{verb} plus{text[found.end() :]}")

    def _verb_criteria(self, text: str, condition: str) -> list[str]:
        lead = re.match(
            r"(?:s'assurer|assurer|garantir|verifier|faire en sorte) (?:que |qu')",
            fold(text),
        )
        if lead is not None:
            return [self._conditioned(text[lead.end() :], condition)]
        thing = forms.split_object(text)[1]
        relative = re.search(r" qui (?=\w)", thing + " " + forms.split_object(text)[2])
        noun = self._noun(thing) if thing else ""
        makes = forms.makes(text)
        if makes and relative is not None and noun and text.count(" qui ") == 1:
            ref = forms.definite(noun, self._agree(thing, noun))
            return [self._conditioned(f"{ref} {text.split(' qui ', 1)[1]}", condition)]
        line = forms.passive(text)
        if not line:
            return [
                self._conditioned(f"l'objectif est atteint : {small(text)}", condition)
            ]
        # The first word stood within the sentence: a capital of its own stays.
        return [self._conditioned(line, condition, named=True)]

    def _noun_criteria(self, ask: Ask, condition: str) -> list[str]:
        text, tail = ask.text, ""
        for reduced in words.REDUCED.finditer(fold(text)):
            # Without its accent "partage" is a noun as well.
            word = text[reduced.end() :].split(" ", 1)[0]
            noun_like = word.isascii() and word.endswith("e") and "," not in reduced[0]
            if reduced.start() > 3 and not (noun_like and not word.endswith("le")):
                text, tail = text[: reduced.start()], text[reduced.end() :]
                break
        pieces = words.SEGMENT.split(text)
        noun = self._noun(pieces[0])
        like = self._agree(text, noun)
        the = forms.definite(noun, like)
        ref = forms.definite(_plain(forms.strip_article(pieces[0])), like)
        lines: list[str] = []
        if condition:
            lines.append(self._conditioned(self._happens(text, like, noun), condition))
        lines += self._frequency_lines(
            text, ref, fold(noun).split(" ")[0], forms.plural(like)
        )
        if tail and ref:
            lines.append(f"{ref} {'sont' if forms.plural(like) else 'est'} {tail}")
        for piece in pieces[1:]:
            line = self._segment_line(
                piece, ref, the, fold(noun).split(" ")[0], forms.plural(like)
            )
            if line:
                lines.append(line)
        if ask.audience:
            lines.append(self._usable(small(ask.audience), ref))
        if not lines and words.COMPARATIVE.match(fold(text)):
            lines = [f"il y a {text}"]
        if not lines and noun:
            be = "sont" if forms.plural(like) else "est"
            own = re.match(r"(?:les?|la) |l['’]", text, re.IGNORECASE)
            whole = text if own else forms.definite(forms.strip_article(text), like)
            lines = [f"{whole} {be} en place"]
        return lines

    def _happens(self, text: str, like: str, noun: str) -> str:
        phrase = self._with_article(text)
        if fold(noun) in words.SENT:
            done = forms.participle("envoyer", self._with_article(like))
            return f"{phrase} {'sont' if forms.plural(phrase) else 'est'} {done}"
        many = forms.plural(phrase)
        if fold(noun).endswith(("tion", "sion", "ment", "age", "relance", "reprise")):
            return f"{phrase} {'ont' if many else 'a'} lieu"
        return f"{phrase} {'sont' if many else 'est'} en place"

    def _usable(self, people: str, ref: str) -> str:
        if fold(people) == "nous":
            return f"nous pouvons utiliser {ref}"
        can = "peuvent" if forms.plural(people) else "peut"
        return f"{people} {can} utiliser {ref}"

    def _frequency_lines(self, text: str, ref: str, noun: str, many: bool) -> list[str]:
        folded = fold(text)
        when = [said for pattern, said in words.FREQUENT
                if re.search(rf"\b{pattern}\b", folded)]  # fmt: skip
        spoken = words.FREQUENCY.search(folded)
        if spoken is not None:
            when = [text[spoken.start() : spoken.end()]]
        if not when or not ref:
            return []
        verb = ("partent" if many else "part") if noun in words.SENT else (
            ("tournent" if many else "tourne") if noun in words.RUNS else
            ("ont lieu" if many else "a lieu") 
            if noun in words.HELD or noun.endswith(words.ACTS) else
            ("paraissent" if many else "paraît"))  # fmt: skip
        return [f"{ref} {verb} {when[0]}"]

    def _segment_line(
        self, piece: str, ref: str, the: str, noun: str, many: bool
    ) -> str:
        # "who" after a complement speaks of the complement, not of the noun.
        far = re.search(r" (?:de|des|du) ", ref[len(the) :]) is not None
        word, _, rest = piece.partition(" ")
        word = word.lower()
        if words.FREQUENCY.match(fold(piece)) or not rest:
            return ""
        if word == "qui":
            return "" if far else f"{the} {rest}"
        if word in {"montrant", "affichant", "contenant"}:
            verbs = {"montrant": "montrer", "affichant": "afficher"}
            return f"{the} {forms.present(verbs.get(word, 'contenir'), many)} {rest}"
        if word == "pour" and forms.is_infinitive(rest.split(" ")[0]):
            de = "d'" if fold(rest)[:1] in "aeiouh" else "de "
            return f"{ref} {'permettent' if many else 'permet'} {de}{rest}"
        if word == "pour" and words.PEOPLE.fullmatch(fold(rest)):
            return self._usable(rest, ref)
        if word == "pour":
            be = "sont disponibles" if many else "est disponible"
            return f"{ref} {be} {piece}"
        if word == "vers":
            return f"{ref} {'alimentent' if many else 'alimente'} {rest}"
        if word in {"avant", "d'ici", "jusqu'à"} and words.DATE.match(fold(rest)):
            return f"{ref} {'sont' if many else 'est'} en place {piece}"
        if word in {"à", "au", "aux"} and words.PEOPLE.fullmatch(fold(rest)):
            return f"{ref} {'parviennent' if many else 'parvient'} {piece}"
        if word in {"dans", "sur", "chez"}:
            be = "sont disponibles" if many else "est disponible"
            return f"{ref} {be} {piece}"
        if word == "avec":
            return f"{the} {'comportent' if many else 'comporte'} {rest}"
        return ""
