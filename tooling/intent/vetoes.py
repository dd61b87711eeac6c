"""What makes words that sound like an order no order of the person, now.

Patterns over folded text in which quotations are masked. In doubt they match.
"""

from __future__ import annotations

import re

# Of the whole message: play, supposition, taking back, and text made to be obeyed.
MESSAGE = re.compile(
    r"\b(?:imagine[sz]?|suppos(?:e|ons|ez|ing)|pretend|make believe|fai(?:s|tes"
    r"|sons) semblant|hypothetically|hypothetiquement"
    r"|said (?:nobody|no one)|for (?:example|instance)|par exemple|role-?play"
    r"|just (?:kidding|testing|joking)"
    r"|kidding|joking|j(?:e |')plaisante|je rigole|pour rire|c'est une blague|e\.g\."
    r"|never ?mind|forget (?:it|that|about it|what i said)|scratch that|on second"
    r" thoughts?|changed my mind|change d'avis|i take (?:it|that) back|actually,? no"
    r"|oublie(?:z)?(?: ca| cela| tout|-le|-la| ce que)?(?=[ ,.!]*$)|laisse[rz]? tomber"
    r"|(?:en fait|finalement),? non|a la reflexion|reflexion faite|attends|attendez"
    r"|hold on|wait\b(?! for|ing|ed)|lol|lmao|haha+|hihi|mdr|ptdr|yeah,? right"
    r"|as if|comme si|yet another|who cares|what could (?:possibly )?go wrong"
    r"|that(?:'ll| will| would) (?:surely|really|certainly|totally|so)?(?: )?(?:help"
    r"|fix"
    r" (?:it|everything)|solve (?:it|everything))|ca va (?:surement |vraiment )?(?:tout"
    r" )?(?:aider|changer|arranger|resoudre)|on n'en a pas assez|il n'y en a pas assez"
    r"|because that worked|on n'est plus a|c'est cela,? oui|sarcas\w*|ironi\w*"
    r"|i(?:'m| am) being (?:ironic|funny)|not!|nobody reads|personne ne lit"
    r"|because we (?:clearly|obviously|really) (?:don't|do not|need)"
    r"|(?:that|this) is what|c'est ce qu"
    r"|(?:said|says) no one|qui n'a jamais servi)"
    r"|\((?:example|exemple)\b|🙄|🤡|😂|🤣|😏|🤪|(?:^|\s)/s\b|;-\)"
    r"|\b(?:ignore|disregard|forget|override|bypass|oublie[rz]?|ignore[rz]) (?:all "
    r"|the "
    r"|any |your |toutes? |les |tes |vos )*(?:previous|prior|above|earlier|safety"
    r"|system|rules?|instructions?|guardrails?|consignes?|regles?|precedentes?)\b"
    r"|\bhas authori[sz]ed\b|\bis authori[sz]ed\b|\bpre-?approved\b|\ba autorise\b"
    r"|\bthe user (?:wants|has|said|asked|is)\b|\bl'utilisateur (?:a|veut|demande)\b"
    r"|\bexecution_command\b|\bintent(?:ion)? ?[:=]|\btool_call\b|\bfunction_call\b"
    r"|\byou are now\b|\bdeveloper mode\b"
)
# A line that speaks in another's name.
REFUSAL = re.compile(
    r"(?:^|[.!?\n])\s*(?:no|non|not (?:yet|now)|pas (?:encore|maintenant)) *(?:[.!]|$)"
)
ROLE = re.compile(
    r"(?:^|\n)[ \t#*<\[(]*(?:system|assistant|user|human|tool|developer|admin"
    r"|administrator|root|systeme|utilisateur|administrateur|im_start|inst|from|de"
    r"|subject|objet|sent|envoye|cc)"
    r"(?:[ _-][a-z]{1,16}){0,2}[\]>)*]* ?(?::|>"
    r"|\]|\|)",
    re.MULTILINE,
)
# A row of the sentence says that somebody speaks, or that words are shown.
REPORT = re.compile(
    r"\b(?:said|says|saying|wrote|writes|written|told|tells?|ask|remind|dis(?:-lui)?"
    r"|dites|asked|asks|mentioned"
    r"|mentions|claims?|claimed|reads|read|states?|stated|quote[sd]?|according to|joked"
    r"|suggested|suggests|recommended|demanded|ordered|wants me|reportedly|apparently"
    r"|supposedly|a (?:dit|ecrit|demande|propose|suggere|repondu|lu|ordonne)|ont (?:dit"
    r"|ecrit|demande)|dit|disait|disent|ecrit|ecrivait|selon|d'apres|raconte|demande"
    r"|parait|lit|indique|mentionne|affirme|pretend|il (?:veut|voulait)|elle (?:veut"
    r"|voulait)|wanted|wants|e-?mail|mail|letter|notes?|sms|lettre|courriel|ticket"
    r"|article|documentation|manual|guide"
    r"|doc|manuel|slide|script|button|bouton|label|titled|menu|screen|ecran|page|prompt"
    r"|phrase|sentence|command|commande|example|exemple|translate|traduis|traduire"
    r"|repeat|repete|type|tape|spell|means|signifie|veut dire|called|error|erreur"
    r"|message)\b"
)
# In the words before the order: negation, condition, capability, question, future.
BEFORE = re.compile(
    r"\b(?:not|\w+n't|dont|never|no|nor|none|nobody|without|instead|rather|can|could"
    r"|may"
    r"|might|must|should|would|will|shall|able|how|what|why|who|whoever|where|whether"
    r"|which|if|when|whenever|unless|once|after|before|until|till|while|as soon as"
    r"|provided|assuming|otherwise|in case|or|either|to be|used to|going to|want to"
    r"|need to|like to|have to|had to|has to|plan to|tomorrow|later|soon|next (?:week"
    r"|month|year|time|quarter|sprint)|someday|eventually|yesterday|last (?:week|month)"
    r"|let's|lets|every|each|chaque|tous les|toutes les|they|he|she|users?|people"
    r"|agents?|options?|choices?"
    r"|alternatives?|steps?"
    r"|rule|policy|maybe|perhaps|probably|possibly|i guess|i think|guess"
    r"|ne|n'\w*|pas|jamais|aucune?|rien|sans|si|s'il|s'ils|quand|lorsque?|des que"
    r"|apres|avant|jusqu|une fois|sauf|sinon|a condition|pourvu|au cas|peut-etre"
    r"|pourrai\w*|peut|peuvent|pouvoir|doi[st]|doivent|devrai\w*|devra|faudrait|comment"
    r"|pourquoi|que faire|qui|quel\w*|ou bien|soit|demain|plus tard|bientot|prochaine?"
    r"|hier|ils|elles|il|elle|utilisateurs?|chaque fois|regle|etape|sera|serait"
    r"|vais|vas|va|allons|allez|vont|plutot|au lieu)\b"
)
HARMLESS = re.compile(
    r"\b(?:no (?:problem|worries|rush|doubt)|pas de (?:souci|probleme|panique)s?"
    r"|s'il (?:te|vous) plait|vas-y|allez-y|why not|pourquoi pas|what a \w+"
    r"|d'apres toi|not bad|pas mal|two things|before (?:i forget|we go|that)"
    r"|while (?:you're|we're) at it|tant que tu y es|il (?:me |nous )?(?:faut|manque)"
    r"|on (?:a|aura) besoin|we will need|we'll need|i'll need|after (?:that|this)"
    r"|apres (?:ca|cela)|can't wait|qui (?:aide|m'aide))\b"
)
# In the words after the row: a condition, a delay, a doubt, a taking back.
CONDITION = re.compile(
    r"\b(?:if|unless|provided(?: that)?|assuming|as soon as|as long as|once|only when"
    r"|in case|whenever|depending|except if|si|s'il|s'ils|s'elle|sauf si|a condition"
    r"|des"
    r" que|une fois qu\w*|pourvu|a moins|au cas ou|le cas echeant|tant que)\b"
)
WHEN = re.compile(r"[\s,]*(?:when|after|quand|lorsqu?e?'?|apres|until|jusqu'a)\b")
# A condition on any such thing is a rule for a product, and no condition of the order.
GENERIC = re.compile(
    r"\b(?:whenever|every|each|any|everytime|chaque|tout(?:e|es)?"
    r"|(?:if|si|once|when|quand|lorsqu\w*|as soon as|des qu\w*) ?(?:an?|une?|any"
    r"|someone|somebody|nobody"
    r"|quelqu'un|no one|users?|people|customers?|clients?|more|two))\b"
)
AFTER = re.compile(
    r"\b(?:not (?:now|yet|today|really)|but (?:not|wait|don't|only|first|later)|mais"
    r" (?:pas|attends|seulement|d'abord|plus tard)|pas (?:maintenant|encore|tout de"
    r" suite|aujourd'hui)|plus tard|at some (?:point|stage)|some ?day|one day|sometime"
    r"|eventually|un (?:de ces )?jours?|a l'occasion|maybe|perhaps|peut-etre|or not"
    r"|ou pas|ou non|i guess|why don't you|would be|serait|could be|might be|later(?!"
    r" on"
    r" page)"
    r"|(?:he|she|they|paul|it) (?:said|says|wrote|told|asked)|(?:said|wrote|says)"
    r" (?:he|she|they|[a-z]+)(?: [a-z]+)?[ .!]*$|dit-(?:il|elle|on)|a-t-(?:il"
    r"|elle) (?:dit|ecrit"
    r"|demande)|disait|without (?:me|asking|my|approval|permission|us)|sans (?:moi|me"
    r" demander|mon accord)|behind my back|in your (?:head|mind|imagination)"
    r"|dans ta tete)\b"
)
DELAY = re.compile(
    r"[\s,]*(?:tomorrow|later|next (?:week|month|year|quarter|sprint|time)|soon|on"
    r" (?:monday|tuesday|wednesday|thursday|friday)|in (?:a|an|two|three|\d+) (?:hours?"
    r"|days?|weeks?|months?)|tonight|this evening|demain|plus tard|bientot|la semaine"
    r" prochaine|le mois prochain|l'an prochain|l'annee prochaine|lundi|mardi|mercredi"
    r"|jeudi|vendredi|dans (?:une?|deux|trois|quelques|\d+) (?:heures?|jours?|semaines?"
    r"|mois)|ce soir|yesterday|last (?:week|month)|hier|or\b|ou\b(?! bien sur))"
)
TENTATIVE = re.compile(
    r"\b(?:maybe|perhaps|possibly|i think|i guess|i believe|peut-etre|eventuellement"
    r"|je (?:pense|crois)|at some (?:point|stage)|some ?day|one day|un (?:de ces"
    r" )?jours?"
    r"|a l'occasion|might)\b"
)
# A person's own heading; other headings show others' words.
OWN_HEADING = re.compile(
    r".*\b(?:please|pls|do|the following|(?:i|we) (?:want|need|would like)|je (?:veux"
    r"|voudrais|souhaite)|il (?:me|nous) faut|can you|could"
    r" you"
    r"|to be clear|let me be clear|two things|three things|one more thing|svp|stp"
    r"|merci de|peux-tu|pouvez-vous"
    r"|veuillez|fai(?:s|tes)|ce qui suit|deux choses|trois choses|now|next|todo|and|et"
    r"|also|aussi|thanks|merci|hello|hi|bonjour)\b"
)
SPEECH = re.compile(
    r"\b(?:say|answer|reply|respond|dis|dites|reponds|repondez|ecris|ecrivez|paste[d]?"
    r"|colle[rz]?|copied|copie)\b"
)
# Of a routine, or of the assistant's own accord: a wish for the product.
ROUTINE = re.compile(
    r"\b(?:on your own|by yourself|yourself|automatically|every time|each time|whenever"
    r"|tout(?:e)? seule?|toi-meme|vous-memes?|automatiquement|a chaque fois"
    r"|chaque fois)\b"
)
EITHER = re.compile(r"\b(?:or|ou|either|soit)\b")
# Announces a text that is no order, though no colon does.
FOLLOWS = re.compile(
    r"\b(?:as follows|comme suit|ci-dessous|test case|acceptance test|scenario|begin"
    r" quote|script|cas de test)\b"
)
