"""Patterns of asking, in English and French, over folded text.

Each is anchored at the start of a piece of a sentence and free of nested repeats.
"""

from __future__ import annotations

import re

_ADV = (
    r"(?:really |also |just |still |urgently |badly |now |desperately |maybe |probably"
    r" |perhaps |actually |simply |even |soon |definitely |certainly )*"
)
_ADV_FR = (
    r"(?:vraiment |aussi |encore |bien |peut-etre |egalement |absolument |enfin "
    r"|desormais |toujours |vite |rapidement |tous |grand |urgemment )*"
)

# Words before a request that carry none of it.
LEAD = re.compile(
    r"(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|bonjour|bonsoir|salut"
    r"|coucou)(?: (?:all|team|everyone|everybody|there|folks|guys|again|a tous"
    r"|a toutes|tout le monde|l'equipe|toute l'equipe))?[,!.:]* +"
    r"|(?:please|pls|plz|kindly|ok|okay|so|also|and|but|then|well|now|next|finally"
    r"|secondly|thirdly|firstly|first|second|third|lastly|besides|additionally"
    r"|furthermore|moreover|honestly|basically|alors|donc|et(?! si (?:on|nous)\b)"
    r"|mais|puis|ensuite|enfin"
    r"|aussi|or|bref|du coup|sinon|bon|voila|svp|stp|merci(?! d(?:e |'))|thanks"
    r"|thank you|fyi"
    r"|urgent|important|ideally|idealement|idem|go ahead and|vas-y|allez-y|yes|oui"
    r"|par ailleurs|de plus|en plus|en outre|premierement|deuxiemement|d'abord"
    r"|s'il (?:te|vous) plait|if possible|si possible|as discussed|comme convenu"
    r"|maybe|perhaps|peut-etre|i think|je pense que|je pense qu'|i guess"
    r"|i believe|je crois que|je crois qu')(?:[,:;!.]+ *| +-+ +| +)"
    r")"
)

NEGATED = re.compile(
    r"(?:(?:please |surtout |but |mais |so )?"
    r"(?:do not|don't|dont|never|let's not|let us not|no need to|no need for"
    r"|there is no need|there's no need|you (?:must|should) not|you (?:mustn't"
    r"|shouldn't)|avoid creating|stop creating|not yet|no,|nope|never mind|hold off"
    r"|we (?:do not|don't|no longer) (?:need|want)|i (?:do not|don't|no longer)"
    r" (?:need|want)|i'd rather not|i would rather not|instead of creating"
    r"|ne|n'[a-z]+|pas besoin|inutile|surtout pas|pas encore|pas maintenant|non,"
    r"|evite(?:z|r|ns)? de|il n'est pas question"
    r"|(?:pas|hors de) question|il ne faut pas (?!que|qu'|oublier)"
    r"|il n'y a pas (?:besoin|lieu)|laisse tomber|laissez tomber"
    r"|(?:je|nous|on) (?:ne|n')[a-z ']{0,20}(?:veux|voulons|veut|souhaite|besoin"
    r"|souhaitons|faut))(?![a-z]))"
)

# What one wants not to happen is a wish as well: "don't let guests see the prices".
NEGATED_WISH = re.compile(
    r"(?:please |surtout |but |mais |so )?(?:"
    r"(?:do not|don't|dont|never|let's not|let us not) (?:ever |just "
    r"|please )*[a-z]{2,}"
    r" \S"
    r"|(?:we|i) (?:do not|don't|no longer) want [a-z]"
    r"|(?:we|you) (?:must|should) not [a-z]"
    r"|stop [a-z]+ing [a-z]"
    r"|ne (?:pas|plus|jamais) (?:(?:plus|y|en|le|la|les|se) )?[a-z]+(?:er|ir|re|oir)\b"
    r"|(?:ne |n')[a-z]+(?: |-)(?:(?:plus|pas|jamais) [a-z]|(?:[a-z'-]+ )?aucune? [a-z])"
    r"|(?:je|nous|on) (?:ne |n')[a-z ']{0,20}(?:veux|voulons|veut|souhaite|souhaitons)"
    r" (?:plus|pas) (?!ca\b|cela\b)[a-z]|il ne faut (?:pas|plus|jamais) [a-z]"
    r"|evite(?:z|r|ns)? d[e'])"
)
# Negated turns of courtesy and of talk: nobody wishes anything.
_ROW = r"(?:missions?|tasks?|decisions?|proposals?|taches?|propositions?)\b"
SOCIAL = re.compile(
    rf"(?:we|i) (?:do not|don't) want (?:an?|any|another|the|this|that|new) {_ROW}"
    r"|(?:je|nous|on) (?:ne |n')[a-z ']{0,20}(?:veux|voulons|veut|souhaite) "
    rf"(?:pas|plus) (?:de |d'une |une |cette |la |d'autre ){_ROW}"
    r"|(?:please |but |mais |so )?(?:(?:do not|don't|dont|never) (?:worry|bother|mind"
    r"|mention|get me wrong|know|think|panic|hesitate|do (?:it|that|this|so)\b"
    r"|take (?:it|this) (?:badly|personally)|understand|believe|agree|ask me|wait for"
    r"|rush|be (?:sorry|shy)|call it|you think|you agree|quite|really)"
    r"|(?:we|i) (?:do not|don't) want (?:to (?:bother|disturb|know|think|talk|be rude"
    r"|rush|discuss|decide)|that|this|it|anything|any)\b"
    r"|ne (?:t'|te |vous |nous )(?:inquiet|en fai|derang|press|formalis|embet|preoccup)"
    r"|n'hesite|ne (?:fais|faites|faire) (?:pas |rien )?(?:ca|cela|rien|pas)\b"
    r"|(?:je|nous|on) (?:ne |n')[a-z ']{0,20}(?:veux|voulons|veut|souhaite) (?:pas"
    r"|plus)"
    r" (?:y |en |te |vous |t'|me |m')?(?:penser|parler|savoir|deranger|discuter|decider"
    r"|reflechir|presser)"
    r"|il ne faut pas (?:s'en faire|s'inquieter|exagerer))"
)

DISPOSE = re.compile(
    r"(?:can you |could you |i |we |you can |peux[- ]tu |pouvez[- ]vous |il faut )?"
    r"(?:approve|reject|respond to|promote|refuse|decline|deny|sign off"
    r"|approuve[rzs]?|approuvez|rejette[sr]?|rejeter|rejetez|refuse[rz]?|promouvoir"
    r"|valide[rz]?|accepte[rz]?|accept)\b(?!-)"
    r".{0,40}\b(?:proposal|proposals|request|requests|decision|decisions|mission"
    r"|missions|it|this|them|that|proposition|propositions|demande|demandes|la|le|les"
    r"|cela|ca)\b"
)

_READ_EN = (
    r"(?:show|list|tell|explain|summari[sz]e|describe|remind me|give me (?:a |an |the"
    r" )?"
    r"(?:list|status|summary|overview|state|count|total|recap|update|link)|find|look"
    r"|see(?! below)|know|check (?:whether|if|what|which|the status)|read|recap|confirm"
    r"|point me|clarify|help me understand|understand|display)"
)
_READ_FR = (
    r"(?:montre[rz]?|affiche[rz]?|liste[rz]?|dis|dire|dites|explique[rz]?|expliquez"
    r"|resume[rz]?|decri[srvezt]+|rappelle[rz]?-moi|me rappeler|me dire|nous dire"
    r"|m'expliquer|me montrer|me lister|me donner|donne[rz]?-moi|savoir|voir|connaitre"
    r"|trouver|consulter|recapitule[rz]?|precise[rz]?-moi|me resumer)"
)
_STATE = (
    r"(?:missions?|tasks?|decisions?|proposals?|suggestions?|costs?|workflows?|drafts?"
    r"|conversations?|queue|status|state|spend|spending|thread|discussion|we agreed"
    r"|taches?|propositions?|idees?|couts?|depenses?|brouillons?|file|etat|statut"
    r"|nous avons|on a decide|ici|here|pipelines?|difference|means?|why|how|pourquoi"
    r"|comment|what|which|who|quel|quelle|quels|quelles|ce que|ce qu'|fil)"
)
READ = re.compile(
    rf"(?:{_READ_EN}(?: me| us)\b|{_READ_FR}-(?:moi|nous)\b"
    rf"|(?:{_READ_EN}|{_READ_FR}) .{{0,60}}?\b{_STATE}\b"
    r"|(?:tell|explain|summari[sz]e|recap|clarify|describe|resume[rz]?|explique[rz]?"
    r"|recapitule[rz]?|look up|find out|dis|dites)\b(?! of))"
)

ASK_ABLE = re.compile(
    rf"(?:(?:can|could|would|will|may|might|shall) (?:we|you|i|one|they|somebody"
    rf"|someone|(?:our |the |all )?[a-z]+s) (?!have [a-z]+(?:ed"
    rf"|en)\b){_ADV}(?:please |be able to )?"
    r"|could (?:the|our|each|every|this) (?:[a-z-]+ ){1,4}?(?=[a-z]+ )"
    r"|would you mind |is it possible (?:to |for )|would it be possible (?:to |for )"
    r"|is there (?:a|any) way (?:to|for) |any (?:chance|way|possibility) "
    r"|what would it take to |how about |why don't we |why not |what if we |what about "
    r"|are you able to |do you think (?:we|you) could "
    r"|(?:est-ce qu(?:e |'))?(?:peut[- ]on|pourrait[- ]on|peux[- ]tu|pourrais[- ]tu"
    r"|pouvez[- ]vous"
    r"|pourriez[- ]vous|pouvons-nous|pourrions-nous|puis-je|tu peux|tu pourrais"
    r"|vous pouvez|vous pourriez|on peut|on pourrait|nous pourrions|nous pouvons"
    r"|ne pourrait-on pas|(?:les |nos )[a-z]+ (?:peuvent|pourraient)) "
    r"|(?:est-il|serait-il|sera-t-il|est-ce|serait-ce) possible (?:de |d'|que |qu')"
    r"|y aurait-il moyen (?:de |d'|que |qu')|y a-t-il (?:un )?moyen (?:de |d'|que |qu')"
    r"|(?:il )?y a(?:urait)? moyen (?:de |d'|que |qu')"
    r"|moyen d(?:e |')|pourquoi ne pas |pourquoi pas |et si (?:on |nous )|que dirais-tu"
    r"|que diriez-vous|aurait-on |pourra-t-on )"
)

QUESTION = re.compile(
    r"(?:who|whom|whose|what(?! an? )|what's|whats|which|when|where|why|how|is|are"
    r"|was|were"
    r"|do(?! it)"
    r"|does|did|has|have|had|will|would|can|could|should|shall|may|am|isn't|aren't"
    r"|didn't|doesn't|hasn't|any news|any update|qui|que|qu'est-ce|quel|quelle|quels"
    r"|quelles|quand|ou en|ou est|ou sont|pourquoi|comment|combien|est-ce|est-il"
    r"|sont-ils|a-t-on|as-tu|avez-vous|y a-t-il|a-t-elle|a-t-il|ont-ils|doit-on"
    r"|faut-il|devrait-on|sais-tu|savez-vous|lesquelles|lesquels|laquelle|lequel"
    r"|c'est quoi|c quoi|a quoi|de quoi|par qui|a qui|depuis quand"
    r"|i(?:'m| am) wondering|i wonder (?:if|whether|what|how|who|when|why|where"
    r"|which)|je me demande)(?![a-z-])"
    r"|[a-z]+-t-(?:on|il|elle|ils|elles)\b"
)

# Openings after which nothing is asked for.
MUSING = re.compile(
    r"(?:(?:i|we) (?:just )?(?:want|need|would like|'d like) (?:to |some time )"
    r"(?:think|know|understand|see (?:what|which|how|if|the)|thank|ask|check|discuss"
    r"|talk|hear|be sure|tell|say|chat|sleep)"
    r"|(?:i'd|we'd) like to (?:think|know|understand|thank|ask|hear|talk|discuss)"
    r"|(?:je|nous) (?:veux|voudrais|voulons|souhaite|aimerais|dois|voulais) (?:juste )?"
    r"(?:reflechir|y reflechir|savoir|comprendre|remercier|demander|te dire|vous dire"
    r"|discuter|parler|verifier si)|j'aimerais (?:savoir|comprendre|reflechir|discuter)"
    r"|i (?:was|am|'m) (?:just )?(?:thinking|wondering(?! (?:if|whether) (?:we|you"
    r"|there|it)"
    r" (?:could|can|might|would))|reading|curious)"
    r"|you (?:already|have)|tu as (?:deja)?|vous avez (?:deja)?"
    r"|let me (?:think|sleep|see|check|ask|come back|talk)|laissez?[- ]moi (?:y )?"
    r"(?:reflechir|voir|le temps|verifier)|(?:i )?(?:have )?no idea|i (?:do not"
    r"|don't|dont) know|je ne sais (?:pas|plus)"
    r"|je sais pas|aucune idee|j'ignore|nothing|rien|i need a (?:break|coffee"
    r"|moment|minute)"
    r"|(?:yesterday|hier|last (?:week|month|year)),? (?:we|i|on|nous|j'))(?![a-z])"
)

# What happened stands before what is wished for.
PAST = re.compile(r"(?:yesterday|hier|last (?:week|month|year))\b")

HEDGE = re.compile(
    r"\b(?:not sure|no idea|undecided|sans savoir|pas sur|pas certain|aucune idee"
    r"|thinking out loud|just a thought|je reflechis|hesite)\b"
)

NEED = re.compile(
    rf"(?:(?:we|i|they|you|one|people|everyone|everybody|[a-z']+(?: [a-z']+){{0,4}}?)"
    rf" {_ADV}(?:(?:would|'d|will|'ll|do) {_ADV})?"
    rf"(?:need(?:s|ed)?|wants?|require(?:s)?|wish(?:es)?|love|prefer|lack|lacks|hope"
    r"|(?<=would )like|miss)\b(?! help| your help| advice)"
    rf"|(?:we|i|they|he|she)(?:'d|'ll) {_ADV}(?:like|love|need|want|prefer)\b"
    r"|(?:i am|i'm|we are|we're|they are|users are|customers are|people are|[a-z]+"
    r" (?:keep|keeps|kept)) (?:looking|asking|hoping|requesting|requiring|missing"
    r"|after)"
    r"\b|(?:looking|asking|hoping|wishing) for\b|(?:our|the|some|many) [a-z"
    r" ]{2,40}?(?:asks?|asked)(?: us)? for\b|(?:requesting|request for|need|needed"
    r"|needs|want|wanted|wish|wishing|require|required|would love|would like|missing)"
    r"[ :]|(?:feature|change|new) (?:request|idea|wish)\b|(?:request|idea|suggestion"
    r"|wish|proposal|todo|to do|bug|issue|demande|idee|besoin|souhait|evolution"
    r"|amelioration|proposition|requete|objet|subject|probleme|anomalie|incident) ?:"
    r"|(?:it|that) would (?:really )?help\b|it(?: would|'d| might| could"
    r"| will)(?: really)? be (?:[a-z]+ )?(?:nice|great"
    r"|good"
    r"|useful|helpful|handy|lovely|cool|awesome|better|best|wonderful|perfect|ideal"
    r"|fantastic|amazing|worth|wise|super)\b"
    r"|(?:would be|be) (?:nice|great|good|useful|helpful|cool|handy)\b"
    r"|there (?:should|must|needs to|has to|ought to) be\b|let's |lets |let us "
    r"|(?:we|i) (?:have no|can't|cannot|are unable|am unable|aren't able|have to|must"
    r"|should|shud|shoud|could|ought|might want|may want|plan to|intend to|'ve got to"
    r"|had better"
    r"|propose|suggest|request)\b|(?:we've|i've) got to\b|(?:i|we)(?:'d"
    r"| would) rather (?!not\b)|nice to have\b"
    r"|(?:i|we) (?:was|were) wondering (?:if|whether) (?:we|you|there|it) (?:could|can"
    r"|might|would)\b|i ask\b|i suggest\b"
    r"|there(?:'s| is| are) (?:currently |still )?no\b|no way to\b"
    r"|(?:we|users|customers|people) (?:currently |still )?(?:have no|lack)\b"
    r"|as an? [a-z' -]{2,60}? (?:i|we) (?:want|need|would like|must|should)\b)"
)

MODAL = re.compile(
    r"[^,;:?]{2,120}? (?:must|should|shall|has to|have to|needs to|need to|ought to"
    r"|is needed|are needed|is required|are required|is missing|are missing|is wanted"
    r"|would be (?:nice|great|useful|helpful|good|welcome|handy)"
    r"|doit|doivent|devrait|devraient|devra|devront|faudrait|est necessaire"
    r"|serait (?:bien|utile|pratique|super|bienvenue?|apprecie)|manque|manquent"
    r"|sont necessaires|a besoin|ont besoin|aurait besoin|auraient besoin"
    r"|aimeraient|voudraient|souhaitent|reclament|veulent|demande(?= (?:une?|des|a"
    r"|que) )|demandent|voudrait|souhaite"
    r"|souhaiterait|aimerait|souhaiteraient|reclame)\b"
)

NEED_FR = re.compile(
    rf"(?:il (?:me |nous |leur |lui |te |vous )?(?:faut|faudr(?:ait|ais|a)|en"
    rf" faudrait)\b"
    rf"|(?:faut|faudrai[ts]) "
    rf"|(?:on|nous|j'|je) ?{_ADV_FR}(?:a|ai|avons|aurions|aurais|aurait|aura|aurons) "
    rf"{_ADV_FR}besoin\b|besoin (?:de |d'|que |qu'|urgent)"
    r"|(?:j ?'?aimerais|j'adorerais|j(?:e |'| )?voudrais|je souhaite|je souhaiterais"
    r"|je veux"
    r"|je propose|je suggere|je demande|nous (?:aimerions|voudrions|souhaitons"
    r"|souhaiterions|voulons|desirons|proposons|demandons|devons|devrions|pourrions"
    r"|avons a)|on (?:aimerait|voudrait|souhaite|souhaiterait|veut|doit|devrait"
    r"|pourrait|cherche|propose)|nous cherchons|je cherche)\b"
    r"|(?:ce|il|ca|cela) serait (?:[a-z]+ )?(?:bien|bon|super|utile|genial|pratique"
    r"|top|cool|chouette|ideal|parfait|interessant|souhaitable|appreciable|judicieux"
    r"|formidable|agreable|preferable|mieux)\b|(?:merci|priere) d(?:e |')|veuillez "
    r"|il manque\b|il n'y a (?:pas|aucun)|impossible de\b|(?:on|nous|je) (?:ne |n')"
    r"(?:peut|pouvons|peux|arrive|arrivons) pas\b|si (?:seulement )?(?:on pouvait"
    r"|nous pouvions|je pouvais)|il ne faut pas (?:que|qu')|(?:ca|cela) (?:doit"
    r"|devrait|serait)|(?:l'idee|l'objectif|le but) (?:est|serait) (?:de |d'|que |qu')"
    r"|en tant qu(?:e |')[a-z' -]{2,60}? (?:je|nous) (?:veux|voudrais|souhaite|dois"
    r"|voulons|souhaitons|devons)\b"
    r"|j'ai une demande|on manque|nous manquons|prevoir |souhait "
    r"|il serait (?:peut-etre |sans doute )?(?:bon|utile|temps|judicieux) d[e']"
    r"|(?:ce|ca|cela) serait [a-z]+ (?:de |d'|que |qu'|si )|l'ideal )"
)

COMPLAINT = re.compile(
    r"[^;:?]{2,140}?(?: (?:is|are|gets?|feels?|looks?|has been|have been|becomes?)"
    r" (?:still |just |now |always |often |really |totally )*(?:too|broken|down|missing"
    r"|wrong|very slow|so slow|slow|buggy|unusable|unreadable|unreliable|empty|garbled"
    r"|truncated|outdated|out of date|out of sync|duplicated|hanging|failing|crashing"
    r"|stuck|inaccessible|unavailable|painfully|extremely slow|awfully slow)\b"
    r"| (?:crash(?:es)?|fails?|breaks?|freezes?|hangs?|times out|time out|timeouts?"
    r"|loses|duplicates|takes (?:too|ages|forever|over|more|up|\d+)|keeps? [a-z]+ing"
    r"|logs? (?:me|us|users|people) out|lags?|glitches|drops the|resets itself"
    r"|(?:[a-z ]+ )?(?:annoying|frustrating|a pain)\b|en double\b|se perd(?:ent)?\b"
    r"|(?:[a-z' ]+ )?(?:penible|agacant|genant|bloquant)e?s?\b|stopped working|errors?"
    r" out|throws|goes blank|disappears?|shows? (?:the )?wrong"
    r"|never [a-z]+s)\b"
    r"| (?:does not|doesn't|doesnt|do not|don't|is not|isn't|are not|aren't|can't"
    r"|cannot"
    r"|cant|won't|will not|no longer|never) [a-z]+"
    r"| (?:est|sont|reste|restent|devient) (?:[a-z]+ )?(?:trop|beaucoup trop|tres lent"
    r"|tres lente|lent|lente|casse|cassee|cassees|casses|en panne|plante|plantee|bloque"
    r"|bloquee|illisible|illisibles|inutilisable|vide|vides|faux|fausse|errone|erronee"
    r"|obsolete|obsoletes|inaccessible|indisponible|tronque|tronquee|en erreur)\b"
    r"| (?:ne |n')[a-z' ]{1,30}? ?(?:pas|plus|jamais|aucun)\b"
    r"| (?:plante|plantent|bug|bugge|bogue|rame|rament|echoue|echouent|freeze|disparait"
    r"|disparaissent|tombe en|tombent en|met(?:tent)? (?:plus|trop|\d+|des|beaucoup"
    r"|deux"
    r"|trois|cinq|dix|quinze|vingt|trente|une? )"
    r"|prend(?:nent)? (?:trop|plus)"
    r"|prend \d+|perd|perdent|ralentit|deconne|marche (?:mal|pas|plus)|marchent pas"
    r"|fonctionne (?:mal|pas|plus)|fonctionnent pas|se bloque|se ferme)\b)"
)

# Words about the past or about someone's saying: the sentence reports.
REPORT = re.compile(
    r".{0,60}?\b(?:said|wrote|told (?:me|us)|keeps? (?:repeating|saying)|mentioned"
    r"|joked|claimed|a (?:dit|ecrit"
    r"|raconte|plaisante|pretendu)|il est ecrit|(?:minutes|note|ticket|e-?mail"
    r"|mail|message|text|document|letter|guide|manual|compte rendu|courriel|texte"
    r"|lettre"
    r"|manuel|affiche|sign) (?:says?|reads?|states?|dit|indique|demande)"
    r" (?:that|to|somebody|someone|qqq|qu[e'])|m'a (?:dit|ecrit|raconte)"
    r"|nous a (?:dit|ecrit))\b"
)
# "When a refund exceeds 500 it should ...": no question, though no comma tells it.
CONDITIONAL_NEED = re.compile(
    r"(?:when|quand) (?!(?:do|does|did|is|are|was|can|could|will|would|should|shall"
    r"|must|exactly)\b)(?:[a-z0-9'%.-]+ ){2,16}?"
    r"(?:(?:it|they|you|we) (?:should|must|need to|needs to|has to|have to)"
    r"|il (?:faut|faudrait)|(?:on|nous) (?:doit|devons))\b[^?]*$"
)
POLITE_END = re.compile(
    r".*\b(?:please|pls|plz|svp|stp|s'il (?:te|vous) plait|s v p|asap)[ .!?]*$"
)
# A need within a sentence that begins with something else.
WISH_WITHIN = re.compile(
    r"(?<!not )(?<!n't )(?<!no )(?<!to )\b(?:needs?|wants?)\b(?! help"
    r"| your help| advice)"
    r"|\bwould (?:really )?(?:like|love)\b|\bi wish\b|\b(?:should|must|ought to)\b"
    r"|\b(?:we|it|this) (?:has|have) to\b"
    r"|\bwe(?:'ve| have)? (?:agreed|decided) that\b"
    r"|(?:avons|a|ai|ont|aurions) (?:[a-z]+ )?besoin (?:d[e'u]|que)|\bil (?:nous |me )?"
    r"fau(?:t|drait)\b|\b(?:doi(?:t|vent)|devrai(?:t|ent))\b|\b(?:nous|on) (?:a|avons"
    r"|sommes) (?:convenus?|decide) qu|\b(?:aimerai[ts]|aimerions|voudrai[ts]"
    r"|voudrions|souhait(?:e|ons|ent|erais))\b"
    r"|(?:^|[,:] )(?:(?:nobody|no one|noone|none|no [a-z]{3,})\b.{0,80} (?:may|can"
    r"|should|must|will|shall)"
    r"|personne ne|aucune? [a-z]+ ne|seule?s? les?)\b"
)
# A complaint, or a rule with its condition, that has no other sign of a wish.
HOLDS_WITHIN = re.compile(
    r"\b(?:gets?|receives?|sees?|recoi(?:t|vent)|voi(?:t|ent)) .{3,80} (?:when|if|once"
    r"|as soon as|quand|lorsqu[e']|si|des qu[e'])[ a-z]"
    r"|\btoo (?:many|much|[a-z]+)\b|\b(?:i|we|they) keep [a-z]+ing\b|\bhave to\b"
    r"|\bit takes (?:me|us|them)\b|\b(?:cannot|can't|cant|unable to)\b|\bno more\b"
    r"|\btrop\b|\b(?:marre|assez) de\b|\bn'arriv\w+ (?:pas|jamais)\b|\bplus jamais\b"
    r"|\b(?:je|on|nous) (?:doi[st]|devons)\b|\bau lieu de\b|\binstead of\b"
)
# "How do we get this to happen": a wish in the form of a question.
WISH_QUESTION = re.compile(
    r"what would it take|(?:.{0,40}? )?comment (?:faire|on fait|peut-on faire|fait-on)"
    r" pour (?:que |qu')|why (?:can't|cannot|don't|doesn't|isn't|is there no)\b"
    r"|pourquoi (?:ne |n'|on ne |y a-t-il pas)|(?:can|could) (?:the|our|an?|each|every"
    r"|this|it|someone|somebody|anyone|everyone) (?!tell\b|explain\b|show me\b)"
    r"|(?:.{0,60}? )?(?:pourrai(?:t|ent)|pourri(?:ez|ons))(?:-| )"
    r"|how (?:can|do|could) (?:we|i|you) make (?:sure|it so)\b"
)
REASON = re.compile(r"\b(?:because|since|as we|car|parce qu[e']|puisqu[e'])\b.*")
# "agrandissez-les", "Tamponnez le dossier": the ending tells the order.
ORDER_FR = re.compile(
    r"(?!(?:hier|cher|premier|dernier|entre|notre|votre|autre|contre|outre|encore"
    r"|titre|livre|soir|assez|chez|avez|savez|pensez|allez|nez|rez|venez|etes)\b)"
    r"(?:[a-z]{3,}ez|[a-z]{3,}(?:er|ir|dre|tre|ire|vre)(?= ))"
    r"(?:-(?:les?|la|l|lui|leur|en|y|moi|nous)\b| (?:en|les?|la|l'|un|une|des|du|d'"
    r"|aux?|ce|cette|ces|tous?|toutes?|chaque|leurs?|nos|notre|mes|mon|ma|plus"
    r"|aussi|bien)"
    r"(?: |\b))"
)
# A word before an article is an order, unless it is one of these.
ORDER_EN = re.compile(
    r"(?!(?:in|on|at|for|with|from|by|after|before|since|during|until|till|per|via|is"
    r"|are|was|were|be|been|has|have|had|do|does|did|and|or|but|not|nor|so|yet|than|as"
    r"|like|unlike|if|when|while|once|because|though|although|that|what|which|who|whose"
    r"|where|why|how|whether|half|both|such|only|even|just|also|too|about|above|across"
    r"|against|along|among|around|behind|below|beneath|beside|besides|between|beyond"
    r"|despite|down|except|inside|into|near|of|off|onto|out|outside|over|past|through"
    r"|throughout|to|toward|towards|under|up|upon|within|without|today|tomorrow"
    r"|yesterday|now|then|here|there|maybe|perhaps|thanks|hello|hi|hey|dear|yes|no|ok"
    r"|okay|all|any|some|every|each|this|these|those|it|i|we|you|they|he|she|my|our"
    r"|your"
    r"|their|her|his|its|quite|rather|almost|nearly|never|always|often|sometimes|still"
    r"|should|could|would|can|may|might|must|shall|will|let|sorry|wow|what's|minus|plus"
    r"|hear|think|guess|know|believe|wonder|feel|remember|imagine|suppose|approve"
    r"|reject"
    r"|said|told|sur|dans|pour|par|avec)\b)"
    r"[a-z]{3,}(?<!s)(?<!ed)(?<!ing)(?<!ly) (?:the|an?|our|every|each|all|any|their"
    r"|them|it) (?!(?:is|are|was|were)\b)[a-z0-9]"
)
# "On Fridays close the form": an order after a time, a place or a condition.
PLACED = re.compile(
    r"(?:on|after|before|at|in|from|for|if|when|whenever|once|every|each|where|during"
    r"|outside|within|until|as soon as) "
)
PIECE = re.compile(r"[,;:]\s+|\s[-–—]\s|\b(?:and then|et ensuite)\b ")
WORD = re.compile(r"[a-z0-9œæ]+(?:'t\b)?")
