# The map of this project. On a machine with Swift 6.3 and nothing else, `make demo` and `make test` are all it takes.

SWIFT ?= swift
PREFIX ?= /usr/local
DOCS ?= .build/docs
STRESS ?=
CROWD ?= LarderSQLiteTests|LarderKitTests|LarderTestKitTests|LarderHTTPCacheTests|LarderServerTests

# Two thousand tests at once wait for each other on the few threads that run all tasks: what takes real time is then late by minutes.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 6

.PHONY: help demo test check build lint format docs bench memory fuzz stress install dependencies clean

help:            ## what the targets do
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: dependencies            ## watch real HTTP data being cached, the server going away, and everything being read offline
	$(SWIFT) build --product larder
	@"$$($(SWIFT) build --show-bin-path)/larder" demo

test: dependencies            ## all tests
	$(SWIFT) test

check: dependencies lint            ## what CI runs: format lint, tests with warnings as errors, memory, docs
	$(MAKE) test
	$(MAKE) memory
	$(MAKE) docs

build: dependencies            ## everything, for debugging
	$(SWIFT) build

lint:            ## the format of all sources, strictly
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

format:            ## bring all sources into the format
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

docs: dependencies            ## the documentation, into $(DOCS); warnings are errors
	scripts/docs $(DOCS)

bench: dependencies            ## the benchmarks, each figure beside raw SQLite from C
	$(SWIFT) run -c release --package-path Benchmarks larder-bench $(BENCH)

memory: dependencies            ## that memory stays flat while 100,000 items are stored and a million are paged through
	$(SWIFT) run -c release --package-path Benchmarks larder-bench memory

fuzz: dependencies            ## fuzz the JSON splitter and the parser of HTTP requests, 30 seconds each
	scripts/fuzz

stress: dependencies            ## what runs at the same time, under the thread sanitizer; STRESS is for larder-stress, CROWD names the tests
	LARDER_TSAN=1 $(SWIFT) build --sanitize=thread --scratch-path .build/thread-sanitizer --product larder-stress
	LARDER_TSAN=1 TSAN_OPTIONS=halt_on_error=1 .build/thread-sanitizer/debug/larder-stress $(STRESS)
	LARDER_TSAN=1 $(SWIFT) test --sanitize=thread --scratch-path .build/thread-sanitizer --filter '$(CROWD)'

install: dependencies            ## the tool `larder` into $(PREFIX)/bin
	$(SWIFT) build -c release --product larder --static-swift-stdlib
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$$($(SWIFT) build -c release --static-swift-stdlib --show-bin-path)/larder" "$(DESTDIR)$(PREFIX)/bin/larder"

dependencies:
	@scripts/dependencies

clean:            ## remove what was built
	$(SWIFT) package clean
