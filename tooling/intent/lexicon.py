"""Words of acting in English and French, folded (lower case, no accents)."""

from __future__ import annotations

from tooling.intent.cleaning import fold

_EN_ACTS = """
accelerate accept activate adapt add adjust aggregate alert align allow allocate
analyse analyze anonymise anonymize append apply archive assign attach audit automate
avoid backfill backup ban batch benchmark block book boost bring build bump cache
calculate cancel capture centralise centralize change charge check clean clear clone
close collect colour color combine compare compress compute configure confirm connect
consolidate containerise containerize convert copy correct count cover create crop cut
deactivate debug decommission decouple decrease deduplicate default define delay delete
deliver deploy draft deprecate design detect develop digitise digitize disable
discontinue
display document double download draft drop duplicate edit email embed emit enable
encrypt enforce enhance ensure enrich escalate establish estimate evaluate expand expire
export expose extend extract fetch filter fix flag forward freeze generate give grant
group guard halve handle harden hide highlight host hook implement import improve
include increase index inform insert install instrument integrate interview introduce
invite issue join keep label launch let limit link localise localize lock log lower
mail maintain make map mark mask match measure merge migrate mirror modernise modernize
modify monitor mount move mute name notify offer open optimise optimize order organise
organize outsource overhaul paginate parse patch pause perform pin plan port post
prefill prepare prevent preview print prioritise prioritize process produce propose
protect provide provision prune publish pull purge push put query queue quote raise rank
rate read rebuild recalculate receive record redact redesign redirect redo reduce
refactor refresh refuse register release relocate remember remind remove rename render
renew reorder reorganise reorganize repair replace replicate report require reschedule
reset resize resolve respect restart restore restrict restructure rethink retire retry
return reuse revamp reverse review revise revoke rewrite roll rollback rotate round
route run sanitise sanitize save scale scan schedule scrub secure segment send separate
serve set setup share shift shorten show shrink sign simplify skip snapshot sort speed
split stagger standardise standardize start stop store stream streamline strengthen
structure submit subscribe support suppress surface suspend switch sync synchronise
synchronize tag test throttle tidy tighten track train transfer transform translate trim
trigger tune turn unify unlock unsubscribe update upgrade upload use validate verify
version unblock undo refund reimburse comply
retain page ping call assess chase compile dispatch fill hire negotiate onboard outline
pilot prototype reassign reconnect recover reload reopen resend reserve rework reword
summarise summarize swap teach trace transcribe tweak unlink visualise visualize secure
email warn watch whitelist widen wipe wire work write zip
"""

EN_ACTS: frozenset[str] = frozenset(_EN_ACTS.split())

# Verbs that follow "to" or a modal without being orders by themselves.
EN_STATES: frozenset[str] = frozenset(
    """accommodate answer appear arrive be become behave break comply contain continue
    cost do end fail fall feel fit follow get go happen have last load look pass reach
    remain respond rise say see search sign stay take tell understand view wait warn
    comply survive browse choose pay pick request access call know learn meet need want
    win worry expect find ask leave live reply carry hold stand refer count
    depend agree""".split()
)

# Nouns as often as orders: "export of invoices", "report on churn".
EN_NOUN_TOO: frozenset[str] = frozenset(
    """alert archive audit backup open page call ping text pilot outline batch benchmark
    book cache cap change check copy cover
    cut default delay design display document download draft edit email estimate export
    filter fix flag group guard highlight hook host import increase index invite issue
    label launch limit link lock log mail map mark mask match merge mirror monitor move
    name offer open order patch pause pin plan port post preview print process produce
    query queue quote raise rank rate read record refresh release report reset return
    review revamp reverse rewrite roll rollback rotate round route run scale scan
    schedule segment setup share shift show sign snapshot sort split start stop store
    stream structure support surface switch sync tag test track train transfer trigger
    turn update upgrade upload use version watch whitelist work process cover""".split()
)

_FR_ER = """
abandonner abriter accelerer acheter activer actualiser adapter ajouter ajuster alerter
aligner allonger ameliorer amenager analyser annuler anonymiser appliquer apporter
archiver arreter assigner associer assurer attribuer auditer augmenter automatiser
autoriser baisser basculer bloquer boucher brancher cacher calculer centraliser changer
charger chercher chiffrer classer cloner coder collecter colorer combiner commencer
comparer completer compresser compter concentrer concevoir configurer connecter
consolider conserver consigner controler copier corriger couper creer crypter
declencher decommissionner decouper definir delester deleguer demander demarrer
demenager denombrer deplacer deployer desactiver desinstaller dessiner detecter
developper deverrouiller diffuser diminuer diviser documenter donner doubler dupliquer
durcir echelonner economiser editer effacer elaborer elargir eliminer emballer empecher
encadrer encourager enlever enregistrer enrichir entamer envoyer epurer equiper espacer
estimer etaler etiqueter etudier evaluer eviter executer expedier exporter exposer
externaliser facturer faciliter favoriser fermer fiabiliser figer filtrer finaliser
fixer forcer formaliser former fractionner fusionner garder generaliser generer geler
gerer grouper harmoniser heberger historiser homogeneiser identifier implementer
imposer importer imprimer indexer indiquer informer initialiser installer integrer
interroger inviter isoler journaliser lancer lever liberer lier limiter lister livrer
localiser maquetter marquer masquer melanger menager mesurer migrer minimiser
mettre moderniser modifier monter montrer mutualiser nettoyer nommer normaliser noter
notifier numeriser optimiser ordonner organiser orienter ouvrir parametrer partager
passer permettre personnaliser piloter placer planifier porter poser positionner
pousser preciser preparer presenter prioriser programmer prolonger proposer proteger
publier purger qualifier raccourcir raccorder rafraichir ramener ranger rapatrier
rappeler rapprocher rassembler ratisser rationaliser rattacher realiser reactiver
recenser rechercher recuperer recycler rediger rediriger redimensionner reecrire
reexpedier refaire reformuler regler regrouper relancer relier remonter remplacer
rendre renforcer renommer renouveler renseigner rentrer reparer reperer repeter
replanifier reporter repousser reprogrammer reorganiser resserrer restaurer
restreindre restructurer resumer retablir retirer retourner retravailler reviser
revoquer router sauvegarder scinder securiser segmenter separer signaler signer
simplifier sortir souligner standardiser stocker structurer suivre superviser supprimer
surveiller suspendre synchroniser tester tracer transferer transformer transmettre
travailler trier trouver tronquer uniformiser utiliser valider ventiler verifier
verrouiller verser versionner vider viser visualiser zipper afficher aider alleger
dematerialiser annoncer prevenir avertir reserver inclure caler aggreger agreger
basculer dedoublonner relire rassurer renvoyer rejouer tarifer negocier rouvrir
recruter animer recueillir virer
accorder adopter affecter afficher ajourner alimenter apposer chronometrer cibler
clarifier
clore cloturer communiquer confirmer consulter debloquer decrire dedier demontrer
depanner deverser discuter eclairer emettre encaisser engager entourer envisager etoffer
exploiter fluidifier fonder fouiller franchir gagner imaginer inciter industrialiser
inventorier jumeler justifier louer manuscrire numeroter obliger octroyer outiller
pallier parametrer patienter payer peaufiner plafonner pointer ponderer pouvoir
preserver
privilegier prouver ramasser rattraper reconcilier recopier reduire refuser rejeter
rembourser remedier remplir renouer rentabiliser repenser replacer reprogrammer
respecter
ressaisir retarder revaloriser sanctionner sauver sensibiliser soigner solliciter
soulager soumettre sourcer supporter tagger telecharger tolerer traiter tripler
tronconner
vulgariser
"""

_FR_IRREGULAR = {
    "descendre": "descendre descends descendez descendons",
    "répondre": "repondre reponds repondez repondons",
    "vendre": "vendre vends vendez vendons",
    "défendre": "defendre defends defendez defendons",
    "résoudre": "resoudre resous resolvez resolvons",
    "apprendre": "apprendre apprends apprenez apprenons",
    "joindre": "joindre joins joignez joignons",
    "rejoindre": "rejoindre rejoignez rejoignons",
    "atteindre": "atteindre atteins atteignez atteignons",
    "connaître": "connaitre connaissez connaissons",
    "reconnaître": "reconnaitre reconnais reconnaissez reconnaissons",
    "maintenir": "maintenir maintiens maintenez maintenons",
    "obtenir": "obtenir obtiens obtenez obtenons",
    "retenir": "retenir retiens retenez retenons",
    "agir": "agir agis agissez agissons",
    "remplir": "remplir remplis remplissez remplissons",
    "choisir": "choisir choisis choisissez choisissons",
    "saisir": "saisir saisis saisissez saisissons",
    "servir": "servir sers servez servons",
    "recouvrir": "recouvrir recouvre recouvrez recouvrons",
    "accueillir": "accueillir accueille accueillez accueillons",
    "investir": "investir investis investissez investissons",
    "ralentir": "ralentir ralentis ralentissez ralentissons",
    "assouplir": "assouplir assouplis assouplissez assouplissons",
    "réunir": "reunir reunis reunissez reunissons",
    "soumettre": "soumettre soumets soumettez soumettons",
    "émettre": "emettre emets emettez emettons",
    "élire": "elire elis elisez elisons",
    "lire": "lire lis lisez lisons",
    "décrire": "decrire decris decrivez decrivons",
    "clore": "clore",
    "partir": "partir partez partons",
    "interdire": "interdire interdis interdisez interdisons",
    "mettre": "mets mettez mettons met mettre",
    "remettre": "remets remettez remettons remettre",
    "permettre": "permets permettez permettons permettre",
    "transmettre": "transmets transmettez transmettons transmettre",
    "faire": "fais faites faisons faire",
    "refaire": "refais refaites refaisons refaire",
    "construire": "construis construisez construisons construire",
    "reconstruire": "reconstruis reconstruisez reconstruisons reconstruire",
    "réduire": "reduis reduisez reduisons reduire",
    "produire": "produis produisez produisons produire",
    "introduire": "introduis introduisez introduisons introduire",
    "traduire": "traduis traduisez traduisons traduire",
    "écrire": "ecris ecrivez ecrivons ecrire",
    "réécrire": "reecris reecrivez reecrivons reecrire",
    "inscrire": "inscris inscrivez inscrivons inscrire",
    "inclure": "inclus incluez incluons inclure",
    "exclure": "exclus excluez excluons exclure",
    "revoir": "revois revoyez revoyons revoir",
    "prévoir": "prevois prevoyez prevoyons prevoir",
    "prendre": "prends prenez prenons prendre",
    "reprendre": "reprends reprenez reprenons reprendre",
    "rendre": "rends rendez rendons rendre",
    "étendre": "etends etendez etendons etendre",
    "suspendre": "suspends suspendez suspendons suspendre",
    "restreindre": "restreins restreignez restreignons restreindre",
    "suivre": "suis suivez suivons suivre",
    "ouvrir": "ouvre ouvrez ouvrons ouvrir",
    "rouvrir": "rouvre rouvrez rouvrons rouvrir",
    "offrir": "offre offrez offrons offrir",
    "recueillir": "recueille recueillez recueillons recueillir",
    "prévenir": "previens prevenez prevenons prevenir",
    "tenir": "tiens tenez tenons tenir",
    "sortir": "sors sortez sortons sortir",
    "concevoir": "concois concevez concevons concevoir",
    "relire": "relis relisez relisons relire",
    "définir": "definis definissez definissons definir",
    "établir": "etablis etablissez etablissons etablir",
    "rétablir": "retablis retablissez retablissons retablir",
    "élargir": "elargis elargissez elargissons elargir",
    "enrichir": "enrichis enrichissez enrichissons enrichir",
    "durcir": "durcis durcissez durcissons durcir",
    "raccourcir": "raccourcis raccourcissez raccourcissons raccourcir",
    "rafraîchir": "rafraichis rafraichissez rafraichissons rafraichir",
    "fournir": "fournis fournissez fournissons fournir",
    "garantir": "garantis garantissez garantissons garantir",
    "avertir": "avertis avertissez avertissons avertir",
    "convertir": "convertis convertissez convertissons convertir",
    "répartir": "repartis repartissez repartissons repartir",
    "unir": "unis unissez unissons unir",
    "bâtir": "batis batissez batissons batir",
    "créer": "cree creez creons creer crees",
    "recréer": "recree recreez recreons recreer",
    "envoyer": "envoie envoyez envoyons envoyer envoies",
    "renvoyer": "renvoie renvoyez renvoyons renvoyer",
    "nettoyer": "nettoie nettoyez nettoyons nettoyer",
    "déployer": "deploie deployez deployons deployer",
    "essayer": "essaie essayez essayons essayer",
    "rappeler": "rappelle rappelez rappelons rappeler",
    "renouveler": "renouvelle renouvelez renouvelons renouveler",
}

# Accents of the infinitives above that folding took away.
_FR_ACCENTS = """
accélérer aménager améliorer arrêter compléter contrôler créer déclencher
décommissionner
découper délester déléguer démarrer déménager dénombrer déplacer désactiver désinstaller
détecter développer déverrouiller écheloner échelonner économiser éditer élaborer
éliminer empêcher épurer équiper étaler étiqueter étudier évaluer éviter exécuter
expédier fédérer générer gérer généraliser homogénéiser héberger implémenter intégrer
libérer ménager numériser opérer paramétrer préciser préparer présenter protéger
réaliser réactiver récupérer rédiger régler réparer repérer répéter réorganiser résumer
réviser révoquer sécuriser séparer transférer vérifier dématérialiser alléger agréger
dédoublonner réserver débloquer dédier émettre éclairer pondérer préserver réconcilier
rémédier télécharger tolérer numéroter réviser étoffer paramétrer clôturer chronométrer
cibler dépanner démontrer rediriger réexpédier reécrire négocier numéroter mélanger
""".split()

# Third-person forms that are nouns or other words far more often.
_FR_NOT_ACTS = frozenset(
    {"porte", "note", "marque", "montre", "liste", "poste", "suis"}
)


def _er_forms(infinitive: str) -> list[str]:
    stem = infinitive[:-2]
    soft = stem + "e" if stem.endswith("g") else stem
    return [stem + "e", stem + "es", stem + "ez", soft + "ons", infinitive]


def _french_acts() -> dict[str, str]:
    accented = {fold(word): word for word in _FR_ACCENTS}
    forms: dict[str, str] = {}
    irregular = {fold(word) for word in _FR_IRREGULAR}
    for word in _FR_ER.split():
        if word in irregular or not word.endswith("er"):
            continue
        for form in _er_forms(word):
            forms.setdefault(form, accented.get(word, word))
    for infinitive, listed in _FR_IRREGULAR.items():
        for form in listed.split():
            forms[form] = infinitive
    return forms


# Folded form to infinitive, as "ajoutez" to "ajouter".
FR_ACTS: dict[str, str] = _french_acts()
FR_NOUN_TOO: frozenset[str] = _FR_NOT_ACTS | frozenset(
    """change charge classe controle copie cree demande divise double echange filtre
    forme groupe joue limite livre mesure offre page place pose presente prolonge
    recherche releve reserve reporte sauvegarde signe sorte suite teste trace transforme
    visite remise commande utile annonce relance alerte analyse baisse cible coupe
    facture
    garde offre pilote programme reforme revise signale veille regle reprise rencontre
    masque source lie vide stocke trie cadre aide avance attache archive
    adresse""".split()
)

# Nouns that make a bare phrase ("CSV export of invoices") a wish.
FEATURE_NOUNS: frozenset[str] = frozenset(
    """alert alerts api audit backup badge bot button calendar chart charts checklist
    connector dashboard dashboards digest export exports feature field fields filter
    filters form generator import imports integration login menu migration mode
    newsletter notification notifications page pages pagination portal reminder
    reminders report reports search shortcut sso sync synchronization template templates
    tooltip upload webhook webhooks widget workflow reconciliation archiving
    alerte alertes bouton calendrier champ champs connecteur courriel fiche filtre
    filtres formulaire gabarit generateur graphique integration modele modeles
    notification pagination portail rappel rappels rapport rapports rapprochement
    recapitulatif recherche sauvegarde sauvegardes synchronisation synchro tableau tri
    webhook archivage application appli outil module plateforme interface tool app
    refonte ajout suppression remplacement creation correction
    amelioration traduction deploiement automatisation redesign removal rework cleanup
    translation onboarding captcha""".split()
)
