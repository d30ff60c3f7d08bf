# The verbs of this house. `make first-night` and `make test` are all a fresh machine needs.
PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.run
DEV := .venv/.dev
SMALL := .venv/small

.PHONY: help first-night test check lint fmt types layers crash bench small-model docs lock clean

help:  ## list these verbs
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

first-night: $(RUN)  ## install, then run a night over your newest sessions, or over our samples
	@$(BIN)/slowwave first-night

test: $(DEV)  ## everything CI runs
	sh bin/system-packages
	$(MAKE) lint types layers
	$(BIN)/pytest -n 2 --dist worksteal -m "not crash"
	SLOWWAVE_SWEEP_MOST=200 $(MAKE) crash

check: $(DEV)  ## the inner loop: lint, types, layers, fast tests
	$(MAKE) lint types layers
	$(BIN)/pytest -n 2 --dist worksteal -q -m "not slow and not crash"

lint: $(DEV)  ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

fmt: $(DEV)  ## put the format right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(DEV)  ## mypy, strict, over src, tests and benchmarks
	$(BIN)/mypy

layers: $(DEV)  ## the architecture as a check
	$(BIN)/lint-imports --no-logo

crash: $(DEV)  ## a night killed at each of its disk-changing calls (`make test` draws 200 of them); prints how many
	$(BIN)/pytest -q -s -m crash

bench: $(DEV)  ## every benchmark, one table each
	for name in quality transcripts corpus night wake wake_quality hygiene; do $(BIN)/python benchmarks/$$name.py; done

small-model: $(DEV) $(SMALL)/.ready  ## ask a really small real model; builds its server first, which takes minutes
	SLOWWAVE_SMALL_MODEL_PYTHON=$(SMALL)/bin/python $(BIN)/pytest -q -s -m small_model tests/story/models

docs: $(DEV)  ## write the pages that are made from the code again
	$(BIN)/python tests/made/made_commands.py
	$(BIN)/python tests/made/made_figures.py

lock: $(DEV)  ## write the hashed requirement files again
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	    --python-version 3.11 pyproject.toml --group build -o requirements/run.txt
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	    --python-version 3.11 pyproject.toml --extra model --extra mcp --extra keys --extra notify --extra plots --extra serve --group dev -o requirements/dev.txt
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	    --python-version 3.11 --group small -o requirements/small.txt

$(RUN): requirements/run.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("slowwave needs Python 3.11 or newer; set PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(RUN)

$(DEV): requirements/dev.txt $(RUN)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $(DEV)

# One compiler at a time, and no instructions that only the machine that compiles may have.
$(SMALL)/.ready: requirements/small.txt | $(DEV)
	$(PYTHON) -m venv $(SMALL)
	CMAKE_ARGS=-DGGML_NATIVE=OFF CMAKE_BUILD_PARALLEL_LEVEL=1 nice -n 15 $(SMALL)/bin/python -m pip install -q \
	    --disable-pip-version-check --require-hashes -r requirements/small.txt
	@touch $@

clean:  ## forget what the tools made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
