# Needs Python 3.11+ with venv and pip, and make. Everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := $(sort $(shell find frontend analysis interface -name '*.py' -o -name py.typed))

.PHONY: demo test test-wide test-all lint types check install gfortran table1 necessity fuzz stress mutants peer replay-speed scaling dag-gap dag-speed docs site clean FORCE

demo: install
	@$(BIN)/snapset report corpus/burgers_region.f90 --head 'burgers(u)>(cost)'

PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses auto --dist worksteal

# A process for each core. More cases of the same: test-wide (CI runs one in three of them: SHARE=3), and test-all with
# the largest samples.
test: install gfortran
	@$(PYTEST) -m 'not slow and not wide'

test-wide: install gfortran
	@$(PYTEST) -m 'wide and not slow' --share $(or $(SHARE),1)

test-all: install gfortran
	@$(PYTEST)

lint: install
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: install
	$(BIN)/mypy -p snapset

# docs/table1.md: the paper's Table 1 with programs of our own.
table1: install
	@$(BIN)/python -m benchmarks.table1.run

# N random programs of each kind, from number FIRST on: every plan must give the store-all gradient, S and U too, and
# those of many constructs the compiled original's. make fuzz N=1000 FIRST=0
fuzz: install
	@bad=0; for kind in 'fuzz_constructs' 'fuzz --kind all' 'fuzz_dag' 'fuzz_dag --sections' 'fuzz_loops' 'fuzz_divide'; do \
	    $(BIN)/python -m tests.generators.$$kind --programs $(or $(N),1000) --first $(or $(FIRST),0) || bad=1; done; exit $$bad

# 3,000 mutated files and over 1,000 handmade inputs, each under 2 GB and 10 s: no traceback, no bug, no hang.
stress: install
	@$(BIN)/python -m tests.stress.everything --mutants $(or $(N),3000) --first $(or $(FIRST),0)

# Small changes of the core, one at a time, and which of them no test notices: a quarter of an hour on two cores.
mutants: install
	@$(BIN)/python -m benchmarks.mutants --sample $(or $(N),30) --seed $(or $(SEED),1) --every --wide

# How many of the locations saved over the corpus the gradient really needs, and which it does not.
necessity: install
	@$(BIN)/python -m benchmarks.necessity

# Against Tapenade, on corpus/: sets, and bytes of both adjoints run. SNAPSET_TAPENADE names its directory.
peer: install
	@$(BIN)/python -m benchmarks.peer

# Assignments a second of the replay machine, as functions and node by node.
replay-speed: install
	@$(BIN)/python -m benchmarks.replay_speed

# How time and memory grow with the length of synthetic programs, up to 100,000 lines: some minutes.
scaling: install
	@$(BIN)/python -m benchmarks.scaling

# Store or recompute: how near to the optimum, and time against size.
dag-gap: install
	@$(BIN)/python -m benchmarks.dag_gap

dag-speed: install
	@$(BIN)/python -m benchmarks.dag_speed

# The pages that are made from records in the code (a test tells when that is due), and the site.
docs: install
	@$(BIN)/python docs/generate.py
	@$(MAKE) -s site

# The documentation as a site, build/site/index.html; a link that leads nowhere stops it.
site: install
	@[ -x $(BIN)/mkdocs ] || $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	    --editable '.[dev,docs]' --config-settings editable_mode=strict
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict > .venv/site.log 2>&1 || { cat .venv/site.log; exit 1; }

# Everything CI asks for.
check:
	.ci/run

install: .venv/installed

# The tests check gradients against the compiled originals. Without gfortran one test fails and says so.
gfortran:
	@command -v gfortran > /dev/null || { \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	        echo 'installing gfortran ...'; \
	        apt-get update -qq && apt-get install -qq --no-install-recommends gfortran > /dev/null; \
	    else echo 'gfortran is missing: apt-get install gfortran'; fi; } || true

# Compiled once here, by all cores, and not by every command again where PYTHONDONTWRITEBYTECODE is set: half a second.
NOT_COMPILED := /tests?/|/(mypy|mypyc|pip|setuptools|nodeenv|virtualenv|distlib|hypothesis/extra)/

# Strict editable: only the three directories are importable, and a new file only after installing again.
.venv/installed: pyproject.toml .venv/sources
	@echo 'installing into .venv ...'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	    --no-compile --editable '.[dev]' --config-settings editable_mode=strict
	@$(BIN)/python -m compileall -q -j 0 -x '$(NOT_COMPILED)' .venv/lib build/__editable__* > .venv/compiled.log || true
	@touch $@

# Changes when a file is added or removed, not when one is edited.
.venv/sources: .venv/made FORCE
	@echo '$(SOURCES)' | cmp -s - $@ || echo '$(SOURCES)' > $@

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 'Python 3.11 or newer is needed: make PYTHON=python3.12 ...'; exit 1; }
	@$(PYTHON) -m venv .venv
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info
