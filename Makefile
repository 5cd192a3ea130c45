# What a developer and CI do. From a clean clone, Python 3.11 or newer, pip and make are enough.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# The environment is ours alone: whatever the caller's shell has activated must not leak in.
unexport VIRTUAL_ENV PYTHONHOME PYTHONPATH PIP_USER PIP_TARGET PIP_PREFIX
export PIP_DISABLE_PIP_VERSION_CHECK := 1

PYTHON ?=
VENV ?= .venv
ARGS ?=
SEEDS ?= 20

BIN := $(VENV)/bin
STAMP := $(VENV)/.installed$(if $(PYTHON),-$(subst /,-,$(PYTHON)))
CANDIDATES := $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python)

empty :=
space := $(empty) $(empty)
LONG := $(subst $(space), or ,kafka postgres docker browser llm peer slow)

DEMO := build/demo
ENVWRIGHT := ENVWRIGHT_HOME=$(DEMO)/home $(BIN)/envwright

# Sets $$found to the first candidate that is new enough, or says what is missing.
define find_python
found=; \
for python in $(CANDIDATES); do \
  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
    found=$$python; break; \
  fi; \
done; \
if [ -z "$$found" ]; then \
  echo "Envwright needs Python 3.11 or newer; none of these is: $(CANDIDATES)." >&2; \
  echo "Install one, or name it: make PYTHON=/path/to/python3.12" >&2; exit 1; \
fi
endef

# Gives environment $(1) a pip that knows dependency groups, also where ensurepip is not shipped.
define upgrade_pip
$(1)/bin/python -m pip --version >/dev/null 2>&1 \
  || $(1)/bin/python -m ensurepip >/dev/null 2>&1 \
  || "$$found" -m pip --python $(1)/bin/python install --quiet pip; \
$(1)/bin/python -m pip install --quiet 'pip>=25.1'
endef

.PHONY: help
help:  ## list the targets
	@echo "make TARGET [PYTHON=python3.12] [ARGS='-k name'] [SEEDS=20]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' Makefile

.PHONY: venv
venv: $(STAMP)  ## create .venv and install Envwright with everything it needs

# An environment made by another Python than the one that was asked for is made anew.
$(STAMP): pyproject.toml constraints.txt
	@set -e; $(find_python); \
	version='import sys; print(sys.version_info[:2])'; \
	old=$$($(BIN)/python -c "$$version" 2>/dev/null || true); \
	new=$$("$$found" -c "$$version"); \
	if [ -z "$$old" ] || { [ -n "$(PYTHON)" ] && [ "$$old" != "$$new" ]; }; then \
	  echo "Creating $(VENV) with $$("$$found" --version)"; \
	  "$$found" -m venv --clear --without-pip $(VENV); \
	fi; \
	echo "Installing into $(VENV); the first time takes about a minute"; \
	$(call upgrade_pip,$(VENV)); \
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[all]' --group dev; \
	touch $@

.PHONY: check
check: $(STAMP)  ## lint, format, types, import contracts and layout, in under a minute
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -q tests/test_layout.py

.PHONY: fix
fix: $(STAMP)  ## repair what lint and format can repair by themselves
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: test
test: $(STAMP)  ## the quick tests that need no service; a few minutes
	$(BIN)/python -m pytest -q -n 2 -m "not ($(LONG))" $(ARGS)

.PHONY: test-services
test-services: $(STAMP)  ## the slow tests, and those that need a broker, database, engine, browser or peer
	$(BIN)/python -m pytest -q -n 2 -m "$(LONG)" --reruns 2 $(ARGS)

.PHONY: campaign
campaign: $(STAMP)  ## the fault campaigns in tests/campaigns, SEEDS seeds each
	@ran=0; for script in tests/campaigns/*.py; do \
	  [ -e "$$script" ] || continue; \
	  echo "$$script --seeds $(SEEDS) $(ARGS)"; \
	  $(BIN)/python "$$script" --seeds $(SEEDS) $(ARGS) || exit $$?; \
	  ran=$$((ran + 1)); \
	done; \
	[ $$ran -gt 0 ] || { echo "There is no campaign in tests/campaigns yet: nothing to run."; exit 0; }; \
	echo "$$ran campaign(s) passed with $(SEEDS) seed(s) each."

.PHONY: demo
demo: $(STAMP)  ## make five tasks from the logs in deploy/demo and show the first
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(ENVWRIGHT) synth deploy/demo/*.jsonl deploy/demo/*-tools.json --recipe toolspace --count 5 --seed 7 --out $(DEMO)/packages
	$(ENVWRIGHT) show $$(ls $(DEMO)/packages | sed -n 's/^1-//p')

.PHONY: constraints
constraints:  ## write constraints.txt anew from the newest releases that pyproject.toml allows
	@set -e; $(find_python); fresh=build/constraints; rm -rf $$fresh; \
	"$$found" -m venv --without-pip $$fresh; \
	$(call upgrade_pip,$$fresh); \
	$$fresh/bin/python -m pip install --quiet --editable '.[all]' --group dev; \
	{ echo "# The exact version of everything that '.[all]' and the dev group install; CI uses these."; \
	  echo "# Made by 'make constraints': pip freeze of a fresh environment, $$($$fresh/bin/python --version)."; \
	  $$fresh/bin/python -m pip freeze --exclude-editable; } > constraints.txt; \
	rm -rf $$fresh; echo "constraints.txt: $$(grep -c == constraints.txt) packages"
