# make          the environment, then the default run (demo corpus, offline)
# make test     lint, types and the whole test suite
# make model    the local language model (1.1 GB) for live runs, and what runs it
# make bench    benchmarks beside their peers, in one run each
# make config   rewrite the comments of config.yaml and the JSON schema from the models
# make lock     resolve exact versions anew
# make clean    remove results, keep journals and the environment
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := run

PYTHON ?= $(firstword $(shell command -v python3.11 python3.12 python3))
VENV ?= .venv
BIN := $(VENV)/bin
CORES ?= $(shell nproc 2>/dev/null || echo 1)
# The path of the checkout may hold spaces, so nothing below depends on it.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONNOUSERSITE := 1
# Model weights come from installed packages or from what the configuration names.
export TOKENIZERS_PARALLELISM := false

.PHONY: run env dev-env model test lint test-fast bench config lock readme clean

run: env
	snakemake --cores $(CORES)

env: $(VENV)/.run.stamp
dev-env: $(VENV)/.dev.stamp

$(BIN)/python:
	@tools/make_venv "$(PYTHON)" "$(VENV)"

$(VENV)/.run.stamp: requirements.lock pyproject.toml | $(BIN)/python
	python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.lock
	python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.dev.stamp: requirements-dev.lock $(VENV)/.run.stamp
	python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-dev.lock
	python -m sensemaking.llm.weights smollm2-135m
	touch $@

# The package that runs it has no dependencies; its version is that of the tests.
model: env
	python -m pip install --quiet --disable-pip-version-check --no-deps "$$(grep '^xllamacpp==' requirements-dev.lock)"
	python -m sensemaking.llm.weights qwen2.5-coder-1.5b

lint: dev-env
	ruff check
	ruff format --check
	snakefmt --check Snakefile rules
	mypy
	python -m sensemaking.config_file --check

test: lint
	pytest --numprocesses $(CORES) --dist loadscope --no-loadscope-reorder

test-fast: dev-env
	pytest -m "not workflow and not devset"

bench: dev-env
	for script in bench/bench_*.py; do echo "== $$script"; python "$$script"; done

config: env
	python -m sensemaking.config_file

lock: dev-env
	tools/lock

readme: run dev-env
	python tools/readme_tables.py

clean:
	rm -rf results logs benchmarks timings .snakemake
