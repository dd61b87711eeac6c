"""Bare assent to an action that was just shown to the person."""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold

MAX_ASSENT = 120

_PENDING = re.compile(r"[a-z][a-z0-9_]{2,63}")
# Never run on assent: a person disposes by hand.
_NEVER = re.compile(
    r"approve|reject|promote|publish|delete|cancel|respond|dispose|settle|dismiss"
    r"|revoke"
)
# Words that say yes by themselves.
_YES = re.compile(
    r"(?:yes|yep|yup|yeah|yea|ye|yess+|sure(?: thing)?|of course|absolutely|definitely"
    r"|certainly|affirmative|agreed|confirmed|i (?:confirm|agree|do)|confirm|go"
    r"|go(?: right)? ahead|go for it|go on|proceed|carry on|make it so|make it happen"
    r"|do (?:it|that|this"
    r"|so)|(?:just |please )?do it|let's (?:do it|do that|go)|run (?:it|that|this)"
    r"|execute"
    r" (?:it|that|this)|execute|run|launch it|ship it|sounds good|looks good(?: to me)?"
    r"|lgtm|that works|works for me|by all means|you (?:can|may)(?: go ahead| proceed"
    r"| do"
    r" (?:it|that|so))|please (?:do|proceed|go ahead)|exactly that|go ahead with"
    r" (?:it|that|this)|proceed with (?:it|that|this)"
    r"|i(?:'m| am) (?:ok|okay|fine|happy) with (?:it|that|this)"
    r"|oui|ouais|ouep|mais oui|d'accord|dac|entendu|bien sur|absolument|certainement"
    r"|tout a fait|exactement|volontiers|affirmatif|je (?:confirme|valide"
    r"|suis d'accord)"
    r"|confirme(?:z)?|c'est (?:bon|d'accord|ok|parti|confirme)|ca (?:marche|me va"
    r"|roule)"
    r"|vas-y|vas y|allez-y|allez y|allons-y|y a qu'a|go|fais[- ]le|fais[- ](?:ca|cela)"
    r"|faites[- ](?:le|ca|cela)|lance(?:z)?(?:[- ](?:le|la|les|ca|cela))?"
    r"|execute(?:z)?(?:[- ](?:le|la|les|ca|cela))?|procede(?:z)?|continue(?:z)?"
    r"|tu peux(?: y aller| le faire| la lancer| lancer| continuer)"
    r"|vous pouvez(?: y aller| le faire| lancer| continuer)|on (?:y va|fait comme ca)"
    r"|feu vert|banco|parti|ok pour moi|bon pour moi)"
)
_MAKES = re.compile(
    r"(?:create|add|open|record|log|register|make|start) (?:it|that|this|them)"
    r"|(?:cree|ajoute|ouvre|enregistre|consigne)[zr]?[- ](?:le|la|les|ca|cela)"
)
_CHANGES = re.compile(
    r"(?:update|change|rename|apply|edit|modify|mark|move) (?:it|that|this|them)"
    r"|(?:modifie|change|renomme|applique|deplace|marque)[zr]?[- ](?:le|la|les|ca|cela)"
)
# Words beside a yes that change nothing.
_BESIDE = re.compile(
    r"(?:ok(?:ay|e)?|okey|k|alright|all right|right|well|great|perfect|fine|good|nice"
    r"|excellent|cool|super|awesome|please|pls|plz|thanks?(?: a lot| you| so much)?"
    r"|thank"
    r" you(?: very much)?|now|right now|right away|immediately|at once|then|and|just|so"
    r"|as (?:proposed|shown|planned|suggested|is)|exactly|that's (?:it|fine|good|right"
    r"|perfect|ok)|that is (?:fine|right)|very (?:good|well)|for me|with (?:it|that)"
    r"|parfait|tres bien|bien|genial|top|nickel|impeccable|merci(?: beaucoup| bien"
    r"| d'avance)?|svp|stp|s'il (?:te|vous) plait|maintenant|tout de suite"
    r"|immediatement"
    r"|des maintenant|alors|donc|et|comme (?:propose|prevu|ca|tel)|pour moi|tel quel"
    r"|hi|hello|bonjour|salut|mon ami|team|assistant|c'est (?:parfait|tres bien))"
)
_DOUBT = re.compile(r"[?\"“”«»`<>{}\[\]*_#=\d🙄🤡😂🤣😏🤪🤔👎❌🚫⛔✋🛑😡😠🙃]|\n\s*\n")
_JUNK = re.compile(r"[^a-z0-9' -]+|(?<![a-z])['-]|['-](?![a-z])")


def is_assent(text: str, pending: str) -> bool:
    """Say whether all of `text` agrees to run the action named `pending`.

    A word that is not known here, a question mark or another quotation makes it none.
    """
    if not _PENDING.fullmatch(pending) or _NEVER.search(pending):
        return False
    folded = fold(text[: MAX_ASSENT + 1])
    if len(folded) > MAX_ASSENT or re.search(
        r"[?\"“”«»`<>{}\[\]*_#=\d]|\n\s*\n", folded
    ):
        return False
    if any(mark in folded for mark in "🙄🤡😂🤣😏🤪🤔👎❌🚫⛔✋🛑😡😠🙃"):
        return False
    rest = re.sub(r"\s+", " ", _JUNK.sub(" ", folded)).strip()
    makes = pending.endswith("_create") or "_add_" in pending
    changes = not makes
    agreed = False
    while rest:
        yes = _longest(rest, makes=makes, changes=changes)
        said = yes or _whole(_BESIDE, rest)
        if not said:
            return False
        agreed = agreed or yes > 0
        rest = rest[said:].lstrip()
    return agreed


def _longest(rest: str, *, makes: bool, changes: bool) -> int:
    patterns = [_YES] + [_MAKES] * makes + [_CHANGES] * changes
    return max(_whole(pattern, rest) for pattern in patterns)


def _whole(pattern: re.Pattern[str], rest: str) -> int:
    """Return the length of the longest run of words that `pattern` knows, else 0."""
    ends = [i for i in range(1, min(len(rest), 40) + 1) if rest[i : i + 1] in ("", " ")]
    return next((end for end in reversed(ends) if pattern.fullmatch(rest[:end])), 0)


_RESERVE = re.compile(
    r"(?:yes|yep|yeah|ok|okay|sure|fine|right|good|agreed|oui|ouais|d'accord|entendu"
    r"|parfait|bien|bon|ca marche)\b[ ,.:;!-]*(?:but|except|only|if|unless|not|maybe"
    r"|perhaps|later|tomorrow|once|after|when|as long as|provided|first|though|however"
    r"|mais|sauf|si|seulement|a condition|peut-etre|plus tard|demain|une fois|apres"
    r"|quand|des que|pas|d'abord|cependant|toutefois)\b"
)


def is_reserved(text: str) -> bool:
    """Say whether `text` agrees with a reserve: "yes, but ..."."""
    return _RESERVE.match(fold(text[:MAX_ASSENT]).strip()) is not None
