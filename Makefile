# The verbs of this house. `make first-night` and `make test` are all a fresh machine needs.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: first-night test check fmt lint types layers unit crash bench clean lock

first-night: $(STAMP)  ## install, then run a night over your newest sessions (or our samples)
	$(BIN)/slowwave first-night

test: $(STAMP)  ## everything CI runs
	sh bin/system-packages
	$(MAKE) lint types layers
	$(BIN)/pytest -n 2 --dist worksteal

check: $(STAMP)  ## the inner loop: lint, types, layers, fast tests
	$(MAKE) lint types layers
	$(BIN)/pytest -n 2 -q -m "not slow and not crash"

lint: $(STAMP)  ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

fmt: $(STAMP)  ## put the format right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP)  ## mypy strict over src, tests and benchmarks
	$(BIN)/mypy

layers: $(STAMP)  ## the architecture, as a check
	$(BIN)/lint-imports

crash: $(STAMP)  ## the night killed at each of its disk-changing calls
	$(BIN)/pytest -n 2 -m crash -s

lock:  ## write the hashed requirement files again
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 pyproject.toml --all-extras --group dev -o requirements/dev.txt

$(STAMP): requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	@touch $(STAMP)

clean:  ## forget what the tools cached
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
