# Everything a newcomer needs: `make demo`, `make test`, `make help`.

CONFIGURATION ?= debug
SWIFT_FLAGS   ?= -c $(CONFIGURATION)
BUILD_DIR      = $(shell swift build $(SWIFT_FLAGS) --show-bin-path 2>/dev/null)
CLANG         ?= $(shell dirname "$$(readlink -f "$$(command -v swift)")")/clang

# The tap that is loaded into other programs: C alone, so that no Swift runtime comes with it.
TAP_SOURCES = $(wildcard Sources/CCurlTap/*.c Sources/WireweightPreload/*.c)
TAP_HEADERS = $(wildcard Sources/CHTTPWire/include/*.h Sources/CCurlTap/*.h Sources/CCurlTap/include/*.h Sources/WireweightPreload/*.h Sources/WireweightPreload/include/*.h)
TAP_FLAGS   = -shared -fPIC -O2 -g -std=gnu11 -D_GNU_SOURCE -fvisibility=hidden -Wall -Wextra -Werror -Wno-implicit-fallthrough \
              -ISources/CHTTPWire/include -ISources/CCurlTap/include -ISources/CCurlTap -ISources/WireweightPreload/include -Wl,-z,now -Wl,-z,nodelete
TAP         = .build/$(CONFIGURATION)/libWireweightPreload.so

.DEFAULT_GOAL := help
.PHONY: help dependencies build tap test integration demo lint format bench clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: ## Install the system packages that are missing (Debian)
	@Scripts/install-packages.sh build

build: dependencies ## Build the library, the command and the tap
	swift build $(SWIFT_FLAGS)
	@$(MAKE) --no-print-directory tap

tap: $(TAP)

$(TAP): $(TAP_SOURCES) $(TAP_HEADERS) Makefile
	@mkdir -p $(@D)
	$(CLANG) $(TAP_FLAGS) $(TAP_SOURCES) -o $@

demo: build ## Meter a local API with a real URLSession client, and prove the sum
	.build/$(CONFIGURATION)/wireweight demo --once

test: build ## Run the tests
	@Scripts/install-packages.sh test
	swift test $(SWIFT_FLAGS)

integration: build ## Meter real programs, over TLS, under faults
	@Scripts/install-packages.sh integration
	Scripts/integration.sh .build/$(CONFIGURATION)

lint: ## Check the style
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks

format: ## Mend the style
	swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks

bench: ## Measure what metering costs (release build)
	@$(MAKE) --no-print-directory build CONFIGURATION=release
	Scripts/bench.sh .build/release

clean: ## Remove what was built
	rm -rf .build
