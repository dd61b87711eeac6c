"""What every test may ask for.

In-process tests run on the database that the environment names: once on a SQLite
file, once on PostgreSQL with Redis (`make test` does both). Black-box tests (flows,
browser, chaos) use `stack` or `make_stack`, and run on both shapes by themselves;
they never use the ORM in their own process.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from django.test import TransactionTestCase

from tests.support.servers import PostgresServer, RedisServer
from tests.support.stack import SHAPES, Shape, Stack, StackFactory
from tests.support.stub import StubProvider
from tooling.append_only import maintenance

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
# A closed network: Chromium's own errands would only fill the log with refusals.
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shape",
        choices=[*SHAPES, "both"],
        default="both",
        help="shape of the product in black-box tests (default: both)",
    )


# --- which test runs on which shape ----------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "shape" in metafunc.fixturenames:
        # Tests of one shape and kind stay in one worker, which has one stack running.
        kind = "pages" if ".browser." in metafunc.module.__name__ else "wire"
        parameters = [
            pytest.param(name, marks=pytest.mark.xdist_group(f"{name}-{kind}"))
            for name in SHAPES
        ]
        metafunc.parametrize("shape", parameters, indirect=True, scope="session")


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    chosen = config.getoption("--shape")
    kept: list[pytest.Item] = []
    dropped: list[pytest.Item] = []
    for item in items:
        (kept if _runs_here(item, chosen) else dropped).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept


def _runs_here(item: pytest.Item, chosen: str) -> bool:
    marker = item.get_closest_marker("shape")
    if marker is not None and not marker.kwargs.get("reason"):
        message = f"{item.nodeid}: a test of one shape says why (reason=…)"
        raise pytest.UsageError(message)
    # A black-box test names its shape; any other has this process's.
    named = item.callspec.params.get("shape") if hasattr(item, "callspec") else None
    here = named or _shape_of_this_process()
    if named and chosen not in (named, "both"):
        return False
    if not named and here == "grown" and not _uses_database(item):
        # Pure tests have run already, with the embedded shape.
        return False
    return marker is None or here in marker.args


def _uses_database(item: pytest.Item) -> bool:
    """Tell whether a test has rows; one that has none need not run on each database."""
    names = set(getattr(item, "fixturenames", ()))
    fixtures = {"db", "transactional_db", "django_db_setup", "live_server"}
    return bool(names & fixtures) or item.get_closest_marker("django_db") is not None


def _shape_of_this_process() -> Shape:
    grown = os.environ.get("DATABASE_URL", "").startswith("postgres")
    return "grown" if grown else "embedded"


# --- rows that are never changed ----------


@pytest.fixture(scope="session", autouse=True)
def _teardown_may_delete() -> Iterator[None]:
    """Let a test's clean-up, and nothing else, past the append-only guards."""
    name = "_fixture_teardown"
    flush = getattr(TransactionTestCase, name)

    def flush_in_maintenance(case: TransactionTestCase) -> None:
        with maintenance():
            flush(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, name, flush_in_maintenance)
        yield


# --- running products ----------


@pytest.fixture(scope="session")
def shape(request: pytest.FixtureRequest) -> Shape:
    """The shape of the product that this test meets."""
    name: Shape = request.param
    return name


@pytest.fixture(scope="session")
def stack_factory(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[StackFactory]:
    """Makes stacks for the whole session; see `make_stack` for one test's own."""
    factory = StackFactory(tmp_path_factory.mktemp("stacks"))
    yield factory
    factory.close()


@pytest.fixture(scope="session")
def stack(shape: Shape, stack_factory: StackFactory) -> Iterator[Stack]:
    """A running product shared by tests, which do not break it."""
    running = stack_factory.make(shape)
    yield running
    running.stop()


@pytest.fixture
def make_stack(stack_factory: StackFactory) -> Iterator[Callable[..., Stack]]:
    """`make_stack(shape, NAME="value", …)`: a product of this test's own to break."""
    made: list[Stack] = []

    def make(name: Shape, *, start: bool = True, **env: str) -> Stack:
        made.append(stack_factory.make(name, start=start, **env))
        return made[-1]

    yield make
    for each in made:
        each.stop()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server for tests that need one whatever the shape."""
    server = PostgresServer().start()
    yield server
    server.stop()


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A Redis server of this test's own, to freeze, fill and kill."""
    server = RedisServer().start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def shared_stub_provider() -> Iterator[StubProvider]:
    """The stub provider's process, one a session."""
    provider = StubProvider().start()
    yield provider
    provider.stop()


@pytest.fixture
def stub_provider(shared_stub_provider: StubProvider) -> StubProvider:
    """A scripted model provider on loopback with nothing scripted or recorded."""
    shared_stub_provider.reset()
    return shared_stub_provider


# --- browser ----------


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any],
) -> dict[str, Any]:
    """Start the machine's own Chromium."""
    paths = [path for name in CHROMIUM_NAMES if (path := shutil.which(name))]
    if not paths:
        pytest.fail("browser tests need Chromium on the path", pytrace=False)
    arguments = [*browser_type_launch_args.get("args", []), *CHROMIUM_ARGUMENTS]
    return {**browser_type_launch_args, "executable_path": paths[0], "args": arguments}


# --- what a failed test shows ----------


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    factory = getattr(item, "funcargs", {}).get("stack_factory")
    if report.failed and isinstance(factory, StackFactory):
        for running in factory.active:
            report.sections.append((f"{running.shape} stack", running.logs()))
    return report
