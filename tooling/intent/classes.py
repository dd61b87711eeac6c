"""The lexical classes of an order, in folded English and French.

Each is a set of phrases; `orders.py` and `assent.py` say how they go together.
"""

from __future__ import annotations

from tooling.intent.words import Phrases


def _french(infinitives: str) -> str:
    """Return the forms in which an -er verb is ordered: crée, créez, créer, crées."""
    endings = ("er", "e", "ez", "es", "iez")
    stems = [word.removesuffix("er") for word in infinitives.split()]
    return "|".join(stem + ending for stem in stems for ending in endings)


def _gerunds(verbs: str) -> str:
    found = []
    for verb in verbs.split():
        stem = verb.removesuffix("e") if verb not in {"see"} else verb
        doubled = stem + stem[-1] if verb in {"set", "put", "log"} else stem
        found.append(doubled + "ing")
    return "|".join(found)


# --- what is done -------------------------------------------------------------------
_CREATE = "create add record log register generate file insert enter save note"
_CREATE_FR = (
    "creer ajouter rajouter enregistrer inserer consigner generer noter inscrire"
)
_CREATE_NEW = "open make start launch raise put submit keep"
_CREATE_NEW_FR = "lancer demarrer deposer monter initier garder conserver poser"
# These make a row, whether it is named as new or not: "create the mission".
CREATE = Phrases(
    f"{_CREATE.replace(' ', '|')}|ad|adda|{_french(_CREATE_FR)}|saisis|saisissez|saisir"
    "|inscris|inscrivez|inscrire|write down",
    slips=True,
)
# These do so with "a", "another", "two"; "open the mission" is to look at it.
CREATE_NEW = Phrases(
    f"{_CREATE_NEW.replace(' ', '|')}|{_french(_CREATE_NEW_FR)}|set up|setup|spin up"
    "|kick off|put in|ouvre|ouvrez|ouvrir|ouvres|ouvriez|fais|faites|faire|fasses"
    "|fassiez|mets en place|mettez en place|mettre en place|soumets|soumettez|soumettre"
    "|mets|mettez|mettre|mettes|mettiez|ask for|demande|demandez|demander",
    slips=True,
)
_CHANGE = (
    "update change rename edit modify set mark move raise lower amend adjust correct"
    " reassign assign reword rewrite extend increase decrease retitle shift put flag"
    " reprioritise reprioritize rephrase tick bump make give postpone"
)
_CHANGE_FR = (
    "modifier changer renommer passer marquer deplacer corriger editer reformuler fixer"
    " monter baisser augmenter reporter assigner affecter attribuer reassigner"
    " actualiser completer adapter regler abaisser basculer donner reattribuer"
)
CHANGE = Phrases(
    f"{_CHANGE.replace(' ', '|')}|{_french(_CHANGE_FR)}|mets a jour|mettez a jour"
    "|mettre a jour|mettes a jour|mets|mettez|mettre|mettes|mettiez|remets|remettez"
    "|remettre|definis|definissez|definir|reecris|reecrivez|reecrire",
    slips=True,
)
# The steps of a task's life; a mission's are taken by people, with no tool.
RUN = Phrases(
    "close|complete|finish|start|block|unblock|reopen|pause|resume|launch|run|"
    + _french("cloturer terminer commencer demarrer debloquer bloquer fermer lancer")
    + "|finis|finissez|finir|rouvre|rouvrez|rouvrir"
)
# "Turn this into a task", "fais-en une mission".
TURN = Phrases(
    "turn|make|convert|"
    + _french("transformer convertir")
    + "|fais|faites|faire|save|keep|record|note|log|file|put|add|store|"
    + _french("garder noter enregistrer conserver ajouter")
    + "|mets|mettez|mettre"
)
# What settles or destroys: no tool exists, whoever asks.
DISPOSE = Phrases(
    "approve|reject|promote|publish|delete|remove|cancel|dismiss|discard|withdraw"
    "|accept|decline|refuse|validate|sign off|resolve|decide|respond to|deny|grant"
    "|settle|erase|drop|revoke|forget|forget about|"
    + _french(
        "approuver rejeter publier supprimer annuler valider accepter refuser retirer"
        " ecarter effacer enlever trancher resilier oublier"
    )
    + "|approuves|promouvoir|decline|declinez|decliner|resous|reponds a|promeus"
)
# A step may leave a draft, though no tool removes a row.
REMOVE = Phrases(
    "remove|delete|drop|erase|" + _french("supprimer retirer enlever effacer")
)
GERUND = Phrases(
    f"{_gerunds(_CREATE)}|{_gerunds(_CREATE_NEW)}|{_gerunds(_CHANGE)}|setting up"
)

# --- on what ------------------------------------------------------------------------
MISSION = Phrases("mission|missions|mission's", slips=True)
TASK = Phrases(
    "task|tasks|task's|subtask|subtasks|tache|taches|sous tache|sous taches|todo|to do",
    slips=True,
)
DECISION = Phrases(
    "decision request|decision requests|request for a decision|request for decision"
    "|decision|decisions|decision's|demande de decision|demandes de decision",
    slips=True,
)
SUGGESTION = Phrases("suggestion|suggestions", slips=True)
DRAFT = Phrases(
    "workflow draft|draft workflow|draft of the workflow|workflow's draft|draft"
    "|brouillon de workflow|brouillon du workflow|brouillon de flux|brouillon"
    "|workflow brouillon|workflow",
    slips=True,
)
STEP = Phrases("step|steps|node|nodes|etape|etapes|noeud|noeuds|graph|graphe")
ATTRIBUTE = Phrases(
    "priority|title|name|objective|goal|goals|owner|assignee|due date|deadline|status"
    "|state|description|detail|details|criteria|criterion|acceptance criteria"
    "|acceptance criterion|wording|text|note|comment|scope"
    "|priorite|titre|nom|objectif|responsable|echeance|date d'echeance|date limite"
    "|statut|etat|intitule|libelle|critere|criteres|critere d'acceptation"
    "|criteres d'acceptation|commentaire|portee"
)
PROPOSAL = Phrases(
    "proposal|proposals|proposition|propositions|request|requests|demande|demandes"
    "|version|versions"
)
PRONOUN = Phrases("it|this|that|them|these|those|la|le|les|ca|cela|ceci|l'|celle la")
ALL_OF_IT = Phrases(
    "this|that|it|ca|cela|ceci|this idea|that idea|the idea|cette idee|l'idee|le|la|en"
    "|this one|that one|them|these|celle ci|ce point|that point|this point"
)

DEFINITE = frozenset(
    """the this that these those my our its your le la les l' cette ce cet ces ma mon
    mes notre nos sa son ses leur all both tous toutes""".split()
)
INDEFINITE = frozenset(
    """a an another one two three four five six several some new un une des deux trois
    quatre cinq plusieurs autre nouvelle nouvelles d' de quelques additional 2 3 4 5
    more""".split()
)
# Between the act and its object nothing else may stand in French, and for a new row.
ADJECTIVES = frozenset(
    """new yet encore fresh quick short urgent separate second third first
    other small big follow
    up high low medium priority top single simple further additional extra next
    following important proper dedicated little main
    nouvelle nouvelles nouveau autre autres petite petites grande simple courte vraie
    premiere deuxieme seconde troisieme suivante unique belle rapide""".split()
)
# With these the row is a machine's, not one of this system.
TECHNICAL = frozenset(
    """scheduled background cron recurring periodic automated automatic nightly daily
    weekly async celery batch planned hourly planifiee planifiees automatique
    automatiques recurrente recurrentes periodique quotidienne nocturne cron
    automatisee programmee""".split()
)
# A row's name followed by one of these is a part of a product: "mission dashboard".
PRODUCT = frozenset(
    """dashboard dashboards page pages screen screens list lists form forms board boards
    template templates view views table tables export exports report reports editor
    panel card cards button buttons filter filters column columns type types icon
    colour color statement control tree matrix planner tracker manager queue log history
    feature module tab tabs generator api endpoint widget menu search calendar map
    import badge chart charts force counter app application portal site website tool
    tools platform server intranet database model models module email emails mail
    notification notifications reminder reminders field fields form website archive
    tableau formulaire ecran ecrans liste listes bouton boutons filtre filtres colonne
    colonnes onglet calendrier modele modeles portail serveur appli outil rapport
    rapports courriel courriels fiche fiches menu champ champs vue vues planning agenda
    base interface plateforme recherche statuses handling management system logic
    wizard overview history bar sidebar shortcut creation label labels
    limit limits count number
    quota size length width box deadline""".split()
)

# --- how it is said -----------------------------------------------------------------
# Words before an order that carry none of it.
LEAD = Phrases(
    "hi|hello|hey|dear|good morning|good afternoon|good evening|bonjour|bonsoir|salut"
    "|coucou|all|team|everyone|there|folks|again|a tous|a toutes|tout le monde"
    "|assistant|dialogue|please|pls|plz|plese|plaese|pleas|pelase|plase|pleae|kindly"
    "|ok|okay|so|also|and|but|then|well|now|next|finally|first|firstly|second"
    "|secondly|third|thirdly|lastly|besides|alors|donc|et|mais|puis|ensuite|enfin"
    "|aussi|or|bref|du coup|sinon|bon|voila|svp|stp|s'il te plait|s'il vous plait"
    "|s v p|thanks|thank you|merci|thanks a lot|many thanks|merci beaucoup|urgent"
    "|important|yes|oui|yep|yeah|sure|right|great|perfect|parfait|super|tres bien"
    "|c'est bon|d'accord|entendu|just|quickly|vite|maintenant|right away|right now"
    "|tout de suite|as discussed|comme convenu|if possible|si possible|alright"
    "|all right|good|fine|today|aujourd hui|immediately|immediatement|d'abord"
    "|premierement|deuxiemement|cool|do|asap|two things|one thing|one more thing"
    "|une chose|deux choses|encore une chose|autre chose|new day|par ailleurs|de plus"
    "|en plus|additionally|hop|allez|eh bien|thanks in advance|merci d'avance"
    "|quick one|small request|petite demande|new plan|nouveau plan|let me be clear"
    "|soyons clairs|here is what i want|here's what i want|voici ce que je veux"
    "|my request|ma demande|request|demande|order|ordre|action now"
)
GO = Phrases("go ahead and|go ahead|vas y|allez y|go on and|let's go ahead and|go")
POLITE = Phrases(
    "can you|could you|would you|will you|can u|could u|you can|you may|you could"
    "|i want you to|i'd like you to|i would like you to|i need you to"
    "|i'm asking you to|i am asking you to|i ask you to|i order you to"
    "|be so kind as to|be so kind to|would you be so kind as to"
    "|would you be kind enough to|may i ask you to|can i ask you to|could i ask you to"
    "|might i ask you to|we want you to|we need you to|we'd like you to"
    "|peux tu|pourrais tu|pouvez vous|pourriez vous|tu peux|tu pourrais|vous pouvez"
    "|vous pourriez|est ce que tu peux|est ce que tu pourrais|est ce que vous pouvez"
    "|est ce que vous pourriez|veux tu|voulez vous|veux tu bien|voudrais tu"
    "|voudriez vous|merci de|merci d'|merci de bien vouloir|priere de|priere d'"
    "|veuillez|veuille|il faut que tu|il faut que vous|je veux que tu"
    "|je veux que vous|je voudrais que tu|je voudrais que vous|j'aimerais que tu"
    "|j'aimerais que vous|je souhaite que tu|je souhaite que vous|je te demande de"
    "|je te demande d'|je vous demande de|je vous demande d'|j'ai besoin que tu"
    "|j'ai besoin que vous|tu veux bien|vous voulez bien|aurais tu la gentillesse de"
    "|auriez vous la gentillesse de|auriez vous l'amabilite de|je te prie de"
    "|je vous prie de|je te prie d'|je vous prie d'|nous voulons que tu|on veut que tu"
    "|ayez la gentillesse de|aie la gentillesse de|peut tu|peus tu|pourrait tu|tu peut",
    slips=True,
)
# Asks what can be done, and orders nothing.
ABLE = Phrases(
    "are you able to|are you capable of|do you know how to|can you even"
    "|es tu capable de|etes vous capable de|es tu en mesure de|etes vous en mesure de"
    "|can i|may i|could i|shall i|should i|is it possible to|am i allowed to"
    "|do i have to|puis je|est il possible de|est ce que je peux|dois je"
    "|ai je le droit de|sais tu|savez vous|as tu le droit de|are you allowed to"
    "|es tu autorise a"
)
MIND = Phrases("would you mind|do you mind|you mind")
YOU = Phrases("tu|vous")
ADVERB = Phrases(
    "please|pls|plz|kindly|now|just|also|quickly|immediately|right now|right away|then"
    "|go ahead and|me|us|for me|for us|again|too|at once|straight away|today|asap|stp"
    "|svp|s'il te plait|s'il vous plait|maintenant|aussi|donc|vite|rapidement|bien|moi"
    "|nous|lui|pour moi|pour nous|tout de suite|immediatement|des a present|des"
    " maintenant|desormais|egalement|juste|encore|bien vouloir|aujourd hui|ici|here"
    "|automatically|automatiquement|always|toujours|systematically|systematiquement"
    "|sans attendre|without delay|in this system|dans le systeme|d'urgence|urgently|y"
    "|a new|one more|ensuite|puis|while i think of it"
)
POLITE_TAG = Phrases(
    "please|pls|ok|okay|thanks|will you|would you|could you|can you|if you can|right"
    "|d'accord|stp|svp|s'il te plait|s'il vous plait|tu veux bien|merci|veux tu|if"
    " possible|si possible"
)
NOT_REALLY_IF = Phrases(
    "if possible|if you can|if you please|si possible|si tu peux|si vous pouvez"
    "|if you don't mind|if you would|if you like|si tu veux bien|si vous voulez bien"
    "|s'il te plait|s'il vous plait|s'il te plait bien|if you could"
    "|as soon as possible|des que possible|if needed|si besoin|no later than"
    "|au plus tard|plus tard possible"
)
# What a task may be about: "a task to check whether …".
INQUIRY = frozenset(
    """check see verify decide determine ask know find out test confirm investigate
    whether evaluate verifier voir savoir decider determiner demander tester evaluer
    confirmer regarder controler""".split()
)
CONTENT = Phrases(
    "called|named|titled|entitled|to|for|about|on|regarding|concerning|that|which"
    "|asking|with|of|whether|saying|from|so that|so|intitulee|nommee|appelee|pour|sur"
    "|au sujet de|a propos de|avec|afin de|afin d'|qui|de|d'|du|des|concernant|dont"
    "|visant a|relative a|relatif a|que|qu'|entre|between"
)
