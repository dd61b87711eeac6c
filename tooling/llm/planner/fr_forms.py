"""Forms of French words: gender, number, contraction, participle, present."""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold
from tooling.intent.lexicon import FR_ACTS
from tooling.llm.planner.fr_words import FEMININE, FEMININE_ENDS, MASCULINE, bound
from tooling.llm.planner.wording import small

# Infinitive, then present and subjunctive (singular, plural), then the participle.
_VERBS = """
avoir a ont ait aient eu
être est sont soit soient été
faire fait font fasse fassent fait
pouvoir peut peuvent puisse puissent pu
devoir doit doivent doive doivent dû
recevoir reçoit reçoivent reçoive reçoivent reçu
contenir contient contiennent contienne contiennent contenu
tenir tient tiennent tienne tiennent tenu
obtenir obtient obtiennent obtienne obtiennent obtenu
prévenir prévient préviennent prévienne préviennent prévenu
venir vient viennent vienne viennent venu
répondre répond répondent réponde répondent répondu
rendre rend rendent rende rendent rendu
étendre étend étendent étende étendent étendu
suspendre suspend suspendent suspende suspendent suspendu
prendre prend prennent prenne prennent pris
comprendre comprend comprennent comprenne comprennent compris
apparaître apparaît apparaissent apparaisse apparaissent apparu
disparaître disparaît disparaissent disparaisse disparaissent disparu
connaître connaît connaissent connaisse connaissent connu
savoir sait savent sache sachent su
voir voit voient voie voient vu
prévoir prévoit prévoient prévoie prévoient prévu
revoir revoit revoient revoie revoient revu
mettre met mettent mette mettent mis
remettre remet remettent remette remettent remis
permettre permet permettent permette permettent permis
transmettre transmet transmettent transmette transmettent transmis
écrire écrit écrivent écrive écrivent écrit
inscrire inscrit inscrivent inscrive inscrivent inscrit
réécrire réécrit réécrivent réécrive réécrivent réécrit
construire construit construisent construise construisent construit
reconstruire reconstruit reconstruisent reconstruise reconstruisent reconstruit
réduire réduit réduisent réduise réduisent réduit
produire produit produisent produise produisent produit
introduire introduit introduisent introduise introduisent introduit
traduire traduit traduisent traduise traduisent traduit
suivre suit suivent suive suivent suivi
partir part partent parte partent parti
sortir sort sortent sorte sortent sorti
ouvrir ouvre ouvrent ouvre ouvrent ouvert
offrir offre offrent offre offrent offert
inclure inclut incluent inclue incluent inclus
exclure exclut excluent exclue excluent exclu
aller va vont aille aillent allé
lire lit lisent lise lisent lu
dire dit disent dise disent dit
durer dure durent dure durent duré
finir finit finissent finisse finissent fini
réussir réussit réussissent réussisse réussissent réussi
définir définit définissent définisse définissent défini
fournir fournit fournissent fournisse fournissent fourni
choisir choisit choisissent choisisse choisissent choisi
avertir avertit avertissent avertisse avertissent averti
établir établit établissent établisse établissent établi
envoyer envoie envoient envoie envoient envoyé
concevoir conçoit conçoivent conçoive conçoivent conçu
recueillir recueille recueillent recueille recueillent recueilli
attendre attend attendent attende attendent attendu
perdre perd perdent perde perdent perdu
"""
_TABLE = {row.split()[0]: row.split()[1:] for row in _VERBS.strip().splitlines()}
_BY_FORM: dict[str, str] = {}
for _infinitive, _forms in _TABLE.items():
    for _form in (_infinitive, *_forms[:4]):
        _BY_FORM.setdefault(fold(_form), _infinitive)
_IMPERFECT = {
    "avait": "avoir", "avaient": "avoir", "etait": "être", "etaient": "être",
    "pouvait": "pouvoir", "pouvaient": "pouvoir", "recevait": "recevoir",
    "recevaient": "recevoir", "faisait": "faire", "faisaient": "faire",
    "contenait": "contenir", "contenaient": "contenir", "ayons": "avoir",
    "ayez": "avoir", "puissions": "pouvoir", "puissiez": "pouvoir",
    "recevions": "recevoir", "pouvions": "pouvoir", "avions": "avoir",
    "soyons": "être", "affiche": "afficher", "affichent": "afficher", "aie": "avoir",
    "permettait": "permettre", "permettaient": "permettre",
}  # fmt: skip

PREPOSITIONS = frozenset(
    """à a au aux vers dans sur sous pour avec par en depuis chez avant après apres
    chaque tous toutes quand si lorsque dès des-que sans via jusqu'à jusqu'au entre
    automatiquement quotidiennement directement selon afin durant pendant lors dès
    chaque hors contre parmi ainsi ensuite rapidement mensuellement""".split()
)
_PLURAL = frozenset(
    """les des nos vos mes ses leurs ces tous toutes deux trois quatre plusieurs aux
    quelques certains certaines""".split()
)
ARTICLE = re.compile(
    r"(?:une?|les?|la|des|du|de l['’]|de la|l['’]|d['’]|de|quelques) ?", re.IGNORECASE
)


def strip_article(phrase: str) -> str:
    """Return a noun phrase without its article."""
    found = re.match(
        r"(?:une?|les?|la|des|du|de la|de) |(?:de )?l['’]|d['’](?:une? )?",
        phrase,
        re.IGNORECASE,
    )
    return phrase[found.end() :].strip() if found else phrase


def words_of(phrase: str) -> list[str]:
    """Return the folded words, elided articles apart."""
    return re.sub(r"(?<=\w)['’]", "' ", fold(phrase)).split()


_OF = re.compile(r" (?:(?:de|des|du|qui|que|avec|par|pour) |d').* et ")


def plural(phrase: str) -> bool:
    """Say whether a noun phrase is plural."""
    words = words_of(phrase)
    if not words:
        return False
    if words[0] in {"ils", "elles"} or words[0] in _PLURAL:
        return True
    if (
        "et" in words
        and words[0] in {"le", "la", "l'"}
        and not _OF.search(fold(phrase))
    ):
        return True
    if words[0] in {"un", "une", "le", "la", "l'", "chaque", "ce", "cet", "cette",
                    "notre", "mon", "ma", "son", "sa", "on", "il", "elle", "tout",
                    "toute", "du", "au"}:  # fmt: skip
        return False
    return words[0].isdigit() or (
        words[0].endswith(("s", "x")) and words[0] not in {"acces", "processus"}
    )


_AGREES = re.compile(r"(?:les|des|l['’]|nos|leurs?) ?\w+ (?:\w+ )?\w+ées?\b")


def feminine(phrase: str) -> bool:
    """Guess whether a noun phrase is feminine: by its article, then by its noun."""
    words = words_of(phrase)
    if not words:
        return False
    if words[0] in {"une", "la", "cette", "ma", "sa", "toute", "toutes", "elle"}:
        return True
    if words[0] in {"un", "le", "ce", "cet", "du", "au", "tout", "tous", "il"}:
        return False
    plain = _PLURAL | {"l'", "d'", "notre", "votre", "leur", "chaque", "mon", "son"}
    noun = words[1] if words[0] in plain and len(words) > 1 else words[0]
    noun = noun.strip(",.;:").removesuffix("s") if noun not in MASCULINE else noun
    if _AGREES.match(phrase):
        return True
    if noun in MASCULINE:
        return False
    return noun in FEMININE or noun.endswith(FEMININE_ENDS)


_OWNED = re.compile(r"(?:leurs?|nos|notre|ses|son|sa|mes|mon|ma|ces?|cette|chaque) ")


def definite(noun: str, like: str) -> str:
    """Return `noun` (no article) with the definite article that `like` asks for."""
    if not noun or _OWNED.match(fold(noun)):
        return noun
    noun = small(noun)
    many = plural(like)
    if many:
        return f"les {noun}"
    if fold(noun)[0] in "aeiouy" or re.match(r"h(?:is|ot|or|eu|eb|um|ab)", fold(noun)):
        return f"l'{noun}"
    return f"la {noun}" if feminine(like) else f"le {noun}"


def after_of(phrase: str) -> str:
    """Return "de" with a noun phrase: "du", "des", "de l'", "de la"."""
    for article, merged in (("le ", "du "), ("les ", "des ")):
        if fold(phrase).startswith(article):
            return merged + phrase[len(article) :]
    vowel = fold(phrase)[:1] in "aeiouy"
    return f"d'{phrase}" if vowel else f"de {phrase}"


def after_to(phrase: str) -> str:
    """Return "à" with a noun phrase: "au", "aux"."""
    for article, merged in (("le ", "au "), ("les ", "aux ")):
        if fold(phrase).startswith(article):
            return merged + phrase[len(article) :]
    if fold(phrase).startswith("des "):
        return "à " + phrase
    return f"à {phrase}"


def infinitive_of(word: str) -> str:
    """Return the infinitive of a verb in any known form, "" if none is known."""
    folded = fold(word)
    if folded in FR_ACTS:
        return FR_ACTS[folded]
    if folded in _IMPERFECT:
        return _IMPERFECT[folded]
    if folded in _BY_FORM:
        return _BY_FORM[folded]
    for ending in ("aient", "ait", "ent", "ions", "iez"):
        stem = folded.removesuffix(ending)
        if stem != folded and stem + "er" in FR_ACTS:
            return FR_ACTS[stem + "er"]
    return ""


def is_infinitive(word: str) -> bool:
    """Say whether `word` is a known infinitive or looks like one."""
    folded = fold(word)
    known = folded in FR_ACTS and fold(FR_ACTS[folded]) == folded
    return (
        known
        or _BY_FORM.get(folded, "") == word.lower()
        or (
            len(folded) > 4
            and folded.endswith(("er", "oir"))
            and folded not in _NOT_VERBS
        )
    )


_NOT_VERBS = frozenset(
    """dossier papier atelier courrier calendrier metier clavier fichier panier premier
    dernier entier particulier regulier chantier hier cahier financier escalier hiver
    soir espoir avoir miroir tiroir couloir super cluster serveur newsletter docker
    loyer foyer charter poster trimestrier janvier fevrier ouvrier quartier
    scanner reporter router worker loader manager leader designer partner""".split()
)


def present(infinitive: str, many: bool, subjunctive: bool = False) -> str:
    """Return the third person of a verb, "" if it is not known."""
    row = _TABLE.get(infinitive)
    if row is not None:
        return row[(2 if subjunctive else 0) + (1 if many else 0)]
    if infinitive.endswith("er"):
        stem = infinitive[:-1]
        if infinitive.endswith("yer"):
            stem = infinitive[:-3] + "ie"
        return stem + ("nt" if many else "")
    return ""


def participle(infinitive: str, phrase: str) -> str:
    """Return the past participle that agrees with a noun phrase, "" if unknown."""
    row = _TABLE.get(infinitive)
    if row is not None:
        base = row[4]
    elif infinitive.endswith("er"):
        base = infinitive[:-2] + "é"
    elif infinitive.endswith("ir"):
        base = infinitive[:-1]
    else:
        return ""
    base += "e" if feminine(phrase) else ""
    return base + ("s" if plural(phrase) and not base.endswith("s") else "")


_LATER = re.compile(
    r"(?:une?|deux|trois|quatre|\d+) (?:minutes?|heures?|jours?|semaines?|mois|ans?)"
    r" (?:plus tard|avant|apres|a l'avance)"
)
_MAKERS = frozenset(
    """ajouter construire créer faire mettre concevoir implémenter développer rédiger
    préparer fournir prévoir""".split()
)
_LOCUTIONS = frozenset(
    {
        "mettre en place", "mettre à jour", "mettre en ligne", "mettre en œuvre",
        "prendre en charge", "prendre en compte", "mettre en avant", "remettre à zéro",
        "mettre en cache", "mettre a jour", "mettre en forme", "tenir à jour",
    }
)  # fmt: skip


_TIMED = re.compile(
    r"(?:chaque|tous les|toutes les) [a-z0-9]+ (?:(?:matin|soir) )?"
    r"(?:(?:a|avant) [0-9]+ ?h[0-9]* )?(?=(?:les?|la|l'|une?|des|nos|notre) ?)"
)


def split_object(phrase: str) -> tuple[str, str, str]:
    """Split a verb phrase into infinitive, object and the rest."""
    words = phrase.split(" ")
    stop = len(words)
    start = 1
    if " ".join(words[:3]).lower() in _LOCUTIONS:
        start = 3
    timed = _TIMED.match(fold(" ".join(words[start:])) + " ")
    if timed is not None and len(timed[0].split()) < len(words) - start:
        size = start + len(timed[0].split())
        verb, thing, rest = split_object(" ".join([*words[:start], *words[size:]]))
        return verb, thing, " ".join([*words[start:size], rest]).strip()
    adverb = start < len(words) - 1 and fold(words[start]).endswith("ment")
    start += adverb and fold(words[start]) not in {"document", "paiement", "element"}
    for index in range(start, len(words)):
        word = words[index].lower().strip(",")
        if fold(words[index - 1]) == "acces" and word in {"à", "au", "aux", "a"}:
            continue
        if index == start and word in {"tous", "toutes", "chaque"}:
            continue
        if word in {"qui", "que", "dont", "où"} and index > start:
            break
        if word == "depuis" and index > start + 1:
            continue
        if index > start and bound(words[index - 1], words[index : index + 2]):
            continue
        if _LATER.match(fold(" ".join(words[index : index + 4]))) and index > start:
            stop = index
            break
        purpose = word == "pour" and is_infinitive(" ".join(words[index + 1 :][:1]))
        if words[0] in _MAKERS and purpose:
            break
        if words[0] in _MAKERS and word in {"par", "pour", "avec", "entre", "sur"}:
            continue
        if word in PREPOSITIONS or word.startswith(("jusqu'", "d'ici", "lorsqu'")):
            stop = index
            break
    return (
        " ".join(words[:start]),
        " ".join(words[start:stop]).strip(" ,"),
        " ".join(words[stop:]),
    )


def makes(phrase: str) -> bool:
    """Say whether a verb phrase brings something new about."""
    return phrase.split(" ", 1)[0].lower() in _MAKERS


def passive(phrase: str) -> str:
    """Return "envoyer le fichier" as "le fichier est envoyé", "" without object."""
    verb, thing, rest = split_object(phrase)
    made = verb == "faire" and re.match(r"(?:une?|des) ", fold(thing))
    if not thing or verb.startswith(("permettre", "laisser", "être")):
        return ""
    if verb.startswith("faire") and not made:
        return ""
    many = plural(thing)
    head, _, tail = verb.partition(" ")
    if tail.endswith("ment") and head.lower() + " " + tail not in _LOCUTIONS:
        rest = f"{tail} {rest}".strip()
        tail = ""
    stopped = re.match(r"(?:arrêter|cesser|éviter) d(?:e |['’])(\w+) (\S.*)", phrase)
    if stopped is not None:
        _, thing, rest = split_object(f"{stopped[1]} {stopped[2]}")
        done = participle(stopped[1].lower(), thing)
        be = "ne sont plus" if plural(thing) else "n'est plus"
        return f"{thing} {be} {done} {rest}".strip() if done and thing else ""
    done = participle(head.lower(), thing)
    if not done:
        return ""
    subject = thing
    bare_noun = words_of(thing)[0] not in _DETERMINERS and not thing[:1].isupper()
    if bare_noun and not thing[:1].isdigit():
        subject = definite(
            thing, ("les " if thing.split(" ")[0].endswith("s") else "") + thing
        )
        many = plural(subject)
        done = participle(head.lower(), subject)
    if fold(thing).startswith("de ") and not fold(thing).startswith("de la "):
        subject, many = "des" + thing[2:], True
        done = participle(head.lower(), subject)
    be = "sont" if many else "est"
    return " ".join(w for w in (subject, be, done, tail, rest) if w)


_DETERMINERS = _PLURAL | frozenset(
    """celui-ci celle-ci ceux-ci celles-ci il elle nous vous
    un une le la l' du de d' ce cet cette notre votre leur mon ma son sa chaque tout
    toute tous toutes""".split()
)
