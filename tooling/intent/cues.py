"""The cues that take the force from an order: who says it, when, and whether."""

from __future__ import annotations

from tooling.intent.words import Phrases

CONDITION = Phrases(
    "if|unless|once|as soon as|provided|providing|in case|assuming|only when|only after"
    "|depending|subject to|as long as|until|till|pending|si|s'il|s'ils|sauf|des que"
    "|des qu'|une fois|au cas ou|a condition|a moins|pourvu|seulement quand|tant que"
    "|jusqu'a|jusqu'|lorsque|lorsqu'|selon que|en cas de|en cas d'|otherwise|or else"
    "|le moment venu|the day|the moment|le jour ou|quand|when|whenever|even if|after"
    "|apres|before|avant"
)
# "when" within what the row is about: "a task to alert us when …".
SOFT_CONDITION = frozenset(
    """when whenever quand lorsque lorsqu' until till jusqu'a before after avant apres
    pending jusqu' once""".split()
)
LATER = Phrases(
    "tomorrow|next week|next month|next year|next time|later|later on|one day|some day"
    "|someday|at some point|in the future|eventually|sometime|in a few days|soon"
    "|tonight|demain|plus tard|un jour|un de ces jours|la semaine prochaine"
    "|le mois prochain|l'annee prochaine|la prochaine fois|bientot|dans quelques jours"
    "|a terme|tot ou tard|ce soir|in an hour|dans une heure|on monday|on tuesday"
    "|on wednesday|on thursday|on friday|lundi|mardi|mercredi|jeudi|vendredi"
    "|not now|not yet|pas encore|pas maintenant|pas tout de suite"
)
HABIT = Phrases(
    "automatically|every|each|whenever|always|every time|each time|automatiquement"
    "|chaque|toujours|a chaque|systematiquement|systematically|by default|par defaut"
    "|routinely|regularly|regulierement"
)
PAST = Phrases(
    "yesterday|ago|last week|last month|last year|already|earlier|hier|deja|avant hier"
    "|la semaine derniere|le mois dernier|l'an dernier|il y a|tout a l'heure"
)
REPORT = Phrases(
    "said|says|say|saying|wrote|writes|write|told|tells|asked me|asks me|asked us"
    "|asked you|asked for|mentioned|joked|claimed|claims|reads|read|stated|states"
    "|suggested|suggests|according to|quote|quoting|quoted|wants me to|wants us to"
    "|wants you to|veut que je|veut que tu|veut que nous|insists|insisted"
    "|keeps repeating|repeated|dictated|demanded|shouted|the text|a dit|ai dit|dit"
    "|disait|disent|a ecrit|ecrit|ecrivait|m'a demande|m'a ecrit|nous a demande"
    "|raconte|raconta|pretend|pretendu|plaisante|selon|d'apres|je cite|repete"
    "|repetait|a demande|reclame|lit|il est ecrit|a propose|aurait dit|il veut que"
    "|elle veut que|ils veulent que|affirme|a suggere"
)
# With a colon at the end, what follows is somebody else's or a model text.
INTRODUCES = Phrases(
    "below|follows|following|ci dessous|ci apres|suit|voici|here is|here's|ticket"
    "|e mail|email|mail|note|message|text|letter|courriel|lettre|texte|memo|script"
    "|example|exemple|transcript|minutes|compte rendu|prompt|slack|log|output"
    "|instructions|consigne|consignes|procedure|steps|etapes|manual|manuel|guide"
    "|sign|slogan|title|titre|subject|objet|button|bouton|label"
)
SUPPOSE = Phrases(
    "suppose|imagine|pretend|let's say|say we|assume|what if|hypothetically|for example"
    "|for instance|e.g.|in theory|imagine que|imagine qu'|supposons|mettons que"
    "|disons que|par exemple|en theorie|admettons|et si|comme si|as if|as though"
    "|on your own|by yourself|tout seul|toute seule|toi meme|in your head|dans ta tete"
    "|example|exemple|would have|aurait|aurais|p ex|theoretically|such as"
)
FOLLOWS = Phrases("as follows|comme suit|below|ci dessous|ci apres|the following")
HEDGE = Phrases(
    "maybe|perhaps|possibly|probably|might|i think|i guess|i suppose|not sure|i wonder"
    "|should we|shall we|do you think|peut etre|sans doute|probablement|je pense"
    "|je crois|je me demande|pas sur|pas certain|eventuellement|tu crois|penses tu"
    "|or is it|ou est ce|or not|ou pas|or maybe|ou peut etre|why not|pourquoi pas"
    "|or should|ou bien|or would|feel free|n'hesite pas|hmm|hum|euh|au pire|sometime"
)
NEGATION = Phrases(
    "don't|dont|do not|not|never|no|none|nothing|without|instead of|rather than|avoid"
    "|refrain|stop|cannot|can't|won't|shouldn't|mustn't|doesn't|didn't|neither|nor|ne"
    "|n'|pas|jamais|aucun|aucune|rien|inutile|sans|au lieu de|au lieu d'|plutot que"
    "|evite|evitez|eviter|arrete|arretez|surtout|hold off|no need|nope|non|nullement"
    "|ni|isn't|aren't|needn't|forget|oublie|oubliez"
)
# Takes an order back in a later breath.
RETRACT = Phrases(
    "actually no|on second thought|on second thoughts|scratch that|never mind"
    "|nevermind|forget it|forget that|just kidding|kidding|i'm joking|only joking"
    "|joke|wait no|no wait|hold on|hold off|cancel that|don't|do not|ignore that"
    "|je plaisante|je rigole|je blague|en fait non|finalement non|non merci"
    "|laisse tomber|laissez tomber|oublie|oubliez|ne fais rien|ne faites rien|attends"
    "|attendez|non attends|annule ca|annule|c'etait une blague|not really|or not"
    "|ou pas|wait|pas vraiment|disregard|my mistake|ah non|oh no|changed my mind"
    "|change d'avis|no don't|stop|rien de tout ca"
)
IRONY = Phrases(
    "just kidding|only joking|i'm joking|je plaisante|je rigole|je blague"
    "|c'etait une blague|surely help|n'en a pas assez|n'en avait pas assez|lol|mdr"
    "|ptdr|lmao|rofl|haha|hahaha|ha ha|yeah right|as if|comme si|oh sure"
    "|while you're at it|while we're at it|while you are at it|while we are at it"
    "|tant qu'on y est|tant que tu y es|tant que vous y etes|tant qu'a faire|sarcasm"
    "|just what we needed|just what i needed|exactly what we needed|that'll help"
    "|that will surely help|il ne manquait plus que ca|et puis quoi encore"
    "|quelle bonne idee|what a great idea|what a brilliant idea|brilliant idea"
    "|because that worked|because the last|parce que ca marche|yet another"
    "|mais bien sur|oh great|oh wonderful|ah super|ben voyons|c'est ca oui"
    "|pour changer|for a change|why don't you also|pendant qu'on y est|genius"
    "|what could go wrong|what could possibly go wrong|on n'est plus a ca pres"
    "|hilarious|hilarant|ironique|ironically|sure why not|surely that|no doubt"
    "|that always works|ca changera tout|ca va tout changer|of course because"
    "|we clearly need|nothing better to do|rien de mieux a faire|du genie|meme pour"
    "|even for my|for my coffee|pour mon cafe|world peace|paix dans le monde"
)
IRONIC_SIGNS = ("🙄", "😏", "😒", "🤡", "😂", "🤣", "😜", " /s")
# Text that plays the system, or the tool, or another speaker.
HOSTILE = Phrases(
    "ignore all|ignore previous|ignore the previous|ignore your|ignore any"
    "|disregard previous|disregard all|disregard the|override|jailbreak"
    "|developer mode|ignore les|ignorez les|ignore tes|ignorez vos|ignore toutes"
    "|ignorez toutes|oublie les|oublie tes|oublie toutes|oubliez les|oubliez vos"
    "|forget all|forget your|forget previous|forget the previous|has authorised"
    "|has authorized|a autorise|autorise par|authorised by|authorized by|is authorised"
    "|is authorized|you are now|tu es maintenant|system prompt|system message"
    "|message systeme|system override|admin override|on behalf of the user"
    "|au nom de l'utilisateur|the user wants|the user asks|the user has|l'utilisateur a"
    "|l'utilisateur veut|l'utilisateur demande|l'utilisateur souhaite|new instructions"
    "|nouvelles consignes|nouvelles instructions|instructions precedentes"
    "|consignes precedentes|previous instructions|tool call|tool calls|function call"
    "|appel d'outil|appelle l'outil|utilise l'outil|use the tool|call the tool"
    "|end of user message|fin du message|user has approved|preapproved|pre approved"
)
SPEAKERS = frozenset(
    """system systeme assistant user utilisateur developer developpeur admin
    administrator administrateur tool outil instruction instructions root""".split()
)
