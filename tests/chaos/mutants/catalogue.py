"""The faults: one small change of one file each, and the tests that must fail."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """In `file` the only `old` becomes `new`; then one of `tests` must fail.

    A pattern is for migrations: a command writes them, in whatever layout.
    """

    name: str
    file: str
    old: str | re.Pattern[str]
    new: str
    tests: tuple[str, ...]


_MATERIALISING = "tests/missions/test_materialising.py"
_WAYS = "tests/missions/test_materialising_ways.py"
_DECIDING = "tests/decisions/test_deciding.py"
_PAID = "tests/tooling/test_paid_reads.py"
_REFUSALS = "tests/missions/test_writing_refusals.py"
_QUEUE_GUARDS = "tests/decisions/test_guards.py"
_JUDGE = "tests/tooling/gate/test_judge.py"
_GRANTS = "tests/tooling/gate/test_grants.py"
_AUTHORITY = "tests/guards/test_authority.py"
_SWEEPS = "tests/tooling/test_sweeps.py"
_TURNS = "tests/dialogue/turns/test_stop_and_retry.py"

_SWITCH = """    if not context.switch_on:
        return _refuse(Gate.SWITCH)
"""
_TOGGLE = """    if not context.toggle_on:
        return _refuse(Gate.TOGGLE)
"""
_DISPOSE = """    if is_dispose_name(call.name):
        return _refuse(Gate.DISPOSE)
"""
_RECHECK = """    if payload_hash(request.payload) != request.payload_hash:
        raise Blocked(Problem.CONTENT_CHANGED)
"""
_HASH = "        and choice.payload_hash == request.payload_hash\n    )\n"
_REVISION = "        and choice.revision == request.revision\n"


def _one_to_one(related_name: str) -> re.Pattern[str]:
    return re.compile(
        rf"""OneToOneField(?=\([^()]*related_name=['"]{related_name}['"])"""
    )


def _constraint(field: str, name: str) -> re.Pattern[str]:
    return re.compile(
        rf"""fields=\(?\[?['"]{field}['"],?\]?\)?,\s*name=['"]{name}['"]"""
    )


MUTANTS = (
    # --- exactly one Mission ---
    Mutant(
        "one Mission for each request: the database does not say so",
        "missions/migrations/0002_initial.py",
        _one_to_one("mission"),
        "ForeignKey",
        (_MATERIALISING,),
    ),
    Mutant(
        "the sweep of approvals is not registered",
        "missions/apps.py",
        '        register_sweep("materialisations", sweep_materialisations)\n',
        "",
        (_SWEEPS,),
    ),
    Mutant(
        "the sweep of turns is not registered",
        "dialogue/apps.py",
        '        register_sweep("turns", interrupt_lost_turns)\n',
        "",
        (_SWEEPS,),
    ),
    Mutant(
        "the hint after an approval is not sent",
        "missions/apps.py",
        "        post_save.connect(\n"
        '            on_resolution_saved, sender=Resolution, dispatch_uid="missions'
        '.materialise"\n'
        "        )\n",
        "",
        (_WAYS,),
    ),
    # --- what was shown is what is approved ---
    Mutant(
        "deciding ignores the hash of what was shown",
        "decisions/services/deciding.py",
        _HASH,
        "    )\n",
        (_DECIDING,),
    ),
    Mutant(
        "deciding ignores the revision that was shown",
        "decisions/services/deciding.py",
        _REVISION + _HASH,
        _HASH,
        (_DECIDING,),
    ),
    Mutant(
        "materialising does not hash the payload again",
        "missions/services/materialising.py",
        _RECHECK,
        "",
        (_MATERIALISING,),
    ),
    Mutant(
        "anybody decides",
        "decisions/services/deciding.py",
        "    require(principal, Act.DECIDE)\n",
        "",
        (_AUTHORITY,),
    ),
    Mutant(
        "one resolution for each request: the database does not say so",
        "decisions/migrations/0002_initial.py",
        _one_to_one("resolution"),
        "ForeignKey",
        (_QUEUE_GUARDS,),
    ),
    # --- the gate ---
    Mutant(
        "writes run with the switch off",
        "tooling/gate/judge.py",
        _SWITCH,
        "",
        (_JUDGE,),
    ),
    Mutant(
        "proposals run with the switch off",
        "tooling/gate/judge.py",
        "    return _RUN if context.switch_on else _refuse(Gate.SWITCH)\n",
        "    return _RUN\n",
        (_JUDGE,),
    ),
    Mutant(
        "proposing is served with the switch off",
        "tooling/gate/judge.py",
        "    if call.tier is Tier.PROPOSE:\n        return context.switch_on\n",
        "    if call.tier is Tier.PROPOSE:\n        return True\n",
        (_JUDGE,),
    ),
    Mutant(
        "writes run with the toggle off",
        "tooling/gate/judge.py",
        _TOGGLE,
        "",
        (_JUDGE,),
    ),
    Mutant(
        "writes run without a request for them",
        "tooling/gate/judge.py",
        "    if not (asked or granted):\n",
        "    if False:\n",
        (_JUDGE,),
    ),
    Mutant(
        "a dispose name is judged like any other",
        "tooling/gate/judge.py",
        _DISPOSE,
        "",
        (_JUDGE,),
    ),
    Mutant(
        "one answer may ask for as many calls as it likes",
        "tooling/gate/judge.py",
        "    if context.calls_before >= context.cap_per_answer:\n",
        "    if False:\n",
        (_JUDGE,),
    ),
    Mutant(
        "the same call may be made for ever",
        "tooling/gate/judge.py",
        "    if context.same_before >= SAME_CALLS:\n",
        "    if False:\n",
        (_JUDGE,),
    ),
    Mutant(
        "a dispose name may be registered",
        "tooling/registry.py",
        "    if is_dispose_name(name):\n",
        "    if False:\n",
        ("tests/tooling/gate/test_registry.py",),
    ),
    Mutant(
        "the toggle is not read where the tool runs",
        "tooling/gate/facts.py",
        "        toggle_on=features_of(tenant_id=context.principal.tenant_id)"
        ".write_tools,\n",
        "        toggle_on=True,\n",
        ("tests/tooling/gate/test_execute.py",),
    ),
    Mutant(
        "a use of a grant is taken whether one is left or not",
        "tooling/gate/grants.py",
        "        uses_left__gt=0,\n    ).update",
        "    ).update",
        (_GRANTS,),
    ),
    Mutant(
        "what was asked for takes a use",
        "tooling/gate/judge.py",
        "    if granted:\n        return Verdict(Decision.RUN",
        "    if granted or _covering(call, context):\n        granted = granted or "
        "_covering(call, context)\n        return Verdict(Decision.RUN",
        (_GRANTS,),
    ),
    Mutant(
        "a token gives grants and clicks",
        "tooling/policy.py",
        "    if act in AT_A_PAGE and principal.kind != PrincipalKind.SESSION:\n"
        "        return False\n",
        "",
        ("tests/tooling/test_policy.py",),
    ),
    Mutant(
        "a click runs what nobody has read",
        "dialogue/services/held_calls.py",
        "    if difference_of(held, context=context).digest != seen:\n"
        "        raise DifferenceMoved\n",
        "",
        ("tests/dialogue/services/test_held_calls.py",),
    ),
    Mutant(
        "arguments that are not known are taken",
        "tooling/registry.py",
        'extra="forbid"',
        'extra="ignore"',
        ("tests/tooling/gate/test_execute.py", "tests/tooling/gate/test_registry.py"),
    ),
    Mutant(
        "a held-back read runs unopened",
        "tooling/gate/judge.py",
        "    if call.held_back and call.name not in context.released:\n",
        "    if False:\n",
        (_JUDGE,),
    ),
    Mutant(
        "what staff opened is not read where the tool runs",
        "tooling/gate/facts.py",
        "        released=released_reads(),\n",
        '        released=frozenset({"expert_ask"}),\n',
        (_PAID,),
    ),
    Mutant(
        "a paid read holds a transaction",
        "tooling/gate/execute.py",
        "nullcontext() if tool.held_back else transaction.atomic()",
        "transaction.atomic()",
        (_PAID,),
    ),
    Mutant(
        "anybody opens paid reads",
        "tooling/services/paid_reads.py",
        "    if not (user.is_staff and user.is_active):\n",
        "    if False:\n",
        ("tests/tooling/services/test_paid_reads.py",),
    ),
    # --- no way round by a tool that changes things ---
    Mutant(
        "arguments may name a status",
        "tooling/settling.py",
        "        if found is not None:\n",
        "        if False:\n",
        (_REFUSALS,),
    ),
    Mutant(
        "only the top of the arguments is looked at",
        "tooling/settling.py",
        "                ahead.append((item, False))\n",
        "",
        (_REFUSALS,),
    ),
    Mutant(
        "a conversation ends tasks",
        "missions/tools/writes.py",
        '    if plain.get("status", "todo") not in OPEN_STATUSES:\n',
        "    if False:\n",
        ("tests/missions/test_writing.py",),
    ),
    Mutant(
        "an answer may be called like an approval",
        "decisions/questions.py",
        "    if is_like_disposal(line):\n",
        "    if False:\n",
        ("tests/decisions/test_questions.py",),
    ),
    Mutant(
        "a pending Mission is settled whatever the page showed",
        "missions/services/pending.py",
        "shown != content_hash(mission)",
        "False",
        ("tests/missions/test_pending.py",),
    ),
    # --- walls between teams ---
    Mutant(
        "a Mission of any team is changed",
        "missions/services/changing.py",
        ".filter(tenant_id=tenant_id, pk=mission_id)",
        ".filter(pk=mission_id)",
        (_REFUSALS,),
    ),
    Mutant(
        "one Mission is found whatever its team",
        "missions/selectors.py",
        "rows.filter(tenant_id=principal.tenant_id, pk=mission_id)",
        "rows.filter(pk=mission_id)",
        ("tests/missions/test_tools.py",),
    ),
    Mutant(
        "Missions of all teams are listed",
        "missions/selectors.py",
        "rows = Mission.objects.filter(tenant_id=principal.tenant_id)",
        "rows = Mission.objects.all()",
        ("tests/missions/test_tools.py",),
    ),
    Mutant(
        "conversations of all teams are seen",
        "dialogue/selectors.py",
        "Conversation.objects.filter(mine, tenant_id=principal.tenant_id)",
        "Conversation.objects.filter(mine)",
        ("tests/dialogue/test_tools.py",),
    ),
    Mutant(
        "requests of all teams are seen",
        "decisions/selectors.py",
        "AttentionRequest.objects.filter(tenant_id=tenant_id).select_related(",
        "AttentionRequest.objects.all().select_related(",
        ("tests/decisions/test_tools.py",),
    ),
    # --- what the database holds by itself ---
    Mutant(
        "guards are not made",
        "tooling/apps.py",
        "        post_migrate.connect(append_only.on_migrated)\n",
        "",
        (_AUTHORITY, _QUEUE_GUARDS),
    ),
    Mutant(
        "a closed request may be changed",
        "decisions/apps.py",
        '            Guard(request, "closed", delete=False, '
        "when=\"OLD.state <> 'open'\"),\n",
        "",
        (_AUTHORITY,),
    ),
    Mutant(
        "two turns of a conversation may run at once",
        "dialogue/migrations/0002_initial.py",
        _constraint("conversation", "turn_one_live_per_conversation"),
        'fields=("conversation", "id"), name="turn_one_live_per_conversation"',
        (_TURNS,),
    ),
    Mutant(
        "two revisions of a proposal may be open at once",
        "decisions/migrations/0002_initial.py",
        _constraint("proposal_id", "request_one_live_revision"),
        'fields=("proposal_id", "id"), name="request_one_live_revision"',
        (_QUEUE_GUARDS,),
    ),
    Mutant(
        "a worker that lost its lease goes on writing",
        "dialogue/turns/job.py",
        "        return Q(lease_owner=self.owner, attempt=self.turn.attempt)\n",
        "        return Q()\n",
        ("tests/dialogue/turns/test_fence.py",),
    ),
    Mutant(
        "every process sweeps",
        "tooling/ticker.py",
        "    taken = Lease.objects.filter(free, name=name)",
        "    taken = Lease.objects.filter(name=name)",
        (_SWEEPS,),
    ),
)
