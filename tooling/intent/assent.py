"""Reads a bare assent to the one action that was just shown to the person.

A message assents when all its words are words of assent. One word more, a condition,
a "but", another thing named, and it is none.
"""

from __future__ import annotations

from tooling.intent.nouns import noun_at
from tooling.intent.objects import CHANGED, CREATED
from tooling.intent.words import QUOTE, Phrases, read_words

# Enough by itself.
_YES = Phrases(
    "yes|yep|yup|yeah|aye|sure|sure thing|of course|certainly|absolutely|definitely"
    "|do it|do that|do so|please do|go|go ahead|go for it|go on|proceed|make it so"
    "|run it|execute it|create it|add it|open it|save it|launch it|make it|confirm"
    "|confirmed|i confirm|approved by me|affirmative|execute|do please|let's do it"
    "|let's go|i agree|you may|you can|by all means|you have my go|ship it|record it"
    "|that's it do it|do this|run this|create that|add that|apply it|update it"
    "|change it|rename it|set it|yes please do|carry on|fire away|why yes|oui|ouais"
    "|ui|vas y|allez y|fais le|faites le|fais ca|faites ca|lance|lancez|lance le"
    "|lance la|lancez le|lancez la|cree la|creez la|cree le|creez le|ajoute la"
    "|ajoutez la|ajoute le|ajoutez le|ouvre la|ouvrez la|execute le|executez le"
    "|execute la|executez la|executez|confirme|je confirme|je le confirme|on confirme"
    "|bien sur|certainement|absolument|tout a fait|volontiers|go go|enregistre la"
    "|enregistrez la|enregistre le|modifie la|modifiez la|modifie le|on y va"
    "|c'est parti|feu vert|tu peux y aller|vous pouvez y aller|tu peux|vous pouvez"
    "|tu peux le faire|vous pouvez le faire|tu peux la creer|fonce|procede|procedez"
    "|applique|appliquez|mets la a jour|avec plaisir|allons y|renomme la|change la"
    "|passe la|marque la|ok pour moi|c'est ok|exactement ca|j'accepte|i accept"
    "|you got it|green light|that's right|that is right|c'est ca|c'est exact"
)
# Enough where nothing but these is said.
_FINE = Phrases(
    "ok|okay|okey|d'accord|dac|d'acc|entendu|agreed|sounds good|that works|works for me"
    "|fine by me|fine with me|c'est bon|ca marche|ca me va|ca roule|c'est d'accord"
    "|looks good|lgtm|c'est bon pour moi|that's fine|it's fine|alright|all right"
    "|good to go|tres bien|va pour ca|correct|exactly|exactement|parfaitement|right"
)
_FILLER = Phrases(
    "please|pls|plz|now|right now|right away|immediately|at once|asap|then|so|it|that"
    "|this|for me|for us|great|perfect|perfectly|fine|good|excellent|super|well|just"
    "|exactly|as shown|as proposed|as it is|like that|and|the action|this action"
    "|that action|exactly that|stp|svp|s'il te plait|s'il vous plait|maintenant"
    "|tout de suite|des maintenant|donc|alors|et|parfait|genial|bien|tres bien|nickel"
    "|impeccable|comme ca|telle quelle|tel quel|cette action|l'action|pour moi"
    "|pour nous|la|le|les|ah|oh|bon|allez|hop|dear|i want it|je le veux|once"
    "|straight away|just this once|cette fois|une fois|comme propose|comme affiche"
    "|with that"
)
_THANKS = Phrases("thanks|thank you|thx|ty|merci|merci beaucoup|thanks a lot|cheers")
_MARKS = frozenset({",", ".", "!", "-", "…", ";"})
_ACTS = frozenset(
    """create add open make run launch update record save do rename change mark the this
    that a la le l' cette ce une cree creez ajoute ajoutez ouvre ouvrez lance lancez
    fais faites modifie enregistre execute apply""".split()
)
_LIMITS = frozenset(
    "but except however only mais sauf excepte seulement if si unless".split()
)
_MAX_WORDS = 14


def is_assent(folded: str, pending: str) -> bool:
    """Say whether a whole folded message does no more than assent to `pending`."""
    texts = [word.text for word in read_words(folded)]
    if not texts or len(texts) > _MAX_WORDS or QUOTE in texts:
        return False
    place, yes, fine, thanks = 0, False, False, False
    while place < len(texts):
        size = 0
        for kind in (_YES, _FINE, _THANKS, _FILLER):
            size = kind.at(texts, place)
            if size:
                yes = yes or kind is _YES
                fine = fine or kind is _FINE
                thanks = thanks or kind is _THANKS
                break
        if not size:
            size = _named(texts, place, pending)
            yes = yes or size > 0
        if not size and texts[place] in _MARKS:
            size = 1
        if not size:
            return False
        place += size
    return yes or (fine and not thanks)


def is_hedged(folded: str) -> bool:
    """Say whether a message begins as an assent and goes on to limit it."""
    texts = [word.text for word in read_words(folded[:80])]
    for place, text in enumerate(texts[:6]):
        if text in _LIMITS:
            return place > 0
        if text not in _MARKS and not any(
            kind.at(texts, place) for kind in (_YES, _FINE, _FILLER)
        ):
            return False
    return False


def _named(texts: list[str], place: int, pending: str) -> int:
    """Return how many words of "create the mission" name what is pending."""
    ahead = place
    while ahead < len(texts) and texts[ahead] in _ACTS and ahead - place < 3:
        ahead += 1
    found = noun_at(texts, ahead) if ahead > place and ahead < len(texts) else None
    if found is None:
        return 0
    kind, size = found
    fits = pending in CREATED.get(kind, ()) or pending in CHANGED.get(kind, ())
    return ahead - place + size if fits else 0
