"""Commands made from the grammar: politeness, act, object, in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

MISSION = frozenset({"mission_create"})
TASK = frozenset({"task_create", "mission_add_task"})
DECISION = frozenset({"decision_create"})


@dataclass(frozen=True, slots=True)
class Generated:
    """A command, its tools, and the same order negated."""

    text: str
    tools: frozenset[str]
    negated: str

    @property
    def is_bare(self) -> bool:
        """Say whether it is one sentence with nothing said before the order."""
        return ". " not in self.text and ", so please" not in self.text


_EN_ACTS = ("create", "add", "open", "make")
_EN_OBJECTS = {
    "a mission called 'Attic'": MISSION,
    "a new mission for the attic": MISSION,
    "an urgent mission to clear the attic": MISSION,
    "a task for the movers": TASK,
    "a task to that mission: call the movers": TASK,
    "two tasks under the Attic mission": TASK,
}
_EN_LOGGED = {
    "a decision about the attic": DECISION,
    "a decision request on the attic": DECISION,
}
_EN_FORMS = (
    "{} {}.",
    "Please {} {}.",
    "{} {}, please.",
    "Could you {} {}?",
    "can you please {} {}",
    "I want you to {} {} now.",
    "I'd like you to {} {}.",
    "Go ahead and {} {}.",
    "Thanks, that helps. Now {} {}.",
    "Hello team! First, thanks. Second, {} {}.",
    "The survey is in, so please {} {}.",
)
_FR_ACTS = {
    "créer": ("crée", "créez", "crées"),
    "ajouter": ("ajoute", "ajoutez", "ajoutes"),
    "ouvrir": ("ouvre", "ouvrez", "ouvres"),
}
_FR_OBJECTS = {
    "une mission « Grenier »": MISSION,
    "une nouvelle mission pour le grenier": MISSION,
    "une tâche pour les déménageurs": TASK,
    "deux tâches à la mission Grenier": TASK,
    "une décision sur le grenier": DECISION,
    "une demande de décision : garde-t-on le grenier": DECISION,
}
_FR_FORMS = (
    "{tu} {}.",
    "{vous} {}, s'il vous plaît.",
    "Veuillez {inf} {}.",
    "Peux-tu {inf} {} ?",
    "pourriez vous {inf} {}",
    "Je veux que tu {sub} {}.",
    "Merci, c'est clair. Maintenant {tu} {}.",
    "Vas-y, {tu} {}.",
    "{inf} {}",
)


def _english() -> list[Generated]:
    made = []
    objects = [(act, *pair) for act in _EN_ACTS for pair in _EN_OBJECTS.items()]
    logged = ("create", "open", "log", "raise")
    objects += [(act, *pair) for act in logged for pair in _EN_LOGGED.items()]
    for (act, what, tools), form in product(objects, _EN_FORMS):
        text = form.format(act, what)
        negated = f"Don't {act} {what}."
        made.append(Generated(text[0].upper() + text[1:], tools, negated))
    return made


def _french() -> list[Generated]:
    made = []
    for (infinitive, forms), (what, tools), form in product(
        _FR_ACTS.items(), _FR_OBJECTS.items(), _FR_FORMS
    ):
        tu, vous, subjunctive = forms
        text = form.format(what, inf=infinitive, tu=tu, vous=vous, sub=subjunctive)
        not_ = "N'" if tu[0] in "ao" else "Ne "
        negated = f"{not_}{tu} pas {what}."
        made.append(Generated(text[0].upper() + text[1:], tools, negated))
    return made


COMMANDS: list[Generated] = [*_english(), *_french()]
