# Everything a person or a machine does with Dialogue, by name. `make` lists it.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-dev run password test soak test-model lint bench messages lock chromium

VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
export PORT
EMAIL ?= operator@example.org

# The first Python from 3.11 to 3.13 that can make a virtual environment.
PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3; do \
	"$$python" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null \
	&& echo "$$python" && break; done)

# Two cores, two workers; tests of one shape with real processes stay together.
WORKERS ?= 2
# Stacks that run at once in black-box tests: one of each shape.
STACKS ?= 2
PYTEST := $(BIN)/python -m pytest
# Tests choose their database and queue themselves.
EMBEDDED := env -u DATABASE_URL -u REDIS_URL
PARALLEL := -n $(WORKERS) --dist loadgroup
QUICK := not soak and not model
BLACK_BOX := tests/support $(wildcard tests/flows tests/browser tests/chaos)
BESIDE := $(BLACK_BOX:%=--ignore=%) --ignore=tests/bench

help:  ## This list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | \
		while IFS='|' read -r target text; do printf '%-20s %s\n' "$$target" "$$text"; done

setup: $(VENV)/.runtime  ## Virtual environment with what the product needs
	@:
setup-dev: $(VENV)/.dev  ## Virtual environment with what tests and checks need too
	@:

run:  ## Run on this machine: http://127.0.0.1:8000 (PORT changes it)
	@$(call need_python) && "$(PYTHON)" config/local_env.py check-port
	@$(MAKE) --no-print-directory setup
	@$(BIN)/python config/local_env.py write
	@exec $(BIN)/python config/local_env.py start

password: setup  ## A new password for somebody of the trial (EMAIL says who)
	@$(BIN)/python config/local_env.py manage set_password $(EMAIL)

test: setup-dev chromium  ## All tests, on both shapes (soak and model tests apart)
	$(EMBEDDED) $(PYTEST) $(PARALLEL) -m "$(QUICK)" tests $(BESIDE)
	$(BIN)/python -m tests.support.with_servers -- \
		$(PYTEST) $(PARALLEL) -m "$(QUICK)" tests $(BESIDE)
	$(EMBEDDED) $(PYTEST) -n $(STACKS) --dist loadgroup -m "$(QUICK)" $(BLACK_BOX)

soak: setup-dev chromium  ## Long runs: killed processes, frozen servers, many at once
	$(EMBEDDED) $(PYTEST) -m soak --timeout 900 tests

test-model: setup-dev  ## Provider contract: planner, stub, a real model server
	$(EMBEDDED) $(PYTEST) --timeout 600 tests/llm_server tests/tooling/llm/test_backend_contract.py

lint: setup-dev  ## Style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

bench: setup-dev  ## Measure both shapes; writes the tables of docs/performance.md
	$(EMBEDDED) $(BIN)/python -m tests.bench --write docs/performance.md

# The time of a run is left out of the catalogue: it would differ each time.
CATALOGUE := locale/fr/LC_MESSAGES/django.po
MESSAGES := DJANGO_SETTINGS_MODULE=config.settings.test $(BIN)/python manage.py
messages: setup-dev  ## Collect and compile what is translated (needs gettext)
	$(MESSAGES) makemessages --locale fr --no-location --no-obsolete \
		--no-wrap --ignore '.venv/*' --ignore 'tests/*'
	sed '/^"POT-Creation-Date/d' $(CATALOGUE) > $(CATALOGUE).new
	mv $(CATALOGUE).new $(CATALOGUE)
	$(MESSAGES) compilemessages --locale fr --ignore '.venv/*'

lock: setup-dev  ## Resolve the lock files anew from pyproject.toml
	$(BIN)/uv pip compile $(LOCK_OPTIONS) pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile $(LOCK_OPTIONS) pyproject.toml --group dev \
		-o requirements-dev.lock

LOCK_OPTIONS := --quiet --universal --python-version 3.11 --generate-hashes --no-header

chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	command -v google-chrome >/dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq chromium >/dev/null; } || \
	{ echo "Browser tests need Chromium on the path: install the package chromium." >&2; exit 1; }

$(VENV)/.runtime: requirements.lock
	@$(call install,requirements.lock)
	@touch $@

$(VENV)/.dev: requirements-dev.lock requirements.lock
	@$(call install,requirements-dev.lock)
	@touch $(VENV)/.runtime $@

define need_python
{ [ -n "$(PYTHON)" ] || { echo "Dialogue needs Python 3.11, 3.12 or 3.13 with venv: install it (on Debian or Ubuntu: python3 and python3-venv)." >&2; exit 1; }; }
endef

# uv, at the version and hash of the lock, installs in seconds what takes pip minutes;
# where it cannot (no build for this machine, a private index), pip does the same work.
define install
$(need_python) && set -e; \
[ -x $(BIN)/python ] || "$(PYTHON)" -m venv $(VENV); \
echo "Installing $(1) into $(VENV) …"; \
pip="$(BIN)/python -m pip --disable-pip-version-check"; \
sed -n '/^uv==/,/^ *# via/p' requirements-dev.lock > $(VENV)/uv.lock; \
{ $$pip install --quiet --no-deps --require-hashes -r $(VENV)/uv.lock && \
  VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/uv pip install --quiet --no-deps --require-hashes -r $(1); \
} 2>$(VENV)/install.log || \
{ echo "uv could not; pip takes a few minutes …"; \
  $$pip install --quiet --no-deps --require-hashes -r $(1); }
endef
