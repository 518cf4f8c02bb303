# SPDX-License-Identifier: Apache-2.0
# Two commands to know:  make demo  (see it work)  and  make check  (see that it is right).
# CMake does the building; this file only gives the steps short names.

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := all
.PHONY: all bootstrap demo check bench deb install format format-check tidy clean help

all: bootstrap  ## build the program at build/amontons and the library beside it
	@cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@cmake --build $(BUILD) -j $(JOBS) --target amontons amontons_static amontons_shared manual

bootstrap:      ## install missing packages (apt), or say which are missing
	@scripts/bootstrap

demo: all       ## build, run the main examples, end with figures
	@scripts/demo $(BUILD)/amontons

check: bootstrap ## all tests: release, sanitizers, fuzz smoke run
	@JOBS=$(JOBS) scripts/check

bench: all      ## speed of one stick-slip period beside hand-written C on SUNDIALS
	@cmake --build $(BUILD) -j $(JOBS) --target bench

deb: all        ## Debian packages in build-deb/, tried out in a fresh root
	@scripts/deb $(BUILD) build-deb
	@scripts/check-deb build-deb

install: all    ## install under PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)

format:         ## rewrite all C in the project's style
	@scripts/format

format-check:   ## say which files are not in the project's style
	@scripts/format --check

tidy: all       ## static analysis with clang-tidy
	@clang-tidy -p $(BUILD) --quiet $(wildcard src/*/*.c src/*/*/*.c)

clean:          ## remove everything that was built
	@rm -rf build build-asan build-deb build-python demo

help:           ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
