# `make test` and `make demo` set everything up first; a fresh Debian needs only Python 3.11 and make.

SHELL := /bin/bash
BIN := .venv/bin

# Containers often forbid Python to keep bytecode. Then every process that a test starts, and every worker of Spark,
# compiles all that it loads: pandas takes 1.5 s instead of 0.4 s.
unexport PYTHONDONTWRITEBYTECODE

# Rewriting cases is for one process: two would write the same file.
WORKERS := $(if $(REWRITE),0,2)

.PHONY: bench-long-run bench-door bench-esql bench-hbl bench-pipes bench-engine bench-peers bench-growth bench-pipeline bench-spark setup test check looks lint types contracts tests test-pythons test-spark-matrix demo soak soak-status mutants bench bench-memory bench-etalis bench-parte lock clean

setup: .venv/.project

# Each stamp is older than what it was made from exactly when there is something to do.
.venv/.python: tools/prepare
	@tools/prepare .venv
	@touch $@

.venv/.packages: requirements.lock .venv/.python
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --require-hashes --requirement requirements.lock
	@touch $@

.venv/.project: pyproject.toml .venv/.packages
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

test: check

# What is looked at and what is run go on side by side.
check: setup
	@$(MAKE) --no-print-directory --jobs 2 looks tests

looks: lint types contracts

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy --strict src tests

contracts: setup
	$(BIN)/lint-imports

tests: setup
	$(BIN)/pytest -q -n $(WORKERS) --dist loadgroup

# The tests on every Python that is here of those that we promise, each in an environment of its own.
PYTHONS := 3.11 3.12 3.13

test-pythons: $(PYTHONS:%=test-python-%)

test-python-%:
	@tools/test-python $*

# The tests of Spark on every Spark that we promise, one after another: in one process as `make test` has it, with the
# version before, on a standalone cluster of two workers, and over Spark Connect.
SPARKS := 4.3 4.2 cluster connect

test-spark-matrix: $(SPARKS:%=test-spark-%)

test-spark-%: setup
	@tools/test-spark $*

# Long runs, for hours: all that `make test` leaves out, many seeds, new examples. They may be stopped, and go on where
# they were if the commit is the same. Each part can be run alone: soak-whole, -mutants, -engine, -sizes, -ties,
# -watchpoints, -parte, -threads, -hostile (files, objects, queries, pipelines, snapshots), -faults, -kafka, -webhook,
# -spark, -properties.
soak: setup
	$(BIN)/python -m tests.soak

soak-%: setup
	$(BIN)/python -m tests.soak $*

# How many cases ran on which commit.
soak-status: setup
	$(BIN)/python -m tests.soak --status

# Figures go to benchmarks/results; nothing here is part of the tests.
bench: bench-memory bench-engine bench-parte

bench-memory: setup
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python -m benchmarks.state_memory
	$(BIN)/python -m benchmarks.state_memory_page

# What eSQL takes to be read, and what it costs beside the same pipe in Python.
bench-esql: setup
	$(BIN)/python -m benchmarks.esql_parsing
	$(BIN)/python -m benchmarks.esql_pipes

# Kernels beside the interpreter, the scan of all columns, NumPy and polars.
bench-engine: setup
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.engine_page

# What the public calls take, beside the kernels alone.
bench-door: setup
	$(BIN)/python -m benchmarks.door
	$(BIN)/python -m benchmarks.door_page

# Watchpoints one record at a time: the sensitivity experiments of the paper on HBL.
bench-hbl: setup
	$(BIN)/python -m benchmarks.hbl
	$(BIN)/python -m benchmarks.hbl_page

# A hundred million events, and windows of ten million.
bench-growth: setup
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.growth_page

# Flink CEP and Siddhi on the same events, from an environment of their own.
bench-peers: setup
	tools/prepare-peers .peers
	$(BIN)/python -m benchmarks.peers.measure
	$(BIN)/python -m benchmarks.peers.page

# Pipes beside generators by hand, Siddhi and Esper.
bench-pipes: setup
	tools/prepare-peers .peers pipes
	$(BIN)/python -m benchmarks.pipes.measure
	$(BIN)/python -m benchmarks.pipes.page

bench-parte: setup
	$(BIN)/python -m benchmarks.parte
	$(BIN)/python -m benchmarks.parte_on_spark
	$(BIN)/python -m benchmarks.diffusion_on_spark

# Detection on Spark beside functions that do nothing.
bench-spark: setup
	$(BIN)/python -m benchmarks.spark

# A pipeline from topic to topic of a real broker, beside one that detects nothing; latency, and an empty batch.
bench-pipeline: setup
	$(BIN)/python -m benchmarks.pipeline
	$(BIN)/python -m benchmarks.pipeline_page

# A pipeline over more than ten million events of more than a day, killed ten times: matches, state, memory.
bench-long-run: setup
	$(BIN)/python -m benchmarks.long_run

# The stock ticker of ETALIS: events per second of one core, and memory as the input grows.
bench-etalis: setup
	$(BIN)/python -m benchmarks.etalis_stock
	$(BIN)/python -m benchmarks.etalis_page

# Wrong changes to the definition, one by one: each must be noticed by a property.
mutants: setup
	$(BIN)/python -m tests.mutants.table docs/mutants.md

demo: setup
	@$(BIN)/python examples/demo.py

lock: .venv/.python
	tools/lock $(BIN)/python

clean:
	rm -rf .venv .venv-* .lock-venv .peers .kafka .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
