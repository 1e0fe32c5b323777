# Everything a newcomer needs: `make demo`, `make test`, `make help`.

# `make X CONFIGURATION=release` builds for speed instead of for looking into it.
CONFIGURATION ?= debug
SWIFT_FLAGS   ?= -c $(CONFIGURATION)
# The toolchain brings a C compiler.
CLANG         ?= $(firstword $(wildcard $(dir $(shell readlink -f "$$(command -v swift)"))clang) cc)

# The tap that is loaded into other programs: C alone, so that no Swift runtime comes with it.
TAP_SOURCES = $(wildcard Sources/CHTTPWire/*.c Sources/CCurlTap/*.c Sources/CStreamTap/*.c Sources/CStreamHooks/*.c Sources/WireweightPreload/*.c)
TAP_HEADERS = $(wildcard Sources/CHTTPWire/*.h Sources/CHTTPWire/include/*.h Sources/CCurlTap/*.h Sources/CCurlTap/include/*.h Sources/CStreamTap/*.h Sources/CStreamTap/include/*.h Sources/CStreamHooks/*.h Sources/CStreamHooks/include/*.h Sources/WireweightPreload/*.h Sources/WireweightPreload/include/*.h)
# The fourth version of DWARF is the newest that Debian's valgrind reads: it refuses to start a program with any other.
TAP_DEBUG   = -gdwarf-4
TAP_FLAGS   = -shared -fPIC -O2 -flto -fuse-ld=lld $(TAP_DEBUG) -std=gnu11 -D_GNU_SOURCE -DWIREWEIGHT_PRELOADED -fvisibility=hidden -ftls-model=initial-exec -Wall -Wextra -Werror -Wno-implicit-fallthrough \
              -ISources/CHTTPWire/include -ISources/CCurlTap/include -ISources/CCurlTap -ISources/CStreamTap/include -ISources/CStreamHooks/include -ISources/CStreamHooks -ISources/WireweightPreload/include -Wl,-z,now -Wl,-z,nodelete
TAP         = .build/$(CONFIGURATION)/libWireweightPreload.so
# The same for arm64, against the packages that Scripts/integration/arm64.sh unpacks. The emulator has a thread of its own.
ARM64       = .build/arm64

.DEFAULT_GOAL := help
.PHONY: proxy test-proxy prove-proxy integration-programs test-firefox help more dependencies build command beside-command tests-built tap test test-units integration integration-fleet prove-fleet hostile libcurls curl-tests peers demo lint pages images rooms api-changes check-apple prove examples examples-built docs samples format bench bench-writer bench-instructions bench-steps bench-program bench-streams bench-proxy check-steps command-release bench-day bench-build bench-reports bench-scale bench-fleet bench-overload bench-inspector soak fuzz fuzz-quick sanitize sanitize-tap package check-package install uninstall release-static clean
.NOTPARALLEL:

help:
	@awk -F ':.* ## ' '/^[a-z-]+:.* ## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  make more            List benchmarks, fuzzing, sanitizers and what else takes long or is rarely needed"

more:
	@awk -F ':.* ### ' '/^[a-z-]+:.* ### / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: ### Install the system packages that are missing (Debian)
	@Scripts/install-packages.sh build

build: dependencies ## Build the library, the command and the tap
	swift build $(SWIFT_FLAGS)
	@$(MAKE) --no-print-directory beside-command

# Without what is only for tests and benchmarks.
command: dependencies
	swift build $(SWIFT_FLAGS) --product wireweight
	@$(MAKE) --no-print-directory beside-command

beside-command: tap
	@# What `--version` calls the commit; a package has it, too.
	@git describe --always --dirty --abbrev=12 --exclude '*' >.build/$(CONFIGURATION)/commit 2>/dev/null || rm -f .build/$(CONFIGURATION)/commit

tests-built: dependencies
	@Scripts/install-packages.sh test
	swift build $(SWIFT_FLAGS) --build-tests
	@$(MAKE) --no-print-directory tap

tap: $(TAP)

$(TAP): $(TAP_SOURCES) $(TAP_HEADERS) Makefile
	@mkdir -p $(@D)
	$(CLANG) $(TAP_FLAGS) $(TAP_SOURCES) -o $@

.PHONY: arm64 arm64-tap print-clang
arm64-tap: $(ARM64)/libWireweightPreload.so

$(ARM64)/libWireweightPreload.so: $(TAP_SOURCES) $(TAP_HEADERS) Makefile
	$(CLANG) --target=aarch64-linux-gnu --sysroot=$(ARM64)/root $(TAP_FLAGS) -DWIREWEIGHT_OWN_THREADS=2 $(TAP_SOURCES) -o $@

print-clang:
	@echo $(CLANG)

# Some of them: make arm64 KINDS="TLS gzip", by the start of their names.
KINDS ?=
arm64: build ### The tap for arm64 in an emulator, by many kinds of traffic (Debian on x86-64)
	@Scripts/install-packages.sh arm64
	Scripts/integration/arm64.sh $(CONFIGURATION) $(KINDS)

# Swift's runtime is inside the command, so that it runs where no Swift is installed. In a folder of its own, because
# other flags are another build of everything.
STATIC = .build/static
release-static: dependencies
	@Scripts/install-packages.sh package
	swift build -c release --scratch-path $(STATIC) --product wireweight --static-swift-stdlib
	swift build -c release --package-path Proxy --scratch-path $(STATIC)-proxy --product wireweight-proxy --static-swift-stdlib
	@$(MAKE) --no-print-directory tap CONFIGURATION=release TAP=$(STATIC)/release/libWireweightPreload.so

# A package of its own, built for speed whatever the command is built for. In a folder of its own.
PROXY       = .build/proxy
BUILD_PROXY = swift build -c release --package-path Proxy --scratch-path $(PROXY) --product wireweight-proxy
proxy: build ## Build `wireweight proxy`, for phones, browsers and other programs (SwiftNIO, two minutes)
	@Scripts/install-packages.sh proxy
	$(BUILD_PROXY)
	@cp $(PROXY)/release/wireweight-proxy .build/$(CONFIGURATION)/

test-proxy: build ### The proxy's own tests, and real clients through it, beside servers that log every byte
	@Scripts/install-packages.sh integration
	Scripts/integration/proxy.sh $(CONFIGURATION)

prove-proxy: proxy ### The proxy beside a packet capture, 1 GiB through it, and 10,000 connections at once
	@Scripts/install-packages.sh integration
	Scripts/prove-proxy.sh $(CONFIGURATION)

package: release-static ### Make a Debian package and an archive, in dist (release build)
	Scripts/package.sh archives

# Others: make check-package SUITE=trixie; SUITE="noble http://archive.ubuntu.com/ubuntu".
check-package: ### Install, use and remove the package in a bare Debian without Swift (root, debootstrap)
	Scripts/check-package.sh $(SUITE)

PREFIX ?= /usr/local
install: release-static ## Install the command, its manual and its completions (PREFIX=/usr/local)
	Scripts/package.sh stage "$(DESTDIR)" "$(PREFIX)"

uninstall: ## Remove what `make install` installed
	Scripts/package.sh remove "$(DESTDIR)" "$(PREFIX)"

demo: command ## Meter a local API with a real URLSession client, and prove the sum
	.build/$(CONFIGURATION)/wireweight demo --once

# Some of them: make test ONLY="units page"; what groups there are, Scripts/test.sh says.
ONLY ?=
test: tests-built ## Run the tests
	@Scripts/test.sh $(CONFIGURATION) $(ONLY)

test-units: tests-built ## Run the tests that need no network, no process and no meter (seconds)
	@Scripts/test.sh $(CONFIGURATION) page units reports

integration-fleet: tests-built ### A fleet on a real ClickHouse, beside the stores that it came from (Debian's clickhouse-server)
	@Scripts/install-packages.sh fleet
	Scripts/integration-fleet.sh $(CONFIGURATION)

# Others: make prove-fleet INSTALLATIONS=2000. A hundred take three minutes on a busy machine.
INSTALLATIONS ?= 100
prove-fleet: tests-built ### Many installations ship through every kind of trouble, and the sums are those of their stores
	@Scripts/install-packages.sh fleet
	python3 -B Scripts/fleet/proof.py $(CONFIGURATION) $(INSTALLATIONS)

integration: tests-built ## Meter real programs, over TLS, under faults
	@Scripts/install-packages.sh integration
	Scripts/integration.sh $(CONFIGURATION)

test-firefox: build ### The inspector's page in Debian's Firefox (one minute)
	@Scripts/install-packages.sh firefox
	Scripts/test-firefox.sh $(CONFIGURATION)

# Some of them: make hostile CASES="socks5 h2-rst/c", by the start of their names; /c, /p, /s or /g chooses one client.
# With HESITATE=1 the servers pause now and then, which shows cases that depend on who is faster.
CASES ?=
hostile: build ### Hostile and odd traffic by curl, pycurl and URLSession, judged from outside
	@Scripts/install-packages.sh integration
	Scripts/integration/hostile.sh $(CONFIGURATION) $(CASES)

# Thirty cases with each; others: make libcurls VERSIONS="7.61.1 8.4.0" CASES="socks5 h2", or CASES=all.
VERSIONS ?= all
libcurls: build ### Hostile cases by pycurl, with every libcurl that Debian and PyPI have (a dozen minutes)
	@Scripts/install-packages.sh integration
	CASES="$(CASES)" Scripts/libcurls.sh $(CONFIGURATION) $(VERSIONS)

# Some of them: make curl-tests TESTS="1 92 1554".
TESTS ?= all
curl-tests: build ### curl's own tests of HTTP, with and without the meter (five minutes)
	@Scripts/install-packages.sh integration
	Scripts/curl-tests.sh $(CONFIGURATION) $(TESTS)

# All of them; `make integration` leaves out those on SwiftNIO, whose package compiles a TLS library.
integration-programs: build ### Clients and servers of all kinds, those on SwiftNIO among them, beside ends that log every byte and packet captures (twenty minutes)
	@Scripts/install-packages.sh integration
	swift build --package-path Tests/NIOPrograms --scratch-path .build/nioprograms
	CAPTURES=1 Scripts/integration/stacks.sh $(CONFIGURATION)
	Scripts/integration/programs.sh $(CONFIGURATION)
	Scripts/integration/servers.sh $(CONFIGURATION)

# Some of them: make peers SUITES="requests node".
SUITES ?=
peers: build ### The test suites of CPython, Node and five libraries of Python, with and without the meter (half an hour)
	@Scripts/install-packages.sh peers
	Scripts/peers.sh $(CONFIGURATION) $(SUITES)

# Folders that are there.
SWIFT_SOURCES = Package.swift Examples Proxy $(wildcard Sources Tests Benchmarks Fuzz)
SCRIPTS       = .ci/run $(wildcard Scripts/*.sh Scripts/*/*.sh)

lint: ## Check the style
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	@Scripts/install-packages.sh lint
	shellcheck $(SCRIPTS)
	Scripts/draw-rooms.py --check
	Scripts/check-release.sh
	Scripts/check-words.py
	Scripts/figures.py check

pages: build ### Write what the commands in README.md and docs print into these pages
	Scripts/page-samples.py .build/$(CONFIGURATION) --write

images: proxy ### Record the pictures of README.md and docs, over the seeded stores of the page's tests
	@Scripts/install-packages.sh images
	"$$(Scripts/browser-tools.sh)/bin/python" -B Scripts/record-images.py .build/$(CONFIGURATION)/wireweight

rooms: ### Draw the rooms of Package.swift into ARCHITECTURE.md
	Scripts/draw-rooms.py

# The newest tag of a release, unless told otherwise: `make api-changes BASELINE=COMMIT`.
BASELINE ?=
api-changes: dependencies ### What would break adopters since the newest release
	Scripts/api-changes.sh $(BASELINE)

prove: ### Compare 52 kinds of request with an origin's log, and write the report that a Mac would
	Scripts/prove-on-apple.sh

# Others: make check-apple SYSTEMS="tvos watchos".
SYSTEMS ?= macos ios
check-apple: ### Type-check the sources for Apple platforms
	Scripts/check-apple.py $(SYSTEMS)
	Scripts/check-apple.py --branches

# A package of its own, so that what adopters write is what is built; that costs a build of the library's debug modules, and
# shares nothing with ours: one scratch folder cannot serve two manifests. Tests that meter a process do not run side by side.
EXAMPLES = --package-path Examples --scratch-path .build/examples

examples-built: dependencies
	swift build $(EXAMPLES) --build-tests

examples: examples-built ### Build and test the examples
	swift test $(EXAMPLES) --skip-build --no-parallel
	Scripts/check-left-out.sh .build/examples

# The examples have every library with all of its traits.
docs: examples-built ## Build the documentation, into .build/docs
	Scripts/build-docs.sh .build/examples/debug .build/docs

samples: examples ## Type-check the Swift in the documentation
	Scripts/check-samples.sh .build/examples/debug

format: ## Fix the style
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

# What a benchmark prints is recorded in docs/measurements/figures.json, of which the pages are made.
bench: ### Measure what metering costs, beside other ways (release build, a dozen minutes)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/figures.py run bench -- Scripts/bench.sh .build/release
	Scripts/figures.py run bench-instructions -- Scripts/bench-instructions.sh .build/release
	Scripts/figures.py run bench-writer -- .build/release/WireweightBenchmarks writers

bench-writer: ### Measure the store's writer beside plain SQLite (release build, a minute)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/figures.py run bench-writer -- .build/release/WireweightBenchmarks writers

bench-instructions: ### Count instructions and allocations of an exchange (release build, valgrind)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	@Scripts/install-packages.sh bench
	Scripts/figures.py run bench-instructions -- Scripts/bench-instructions.sh .build/release

# Only the command is built, which takes less than all of it.
command-release: dependencies
	swift build -c release --product wireweight
	@$(MAKE) --no-print-directory tap CONFIGURATION=release
	@Scripts/install-packages.sh bench

bench-steps: command-release build ### Count instructions of an exchange in the command, step by step (release and debug build, valgrind)
	Scripts/figures.py run bench-steps -- Scripts/bench-steps.sh .build/release
	Scripts/figures.py run bench-steps-debug -- Scripts/bench-steps.sh .build/debug

bench-program: tap ### Count what the tap adds to an exchange of the program: instructions and system calls (valgrind)
	@Scripts/install-packages.sh steps
	Scripts/figures.py run bench-program -- Scripts/bench-program.sh .build/$(CONFIGURATION)

# Of a debug build, because that is there; `make check-steps CONFIGURATION=release` has the figures that users get.
check-steps: build ### Fail if an exchange costs the command or the program 3 % more instructions than recorded
	@Scripts/install-packages.sh steps
	Scripts/bench-program.sh .build/$(CONFIGURATION) --limit
	Scripts/bench-steps.sh .build/$(CONFIGURATION) --limit

bench-streams: command-release ### Measure metering below an HTTP library: instructions, time, start, memory (release build, valgrind, ten minutes)
	@Scripts/install-packages.sh streams
	Scripts/figures.py run bench-streams -- Scripts/bench-streams.sh .build/release instructions memory
	Scripts/figures.py run bench-streams-time -- Scripts/bench-streams.sh .build/release time server start

bench-proxy: command-release ### Measure the proxy beside HAProxy, squid and mitmproxy (release build, five minutes)
	$(BUILD_PROXY)
	@cp $(PROXY)/release/wireweight-proxy .build/release/
	@Scripts/install-packages.sh proxies
	Scripts/figures.py run bench-proxy -- Scripts/bench-proxy.sh .build/release

bench-reports: ### Measure reports on large stores, beside DuckDB (release build, 2 GB in /tmp/bench-stores)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/figures.py run bench-reports -- Scripts/bench-reports.sh .build/release

# Other sizes: make bench-scale SIZES="1000000 3000000".
bench-scale: ### Measure stores of 1, 10 and 50 million exchanges (release build, 9 GB in /tmp/bench-stores)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/figures.py run bench-scale -- Scripts/bench-scale.sh .build/release $${TMPDIR:-/tmp}/bench-stores $(SIZES)

bench-fleet: ### Ship a million exchanges to ClickHouse and read them there: bytes, processor time, reports (release build)
	@Scripts/install-packages.sh fleet
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/bench-fleet.sh
	Scripts/figures.py run bench-fleet -- Scripts/bench-fleet.sh growth

bench-overload: ### Measure the writer on a disk that can write only a third of the load (release build)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/figures.py run bench-overload -- Scripts/bench-overload.sh .build/release

bench-inspector: ### Measure the inspector and its page (release build, Chromium)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/figures.py run bench-inspector -- Scripts/bench-inspector.sh .build/release

bench-day: ### Measure resident memory over a day of traffic, hour by hour (release build, a few minutes)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/figures.py run bench-day -- .build/release/WireweightBenchmarks day

bench-build: dependencies ### What building costs: packages, clean builds, sizes (ten minutes)
	Scripts/figures.py run bench-build -- Scripts/bench-build.sh

# `make soak MINUTES=5 RATE=40`
MINUTES ?= 60
RATE    ?= 40
soak: build ### An hour of mixed load with restarts of everything; the ledger must close to the byte
	@Scripts/install-packages.sh integration
	Scripts/soak.sh $(CONFIGURATION) $(MINUTES) $(RATE)

# Half an hour for each target; `make fuzz SECONDS_EACH=60 TARGETS="heads chunks" JOBS=2`.
SECONDS_EACH ?= 1800
fuzz: dependencies ### Fuzz the parsers of untrusted bytes
	Scripts/fuzz.sh $(SECONDS_EACH) $(TARGETS)

# One chance for all runs: what CI says of a change is not to hang on luck.
fuzz-quick: ### The same, for six seconds each
	@SEED=1 $(MAKE) --no-print-directory fuzz SECONDS_EACH=6

sanitize-tap: build ### Run the tap under sanitizers and valgrind (a minute)
	@Scripts/install-packages.sh sanitize
	Scripts/sanitize-tap.sh $(CONFIGURATION)

sanitize: sanitize-tap ### The same, and the suites under the address sanitizer (a build of their own, ten minutes)
	Scripts/sanitize.sh

clean: ## Remove what was built
	rm -rf .build
