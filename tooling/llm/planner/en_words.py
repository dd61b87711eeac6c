"""Words and phrases that the English wording looks for, over folded text."""

from __future__ import annotations

import re

ARTICLE = re.compile(r"(?:a|an|the|some|any) ", re.IGNORECASE)
FREQUENT = {
    "nightly": "every night", "daily": "every day", "weekly": "every week",
    "monthly": "every month", "hourly": "every hour", "quarterly": "every quarter",
    "yearly": "every year", "annual": "every year", "biweekly": "every two weeks",
    "fortnightly": "every two weeks",
}  # fmt: skip
FREQUENCY = re.compile(
    r"(?:every|each) (?!time\b|of\b)(?:[a-z0-9-]+ ){0,2}?(?:night|day|morning|evening"
    r"|week|month|hour|quarter|year|minutes?|hours|days|weeks|months|weekday|weekend"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|seconds)s?"
    r"(?: (?:morning|afternoon|evening|night))?"
    r"(?: at [0-9][0-9:. ]*(?:am|pm|h)?)?"
    r"|(?:once|twice|three times) (?:a|per) (?:day|week|month|hour|quarter|year|night)"
    r"|(?:on )(?:mon|tues|wednes|thurs|fri|satur|sun)days?|in real time|at night"
    r"|at (?:noon|midnight|(?:[01]?[0-9]|2[0-4])(?::[0-9]{2})? ?(?:am|pm|h|o'clock)?)"
    r"(?![\w%]| ?(?:percent|per cent))"
)
SENT = frozenset(
    """digest summary email mail e-mail newsletter reminder alert notification message
    recap sms letter alerts notifications reminders emails warning""".split()
)
RUNS = frozenset(
    """export import backup sync job scan check test drill synchronization cleanup purge
    synchronisation reconciliation refresh update build pipeline copy transfer exports
    imports backups scans checks snapshot task rotation archiving""".split()
)
DELIVERED = SENT | frozenset(
    """export import backup copy report feed file transfer upload sync dump exports
    reports extract archive""".split()
)
PEOPLE = re.compile(
    r"(?:.*\b)?(?:teams?|users?|customers?|managers?|staff|people|departments?|clients?"
    r"|engineers?|admins?|administrators?|support|sales|finance|accounting|marketing"
    r"|hr|legal|us|me|everyone|developers?|operators?|auditors?|suppliers?|vendors?"
    r"|partners?|employees?|members?|agents?|leads?|accountants?|newcomers?|visitors?"
    r"|students?|teachers?|patients?|nurses?|drivers?|[a-z]+(?:ists|ants|ees|eers))$"
)
SEGMENT = re.compile(
    r"(?<! of)(?<!,) (?=(?:to|into|onto|in|on|at|for|from|with|by|before|after|every"
    r"|each|within"
    r"|under|per|via|that|which|showing|containing|using|through|without|until"
    r"|below|less than|once a|twice a|when|if) )"
)
SUBJECT = {"i": "I", "me": "I", "us": "we", "them": "they"}


PRONOUNS = frozenset(
    "it they them this that we us i me you these those one ones".split()
)
FAULT_VERB = re.compile(
    r" (?:(?:is|are|has|have|does|doesn't|doesnt|do|don't|isn't|aren't|can't|cannot"
    r"|won't"
    r"|was|were|gets?|keeps?|never|always|no longer|crash|crashes|fails?|breaks?|takes?"
    r"|freezes?|hangs?|times?|loses?|shows?|feels?|looks?|throws?|disappears?|goes"
    r"|stopped|errors?)) "
)


COMPARATIVE = re.compile(r"(?:fewer|less|more|better|faster|quicker) ", re.I)
ACTION_ENDS = ("tion", "sion", "ment", "ing", "sync", "check", "scan", "run", "retry")
REDUCED = re.compile(
    r",? (?=(?:sent|updated|emailed|mailed|refreshed|delivered|generated|stored"
    r"|available"
    r"|visible|limited|restricted|sorted|grouped|signed|encrypted|written|kept|shown"
    r"|published|produced|archived|protected|based|accessible|readable|built|synced"
    r"|uploaded|shared|run|triggered|scheduled|posted|exported|split|broken down) )"
)
