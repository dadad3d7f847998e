# Two commands are enough: `make run` and `make test`. Both install what is missing, ask nothing, and are quick the second time.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run build test lint report report-language report-acting tour fuzz soak simulate mutants windows setup models clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 18

run: ## install what is missing, build, start Luna (without a display: on a virtual desktop)
	@scripts/run.sh

build: ## install what is missing, build programs and tests, download the test models
	@scripts/test.sh --build

test: ## install what is missing, build, run all tests
	@scripts/test.sh

lint: ## formatting, clippy without warnings, shell scripts
	@scripts/lint.sh

report: ## run the benches, write report/REPORT.md
	@scripts/report.sh

report-language: ## accuracy of understanding utterances and checking translations, with the worst cases
	@. scripts/env.sh && find_cargo && cargo run --release --quiet --example report_language

report-acting: ## orders on web pages (MiniWoB++) and to real programs, which decide themselves; an hour (ACTING=pages or programs: half); writes report/ACTING.md
	@scripts/acting.sh $(ACTING)

tour: ## real programs: what Luna says at their places, Orca beside it; half an hour; writes report/TOUR.md
	@scripts/tour.sh

soak: ## an hour of twentyfold use with faults on a virtual desktop; fails if memory grows; writes report/soak.svg (SOAK_MINUTES=60)
	@scripts/soak.sh

simulate: ## the whole actor tree in virtual time with random faults, a hundred thousand seeds (LUNA_SIM_SEEDS=a..b for others)
	@scripts/simulate.sh

mutants: ## deliberate breaks in six areas, how many the tests notice; an hour (MUTANTS_AREAS="focus ledger")
	@scripts/mutants.sh

fuzz: ## fuzz the parsers of foreign text and understanding, ten minutes per target (FUZZ_SECONDS=600)
	@scripts/fuzz.sh

windows: ## type-check for Windows (prints SKIPPED if its packages are not available)
	@scripts/windows-check.sh

setup: ## only install what is missing for run and test
	@scripts/setup.sh test

models: ## only download the default models
	@scripts/models.sh

clean: ## remove build outputs (not the models)
	@cargo clean
