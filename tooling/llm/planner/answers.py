"""What the planner says, in English and French."""

from __future__ import annotations

import json
import re
from typing import Any

from tooling.llm.planner.revise import CREATE, PROPOSE
from tooling.llm.planner.wording import cut, squash

MAX_LISTED = 20
_TEXTS = {
    "en": {
        "queued": "I have put “{}” into the Decisions queue; nothing is created until a"
        " person approves it.",
        "queued_many": "I have put these into the Decisions queue; nothing is created"
        " until a person approves them:",
        "created": "I have created the Mission “{}”, as you ordered.",
        "refused": "That was refused: {}",
        "order": "I cannot carry out that order: I am a set of rules, and the only row"
        " that I make by order is a Mission. Do it on its page, connect a real model,"
        " or say “propose it” and I put it into the Decisions queue.",
        "unnamed": "Which Mission? Tell me in the same sentence what it is called or"
        " what it is for.",
        "instead": "Say “propose it” and I put it into the Decisions queue instead.",
        "failed": "That did not work: {}",
        "off": "I may not raise a proposal here, because this deployment's write switch"
        " is off. Your idea was kept as a suggestion, so that a person can take it up.",
        "about": "I am the offline planner: a small set of rules that stands in for a"
        " language model, not a model. Tell me what you need in a sentence or two and I"
        " draw up a proposal for the Decisions queue; ask me about missions, tasks,"
        " decisions, suggestions or costs and I look them up. A real model can be"
        " connected on the model set-up page.",
        "how": "In short: describe what you need, and it becomes a proposal in the"
        " Decisions queue. A person approves it, asks for changes or rejects it; only"
        " an"
        " approval creates the mission. I am the offline planner, a set of rules and"
        " not"
        " a language model; a real model can be connected on the model set-up page.",
        "unknown": "I cannot look that up: no tool that I am served covers it. I am the"
        " offline planner, a set of rules and not a language model; a real model can be"
        " connected on the model set-up page.",
        "held": "Understood: I have proposed nothing. Tell me when you want something"
        " put forward.",
        "offer": "I am not sure whether you ask for something to be done. Say “propose"
        " it” and I put your message forward as it stands, or tell me what you need. I"
        " am the offline planner, a set of rules and not a language model; a real model"
        " can be connected on the model set-up page.",
        "decide": "Only a person decides, on the Decisions page: there a proposal is"
        " approved, sent back or rejected. I can do none of these. Tell me what you"
        " need, and I draw up a proposal.",
        "welcome": "You are welcome. I am the offline planner, rule-based and not a"
        " language model: tell me what you need and I draw up a proposal, or ask about"
        " missions, tasks, decisions and costs. A real model can be connected on the"
        " model set-up page.",
        "none": "There are none: {}.",
        "found": "{} found ({}):",
        "more": "… and {} more.",
        "is": "Here is what I found ({}):",
        "empty": "The answer was empty.",
        "cost_conversation": "This conversation has cost ${} so far: {} model calls, {}"
        " tokens read and {} written.",
        "cost_team": "The whole team: ${}, {} calls, {} tokens read and {} written.",
        "cost_unpriced": "The price of {} calls is not known.",
    },
    "fr": {
        "queued": "J'ai déposé « {} » dans la file des décisions ; rien n'est créé tant"
        " qu'une personne ne l'a pas approuvé.",
        "queued_many": "J'ai déposé ceci dans la file des décisions ; rien n'est créé"
        " tant qu'une personne ne l'a pas approuvé :",
        "created": "J'ai créé la mission « {} », comme vous l'avez ordonné.",
        "refused": "Refusé : {}",
        "order": "Je ne peux pas exécuter cet ordre : je suis un jeu de règles, et je"
        " ne crée sur ordre que des missions. Faites-le sur sa page, connectez un vrai"
        " modèle, ou dites « propose-la » et je la dépose dans la file des décisions.",
        "unnamed": "Quelle mission ? Dites-moi dans la même phrase son nom ou son"
        " objet.",
        "instead": "Dites « propose-la » et je la dépose plutôt dans la file des"
        " décisions.",
        "failed": "Cela n'a pas abouti : {}",
        "off": "Je ne peux pas déposer de proposition ici, car l'écriture est"
        " désactivée"
        " sur ce déploiement. Votre idée a été conservée comme suggestion, pour qu'une"
        " personne puisse la reprendre.",
        "about": "Je suis le planificateur hors ligne : un petit jeu de règles qui"
        " tient"
        " lieu de modèle de langage, sans en être un. Dites-moi en une phrase ou deux"
        " ce"
        " qu'il vous faut et je prépare une proposition pour la file des décisions ;"
        " interrogez-moi sur les missions, les tâches, les décisions, les suggestions"
        " ou"
        " les coûts et je les consulte. Un vrai modèle se connecte sur la page de"
        " configuration du modèle.",
        "how": "En bref : décrivez ce qu'il vous faut, cela devient une proposition"
        " dans"
        " la file des décisions. Une personne l'approuve, demande des modifications ou"
        " la rejette ; seule une approbation crée la mission. Je suis le planificateur"
        " hors ligne, un jeu de règles et non un modèle de langage ; un vrai modèle se"
        " connecte sur la page de configuration du modèle.",
        "unknown": "Je ne peux pas consulter cela : aucun des outils dont je dispose ne"
        " le couvre. Je suis le planificateur hors ligne, un jeu de règles et non un"
        " modèle de langage ; un vrai modèle se connecte sur la page de configuration"
        " du modèle.",
        "held": "Entendu : je n'ai rien proposé. Dites-moi quand vous voudrez déposer"
        " quelque chose.",
        "offer": "Je ne suis pas sûr que vous demandiez quelque chose. Dites"
        " « propose-le » et je dépose votre message tel quel, ou dites-moi ce qu'il"
        " vous faut. Je suis le planificateur hors ligne, un jeu de règles et non un"
        " modèle de langage ; un vrai modèle se connecte sur la page de configuration"
        " du modèle.",
        "decide": "Seule une personne décide, sur la page des décisions : c'est là"
        " qu'une proposition est approuvée, renvoyée ou rejetée. Je ne peux rien de"
        " tout cela. Dites-moi ce qu'il vous faut et je prépare une proposition.",
        "welcome": "Je vous en prie. Je suis le planificateur hors ligne, à base de"
        " règles et non un modèle de langage : dites-moi ce qu'il vous faut et je"
        " prépare"
        " une proposition, ou interrogez-moi sur les missions, les tâches, les"
        " décisions"
        " et les coûts. Un vrai modèle se connecte sur la page de configuration du"
        " modèle.",
        "none": "Il n'y a rien dans les {}.",
        "found": "Voici les {1} ({0}) :",
        "more": "… et {} de plus.",
        "is": "Voici ce que j'ai trouvé ({}) :",
        "empty": "La réponse est vide.",
        "cost_conversation": "Cette conversation a coûté {} $ jusqu'ici (appels au"
        " modèle : {} ; jetons lus : {} ; jetons écrits : {}).",
        "cost_team": "Toute l'équipe : {} $ (appels : {} ; jetons lus : {} ; jetons"
        " écrits : {}).",
        "cost_unpriced": "Appels dont le prix n'est pas connu : {}.",
    },
}
_NAMES = {
    "en": {
        "mission": "missions", "task": "tasks", "decision": "decisions",
        "cost": "costs", "workflow": "workflows", "conversation": "conversations",
        "suggestion": "suggestions", "system": "status",
    },
    "fr": {
        "mission": "missions", "task": "tâches", "decision": "décisions",
        "cost": "coûts", "workflow": "workflows", "conversation": "conversations",
        "suggestion": "suggestions", "system": "état",
    },
}  # fmt: skip
_STATUSES_FR = {
    "open": "ouverte", "completed": "terminée", "pending": "en attente",
    "ready": "prête", "running": "en cours", "failed": "échec",
    "cancelled": "annulée", "todo": "à faire", "blocked": "bloquée",
    "awaiting_decision": "en attente de décision", "approved": "approuvée",
    "changes_requested": "modifications demandées", "rejected": "rejetée",
    "expired": "expirée", "withdrawn": "retirée", "superseded": "remplacée",
    "draft": "brouillon", "placeholder": "provisoire", "published": "publié",
    "dismissed": "écartée", "converted": "transformée en proposition",
}  # fmt: skip


def say(key: str, language: str, *values: object) -> str:
    """Return one of the planner's own sentences."""
    if language == "fr":
        return _typeset(_TEXTS["fr"][key]).format(*values)
    return _TEXTS["en"][key].format(*values)


def _typeset(text: str) -> str:
    """Return a French sentence with its apostrophes and no-break spaces."""
    text = re.sub(r" (?=[:;?!»$])|(?<=«) ", "\u00a0", text)
    return text.replace("'", "’")


def answer_results(results: list[tuple[str, str]], language: str) -> str:
    """Return the closing answer to tool results: (tool name, result text)."""
    queued: list[str] = []
    lines: list[str] = []
    for name, text in results:
        data = _parse(text)
        title = _queued_title(name, data)
        if title is not None:
            queued.append(title)
            continue
        lines.append(_answer_one(name, data, text, language))
    if len(queued) == 1:
        lines.insert(0, say("queued", language, queued[0]))
    elif queued:
        listed = "\n".join(f"- {title}" for title in queued)
        lines.insert(0, f"{say('queued_many', language)}\n{listed}")
    return "\n\n".join(lines) or say("empty", language)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _queued_title(name: str, data: Any) -> str | None:
    if name != PROPOSE or not isinstance(data, dict) or _refusal(data):
        return None
    if data.get("status") != "awaiting_decision":
        return None
    return _line(data.get("title") or "…")


def _refusal(data: dict[str, Any]) -> bool:
    return bool(data.get("refused")) or "error" in data


def _answer_one(name: str, data: Any, text: str, language: str) -> str:
    kind = _NAMES["fr" if language == "fr" else "en"].get(name.split("_")[0], name)
    if isinstance(data, dict) and _refusal(data):
        key = "refused" if data.get("refused") else "failed"
        error = data.get("message") or data.get("error") or data.get("gate")
        if isinstance(error, dict):
            error = error.get("message") or error.get("code")
        said = say(key, language, _line(error or "?"))
        instead = name == CREATE and data.get("refused")
        return f"{said} {say('instead', language)}" if instead else said
    if name == CREATE and isinstance(data, dict) and data.get("title"):
        return say("created", language, _line(data["title"]))
    if name == "cost_summary" and isinstance(data, dict):
        return _costs(data, language)
    items = data.get("items") if isinstance(data, dict) else data
    if isinstance(items, list):
        total = data.get("total") if isinstance(data, dict) else None
        return _listing(items, total, kind, language)
    if isinstance(data, dict):
        return _record(data, kind, language)
    if not text.strip():
        return say("empty", language)
    return f"{say('is', language, kind)}\n{cut(squash(text), 1_000)}"


def _costs(data: dict[str, Any], language: str) -> str:
    lines = []
    for key in ("conversation", "team"):
        sums = data.get(key)
        if not isinstance(sums, dict):
            continue
        usd, calls = str(sums.get("usd")), sums.get("calls")
        if language == "fr":
            usd = usd.replace(".", ",")
        read, written = sums.get("input_tokens"), sums.get("output_tokens")
        line = say(f"cost_{key}", language, usd, calls, read, written)
        if sums.get("unpriced_calls"):
            line += " " + say("cost_unpriced", language, sums["unpriced_calls"])
        lines.append(line)
    return "\n".join(lines) or _record(data, "cost", language)


def _listing(items: list[Any], total: Any, kind: str, language: str) -> str:
    count = total if isinstance(total, int) and total >= len(items) else len(items)
    if not items:
        return say("none", language, kind)
    lines = [say("found", language, count, kind)]
    lines += [f"- {_item(item, language)}" for item in items[:MAX_LISTED]]
    if count > min(len(items), MAX_LISTED):
        lines.append(say("more", language, count - min(len(items), MAX_LISTED)))
    return "\n".join(lines)


def _item(item: Any, language: str) -> str:
    if not isinstance(item, dict):
        return _line(item)
    name = next((item[k] for k in ("title", "name", "text", "excerpt", "summary")
                 if item.get(k)), item.get("id", "?"))  # fmt: skip
    parts = [_line(name)]
    if item.get("status"):
        status = _line(item["status"])
        known = _STATUSES_FR.get(status) if language == "fr" else None
        parts.append(known or status.replace("_", " "))
    return " — ".join(parts)


def _record(data: dict[str, Any], kind: str, language: str) -> str:
    lines = [say("is", language, kind)]
    for key, value in list(data.items())[:MAX_LISTED]:
        if isinstance(value, list):
            value = ", ".join(_item(one, language) for one in value[:8]) or "0"
        elif isinstance(value, dict):
            value = ", ".join(f"{k}: {_line(v)}" for k, v in list(value.items())[:8])
        if value is not None and value != "":
            lines.append(f"- {str(key).replace('_', ' ')}: {_line(value)}")
    return "\n".join(lines) if len(lines) > 1 else say("empty", language)


def _line(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return cut(squash(text), 300)
