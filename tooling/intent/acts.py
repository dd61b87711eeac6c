"""The verbs of the orders that the grammar knows, folded, English and French."""

from __future__ import annotations

import re

from tooling.intent.objects import words

MAKE = words(
    "create add open log record register make start launch raise file put insert"
    " enter submit note write save set spin cree creer creez crees ajoute ajouter"
    " ajoutez ajoutes ouvre ouvrir ouvrez ouvres enregistre enregistrer enregistrez"
    " enregistres consigne consigner consignez lance lancer lancez lances noter notez"
    " inscris inscrire inscrivez demarre demarrer demarrez saisis saisir saisissez"
    " fais faire faites mets mettre mettez mettes depose deposer deposez soumets"
    " soumettre soumettez rajoute rajouter rajoutez initie initier initiez turn"
    " transforme transformer transformez convert"
)
# These mean "show" or "go on with" where the row is a known one.
MAKE_NEW = words(
    "open start launch make write put set ouvre ouvrir ouvrez ouvres lance lancer"
    " lancez lances demarre demarrer demarrez fais faire faites mets mettre mettez"
)
IDIOM = words("make fais faire faites write put set start launch lance lancer lancez")
CHANGE = words(
    "rename reattribue reattribuer reattribuez reassigne reassigner reaffecte"
    " reaffecter prolonge prolonger prolongez avance avancer avancez update change"
    " edit modify set mark assign reassign move reschedule postpone prioritise"
    " prioritize reprioritise reprioritize amend adjust correct revise rewrite retitle"
    " flag raise lower increase decrease put give extend shorten push block unblock"
    " replace attach tag complete finish start pause resume reopen close tick renomme"
    " renommer renommez renommes modifie modifier modifiez modifies changer changez"
    " changes passe passer passez passes mets mettre mettez marque marquer marquez"
    " marques assigne assigner assignez affecte affecter affectez attribue attribuer"
    " attribuez deplace deplacer deplacez reporte reporter reportez decale decaler"
    " decalez edite editer editez corrige corriger corrigez fixe fixer fixez definis"
    " definir definissez bloque bloquer bloquez debloque debloquer debloquez termine"
    " terminer terminez rouvre rouvrir rouvrez clos clore cloture cloturer cloturez"
    " actualise actualiser actualisez rebaptise rebaptiser rebaptisez donne donner"
    " donnez augmente augmenter augmentez baisse baisser baissez demarre demarrer"
    " demarrez commence commencer commencez priorise prioriser priorisez precise"
    " preciser completer ferme fermer fermez"
)
# Acts that need a person's own hand in a mission's life: no order to the assistant.
ENDS = words(
    "complete finish start pause resume reopen close tick termine terminer terminez"
    " clos clore cloture cloturer cloturez rouvre rouvrir rouvrez demarre demarrer"
    " demarrez commence commencer commencez ferme fermer fermez"
)
PLACE = words(
    "delete"
    " put move insert add remove swap reorder replace rename place drop mets mettre"
    " mettez deplace deplacer deplacez insere inserer inserez ajoute ajouter ajoutez"
    " retire retirer retirez remplace remplacer remplacez inverse inverser inversez"
    " renomme renommer placer placez supprime enleve enlever enlevez"
)
DISPOSE = words(
    "approve reject promote publish delete cancel remove discard refuse accept"
    " decline deny erase archive close settle approuve approuver approuvez approuves"
    " rejette rejeter rejetez promeus promouvoir promouvez publie publier publiez"
    " supprime supprimer supprimez annule annuler annulez efface effacer effacez"
    " valide valider validez refuser refusez accepte accepter acceptez archiver"
    " archivez"
)
KNOWN = MAKE | CHANGE | PLACE | DISPOSE
SLIPS = {
    **{
        slip: right
        for right, slips in {
            "add": "ad addd dad",
            "open": "opne oepn opn",
            "mark": "makr mrak mrk",
            "move": "mvoe moev mov",
            "log": "lgo",
            "cree": "cre crre cere creee",
            "mets": "mest",
        }.items()
        for slip in slips.split()
    }
}
LONG_ACTS = tuple(
    word for word in sorted(MAKE | CHANGE) if len(word) >= 5 and word not in IDIOM
)
MARKED_DONE = re.compile(
    r"\b(?:approved|rejected|cancel+ed|published|promoted|deleted|approuvee?|rejetee?"
    r"|annulee?|publiee?|promue?|supprimee?|validee?)\b"
)
ENDED = re.compile(
    r"\b(?:done|closed|complete|completed|finished|settled|terminee?|close|cloturee?"
    r"|achevee?|finie?)\b"
)
OF = words("of for on to in de du d' des pour a au")
INTO = words("to in into from of within dans au du de a sur")
PRONOUNS = words("it them this that ca cela ceci")
# Behind "would you mind".
GERUNDS = {
    "adding": "add",
    "creating": "create",
    "opening": "open",
    "logging": "log",
    "recording": "record",
    "renaming": "rename",
    "updating": "update",
    "changing": "change",
    "marking": "mark",
    "moving": "move",
    "assigning": "assign",
    "setting": "set",
}
EACH = words("every each all any chaque tout toute tous toutes")
