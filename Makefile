# `make demo` and `make test` do all set-up themselves.
# A fresh checkout needs make, git and Python 3.11 or later. On Debian the rest is installed, or named if that needs root.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Three test files at a time on two cores: tests wait for processes a third of the time, and another Blender costs at
# most a gigabyte. In the order of tests/fixtures.py, slow files first.
BESIDE := -n 3 --dist loadfile --no-loadscope-reorder

# Without bytecode each process compiles all that it imports: a service takes half as long again to start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo stop serve setup extension vscode torch test test-quick check lint types-mypy types-pyright clean

help:
	@echo "make demo        set up, start the service, send one request, show snippet, verdict and picture"
	@echo "make stop        stop the service that the demo started"
	@echo "make serve       set up and run the service in this terminal"
	@echo "make extension   build the extension for Blender: dist/blendproof-VERSION.zip"
	@echo "make vscode      build the extension for VS Code: dist/blendproof.vsix; needs Node"
	@echo "make torch       add PyTorch, for CLIP and embedding models of your own"
	@echo "make test        set up and run every check and test"
	@echo "make test-quick  the same without pyright and slow parts such as Blender"
	@echo "make clean       remove everything that was set up here, including the data"

demo: setup
	@$(BIN)/python -m app.cli.demo

stop:
	@$(BIN)/python -m app.cli.demo stop

serve: setup
	@$(BIN)/blendproof serve

setup: $(VENV)/ready
	@$(BIN)/blendproof blenders install
	@$(BIN)/blendproof ingest blender

extension:
	@$(PYTHON) setup/extension.py dist

vscode:
	@mkdir -p dist
	@cd clients/vscode && npm ci --no-audit --no-fund --silent && npm run -s check && npm run -s build && npm run -s package

test: setup check
	@sh setup/install-packages.sh setup/test-packages.txt || echo "going on: tests of the Blender executable are skipped"
	@for series in 4.2 4.5; do $(BIN)/blendproof blenders install $$series \
		|| echo "going on: tests of Blender $$series are skipped"; done
	@BLENDPROOF_HOME=$(or $(BLENDPROOF_HOME),.blendproof)/newer $(BIN)/blendproof blenders install 5.2 \
		|| echo "going on: tests of Blender 5.2 are skipped"
	@$(BIN)/pytest $(BESIDE)

test-quick: lint types-mypy
	@$(BIN)/pytest $(BESIDE) -m "not blender and not slow"

check: lint
	@$(MAKE) --no-print-directory --jobs 2 --output-sync types-mypy types-pyright

lint: $(VENV)/ready-for-test
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@said=$$($(BIN)/deptry . --extend-exclude tests --extend-exclude bench 2>&1) || { echo "$$said"; exit 1; }
	@said=$$($(BIN)/deptry tests bench --ignore DEP002,DEP004 2>&1) || { echo "$$said"; exit 1; }

types-mypy: $(VENV)/ready-for-test
	@$(BIN)/mypy

# pyright has no cache and takes a minute, so the quick tests leave it out.
types-pyright: $(VENV)/ready-for-test
	@$(BIN)/pyright

torch: $(VENV)/ready-for-torch

$(VENV)/ready: pyproject.toml setup/constraints.txt setup/system-packages.txt setup/environment.py
	@sh setup/install-packages.sh setup/system-packages.txt
	@$(PYTHON) setup/environment.py $(VENV)
	@touch $@

$(VENV)/ready-for-%: $(VENV)/ready
	@$(PYTHON) setup/environment.py $(VENV) $*
	@touch $@

clean:
	@-$(BIN)/python -m app.cli.demo stop 2>/dev/null
	@rm -rf $(VENV) .blendproof dist build *.egg-info clients/vscode/node_modules clients/vscode/out
