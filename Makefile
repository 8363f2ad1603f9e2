# Everything that a newcomer needs: make demo, make test. Both make the environment first.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# One more than a small machine has cores: each collects all tests and loads the program for itself.
JOBS ?= 3
# Tests write a great deal and keep nothing: in memory where there is some, so that nobody waits for a disk.
SCRATCH := $(shell grep -s ' /dev/shm ' /proc/mounts | grep -qv noexec && test -w /dev/shm && df -Pk /dev/shm | awk 'NR == 2 && $$4 > 4000000 {print "/dev/shm"}')
# Compiled code is kept, whatever the machine's habit is: else every process of every test compiles the program again.
unexport PYTHONDONTWRITEBYTECODE
TESTS = TMPDIR=$(or $(SCRATCH),$(TMPDIR),/tmp) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

.PHONY: help install demo test lint types tests thorough bench docs lock sbom clean

help:            ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(VENV)/.installed   ## make .venv with the program in it

$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; say which with: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || { echo "Making the environment in $(VENV) ..."; $(PYTHON) -m venv $(VENV); }
	@echo "Installing the program (under a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what the tests need ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: install    ## start the program with a filled sample study
	@$(BIN)/assay demo || test $$? -eq 130

test: $(VENV)/.installed-dev lint   ## lint, types and all tests
	@$(MAKE) --no-print-directory -j 2 types tests

lint: $(VENV)/.installed-dev   ## style
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev  ## types, of the program and of the browser's modules
	@$(BIN)/mypy
	@$(BIN)/python tools/typescript.py

tests: $(VENV)/.installed-dev  ## all tests, in parallel, with a real browser and a real PostgreSQL
	@$(BIN)/python -m tools.browser
	@$(BIN)/python -m tools.fonts
	@$(BIN)/python -m tools.nginx
	@$(TESTS)

thorough: $(VENV)/.installed-dev  ## all tests, on every template, with four times the examples; every promise at full size: an hour and more
	@$(BIN)/python -m tools.browser
	@$(BIN)/python -m tools.fonts
	@$(BIN)/python -m tools.nginx
	@$(BIN)/python -m tools.latex
	@ASSAY_THOROUGH=1 $(TESTS) -o faulthandler_timeout=3600
	@$(BIN)/python -m tools.promises --all

bench: $(VENV)/.installed-dev  ## measure speed, beside something taken in the same run (Potato, too, where it is installed): under ten minutes
	@$(BIN)/python -m tools.bench
	@$(BIN)/python -m tools.peer
	@$(BIN)/python -m tools.next_item
	@$(BIN)/python -m tools.next_item_of_templates
	@$(BIN)/python -m tools.bench_statistics
	@$(BIN)/python -m tools.bench_live_agreement --judgments 200000
	@$(BIN)/python -m tools.bench_export --judgments 100000
	@$(BIN)/python -m tools.bench_import --items 50000
	@$(BIN)/python -m tools.bench_report

docs: $(VENV)/.installed-dev   ## write the generated reference pages again
	@$(BIN)/python tools/reference.py
	@$(BIN)/python -m tools.promises

lock: $(VENV)/.installed-dev   ## write deploy.lock again: what a deployment installs, with hashes
	@$(BIN)/python -m tools.lock

sbom: $(VENV)/.installed-dev   ## write build/sbom.cdx.json: a software bill of materials (CycloneDX)
	@$(BIN)/python -m tools.sbom

clean:           ## remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache build src/*.egg-info
