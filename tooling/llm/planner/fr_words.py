"""Words and phrases that the French wording looks for, over folded text."""

from __future__ import annotations

import re

FREQUENT = (
    (r"nocturnes?", "chaque nuit"), (r"quotidien(?:ne)?s?", "chaque jour"),
    (r"journali(?:er|ere)s?", "chaque jour"),
    (r"hebdo(?:madaires?)?", "chaque semaine"),
    (r"mensuel(?:le)?s?", "chaque mois"), (r"trimestriel(?:le)?s?", "chaque trimestre"),
    (r"annuel(?:le)?s?", "chaque année"), 
)  # fmt: skip
FREQUENCY = re.compile(
    r"(?:chaque (?:nuit|jour|matin|soir|semaine|mois|heure|trimestre|annee|an|lundi"
    r"|mardi"
    r"|mercredi|jeudi|vendredi|samedi|dimanche|fin de mois|minute|week-end)"
    r"|tous les (?:jours|matins|soirs|mois|ans|trimestres|lundis|mardis|mercredis"
    r"|jeudis"
    r"|vendredis|samedis|dimanches|[a-z0-9]+ (?:minutes|jours|mois|ans))"
    r"|toutes les (?:heures|nuits|semaines|[a-z0-9]+ (?:minutes|heures|semaines"
    r"|secondes))"
    r"|(?:une|deux|trois) fois par (?:jour|semaine|mois|an|heure|nuit|trimestre)"
    r"|en temps reel|(?:le|du) (?:lundi|vendredi) (?:matin|soir))"
    r"(?: (?:a|avant|des|vers) [0-9]{1,2} ?h(?:eures)?(?: ?[0-9]{2})?)?"
    r"|a (?:midi|minuit|[0-9]{1,2} ?h(?:eures)?(?: ?[0-9]{2})?)(?!\w)"
)
SENT = frozenset(
    """recapitulatif resume courriel mail e-mail email newsletter rappel alerte message
    notification recap sms bulletin lettre alertes rappels notifications digest
    avertissement""".split()
)
RUNS = frozenset(
    """export import sauvegarde synchronisation synchro job test controle nettoyage
    purge
    rapprochement actualisation traitement exports imports sauvegardes script batch
    transfert copie archivage verification""".split()
)
HELD = frozenset({"test", "revue", "reunion", "audit", "exercice"})
ACTS = ("tion", "sion", "ment", "age")
PEOPLE = re.compile(
    r"(?:(?:les?|la|l'|notre|nos|chaque|tous les|toute l') ?)?(?:.*\b)?(?:equipes?"
    r"|clients?"
    r"|utilisateurs?|responsables?|managers?|services?|finance|compta|comptabilite|direction"
    r"|support|marketing|rh|juridique|tout le monde|developpeurs?|operateurs?"
    r"|auditeurs?"
    r"|fournisseurs?|partenaires?|employes?|collaborateurs?|salaries?|membres?|agents?"
    r"|comptables?|commerciaux|commercial|visiteurs?|patients?|eleves?|etudiants?|gens"
    r"|administrateurs?|admins?|techniciens?|usagers?|abonnes?|acheteurs?|vendeurs?"
    r"|gestionnaires?|nouveaux|nous|livreurs?|chauffeurs?|medecins?)\b.*"
)
SEGMENT = re.compile(
    r"(?<!,) (?=(?:à|au|aux|vers|dans|sur|pour|avec|depuis|chez|avant|après|chaque"
    r"|tous|toutes|une fois|deux fois|sous|via|sans|qui|jusqu'à|jusqu'au|d'ici|montrant"
    r"|affichant|contenant|quand|si|a|entre|dès|où) )"
)
DATE = re.compile(
    r"(?:.*\b)?(?:\d|fin|l'ete|l'hiver|janvier|fevrier|mars|avril|mai|juin|juillet|aout"
    r"|septembre|octobre|novembre|decembre|lundi|mardi|mercredi|jeudi|vendredi|noel|mois"
    r"|semaine|annee|trimestre|demain|rentree|printemps|automne|t[1-4])\b"
)


COMPOUND = re.compile(
    r"\w[\w-]*(?:['’]\w+)?(?: (?:de |d['’])(?!(?:la|l['’]|les?|nos|notre|mes|ses|chaque"
    r"|plus|moins|tous)\b)[a-zéèêàâîôûç]\w*)?"
)
COMPARATIVE = re.compile(r"(?:moins|plus|davantage) d(?:e |')")
REDUCED = re.compile(
    r",? (?=(?:mise?s?|envoyee?s?|actualisee?s?|limitee?s?|reservee?s?|triee?s?"
    r"|chiffree?s?"
    r"|groupee?s?|regroupee?s?|accessibles?|disponibles?|visibles?|signee?s?|generee?s?"
    r"|stockee?s?|publiee?s?|partagee?s?|transmise?s?|archivee?s?|protegee?s?|deposee?s?"
    r"|ecrite?s?|rafraichie?s?|ventilee?s?|lisibles?|programmee?s?|declenchee?s?) )"
)
FAULT_VERB = re.compile(
    r" (?:ne |n'|est |sont |a |ont |reste|plante|bug|bogue|rame|echoue|disparai|tombe"
    r"|met |mettent |prend|perd|ralenti|se |freeze|devien|march|fonctionn)"
)
PRONOUNS = frozenset(
    {
        "il",
        "celui-ci",
        "celle-ci",
        "ceux-ci",
        "je",
        "c'",
        "elle",
        "ils",
        "elles",
        "ca",
        "on",
        "nous",
        "cela",
    }
)
FEMININE_ENDS = (
    "tion", "sion", "ure", "ance", "ence", "ee", "ade", "ette", "ise", "ude", "aison",
    "esse", "ite", "ete", "ere", "elle", "ine", "ogie", "phie", "erie", "omie",
)  # fmt: skip
MASCULINE = frozenset(
    """comite cote site musee lycee trajet modele squelette systeme probleme ordre titre
    nombre compte filtre document service registre poste contrat fichier journal acces
    traite libelle magazine""".split()
)
FEMININE = frozenset(
    """facture liste base page tache commande adresse alerte ligne date donnee regle cle
    image demande requete file sauvegarde recherche carte api archive piste trace copie
    reunion relance remise saisie vue fiche colonne note reponse notification minute
    equipe boite application appli politique latence taille limite charge panne synchro
    aide main voix fin part periode semaine nuit journee annee heure zone langue ville
    methode photo video piece newsletter interface revue etiquette offre paie
    authentification messagerie categorie paye prime usine roadmap faq question
    serie livraison refonte relance maquette signature cellule enquete
    procedure""".split()
)

_PARTICIPLE = re.compile(r"\w+(?:[^té]é|[^té]és|ées?)")
_COMPARED = frozenset("supérieur inférieur égal relatif relative lié liée".split())


def bound(before: str, ahead: list[str]) -> bool:
    """Say whether a preposition belongs to the word before it: "envoyées aux"."""
    word = ahead[0].lower()
    if [one.lower() for one in ahead] == ["en", "double"]:
        return True
    if word not in {"à", "au", "aux", "par", "sur", "dans"}:
        return False
    qualified = before.lower() in _COMPARED or before.removesuffix("s") in _COMPARED
    return qualified or _PARTICIPLE.fullmatch(before.lower()) is not None
