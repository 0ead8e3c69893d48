# Everything a developer needs. A machine with Python 3.11 and git is enough: the first target
# that needs it makes .venv by itself.

.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
BENCH_STAMP := $(VENV)/installed-bench
FUZZ_STAMP := $(VENV)/installed-fuzz
SITE_STAMP := $(VENV)/installed-site
SUPPLY_STAMP := $(VENV)/installed-supply
# Compiled tests are kept, as every worker would compile them anew each time.
WRITING := PYTHONDONTWRITEBYTECODE=
BROWSER_STAMP := tests/browser/node_modules/.package-lock.json

# The first of these that is Python 3.11 or newer; override with `make PYTHON=/path/to/python`.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

.PHONY: help
help: ## say what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.PHONY: demo
demo: $(STAMP) ## play a whole game by mail through the real daemon, in a few minutes
	$(BIN)/judge demo

.PHONY: test
test: lint kernel browser ## lint, types and all tests
	$(WRITING) $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

.PHONY: quick
quick: $(STAMP) ## what a change of one package needs, in about 20 seconds: make quick P=rules
	$(BIN)/python -m tests.quick $(P)

# Without npm the tests in a browser are left out, and say so.
.PHONY: browser
browser:
	@! command -v npm >/dev/null || $(MAKE) --no-print-directory $(BROWSER_STAMP)

.PHONY: lint
lint: $(STAMP) ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Try three seeds: `make shuffle SEED=2`.
.PHONY: shuffle
shuffle: $(STAMP) kernel browser ## all tests in another order, which SEED (1) gives
	$(WRITING) JUDGE_SHUFFLE=$(or $(SEED),1) $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

.PHONY: prove
prove: $(STAMP) kernel ## the whole proof: the engine against a slow resolver and the extension, games and a killed judge against all that befalls them
	$(BIN)/python -m tests.prove
	$(BIN)/python -m tests.prove.kernel
	JUDGE_PROVE=full $(BIN)/pytest tests/properties $$(grep -l "^from tests.sampled import" -r tests --include="test_*.py" | \
		grep -v tests/properties)
	$(BIN)/python -m tests.life
	$(BIN)/python -m tests.tournaments
	$(BIN)/python -m tests.truth
	$(BIN)/python -m tests.faults
	$(BIN)/python -m tests.faults crashes
	$(BIN)/python -m tests.boards

.PHONY: bench
bench: $(STAMP) $(BENCH_STAMP) kernel ## measure the engine, and what a judge bears
	$(BIN)/python -m benchmarks

.PHONY: fuzz
fuzz: $(STAMP) $(FUZZ_STAMP) ## throw mutated mails at the reader for FUZZ seconds (300)
	$(BIN)/python -m tests.mail.fuzz -max_total_time=$(or $(FUZZ),300) -max_len=20000 -timeout=20 \
		-artifact_prefix=$(VENV)/

.PHONY: soak
soak: $(STAMP) ## let 50 people play for months by a fast clock, a killed judge included, for SOAK minutes (60)
	$(BIN)/python -m tests.soak $(or $(SOAK),60)

.PHONY: installs
installs: $(STAMP) ## install in each way docs/keeper.md tells, under systemd and podman (as root, on Debian)
	$(BIN)/python -m tests.installing

.PHONY: audit
audit: $(STAMP) ## look up known weaknesses of all libraries, and check that they fit together; fails if it cannot
	$(BIN)/pip check
	$(BIN)/python -m tests.audit

.PHONY: kernel
kernel: $(STAMP) ## build the extension for those who adjudicate by the million; without a C compiler it is left out
	$(BIN)/python -m tools.kernel

.PHONY: wheels
wheels: $(STAMP) ## build dist/: a pure wheel, and one with the extension, and compare them on 20,000 positions
	rm -rf dist
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .
	HATCH_BUILD_HOOKS_ENABLE=true $(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .
	$(BIN)/python -m tests.prove.wheels dist/*-none-any.whl dist/*-abi3-*.whl

.PHONY: release
release: $(SUPPLY_STAMP) ## build dist/: the source distribution and the wheel, and try both in empty environments
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	$(BIN)/python -m tests.releasing dist

.PHONY: site
site: $(SITE_STAMP) ## write the documentation as pages, with the reference of the library, to build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# With every extra a judge may be installed with, so that one file serves all ways.
.PHONY: lock
lock: $(SUPPLY_STAMP) ## write requirements.txt: every library that is installed, with the digests of its files
	CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe \
		--strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
		--extra holidays --extra metrics --extra postgres --output-file requirements.txt pyproject.toml

.PHONY: materials
materials: $(SUPPLY_STAMP) ## write build/materials.json, the list of materials (CycloneDX) of requirements.txt
	mkdir -p build
	$(BIN)/cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --output-reproducible \
		--of JSON -o build/materials.json

.PHONY: texts
texts: $(STAMP) ## bring the catalogs in templates/locale up to date with all texts
	$(BIN)/python -m tests.render.texts

.PHONY: docs
docs: $(STAMP) ## write docs/commands.md from the commands
	$(BIN)/python -m tests.commands.document

.PHONY: pictures
pictures: $(STAMP) browser ## take the pictures in docs/pictures anew
	$(BIN)/python -m tests.browser.pictures

.PHONY: clean
clean: ## remove what was made
	rm -rf $(VENV) build demo dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BROWSER_STAMP): tests/browser/package-lock.json
	npm ci --silent --prefix tests/browser
	@touch $@

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; none was found." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	$(BIN)/python -m compileall -q judge
	@touch $@

$(BENCH_STAMP): $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

$(FUZZ_STAMP): $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[fuzz]'
	@touch $@

$(SUPPLY_STAMP): $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[supply]'
	@touch $@

$(SITE_STAMP): $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[site]'
	@touch $@
