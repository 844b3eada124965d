# Kiebitz: `make help` lists what can be done here.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run play web web-static test-web screenshots wasm test test-slow test-neon test-perft-6 set-up check-fuzz bench-perft bench-pgn bench-nnue bench-data bench-train bench-match bench-search bench-search-nnue bench-page fuzz dist clean

# Where larger test data lies. Only this file decides it; tests skip what is not there.
KIEBITZ_DATA ?= ../shared/data
override KIEBITZ_DATA := $(abspath $(KIEBITZ_DATA))
export KIEBITZ_DATA

# A Python with python-chess, against which some tests compare us. `make set-up` creates it.
PYTHON_FOLDER := $(CURDIR)/workspace/python
PYTHON_CHESS := 1.11.2
ifneq ($(wildcard $(PYTHON_FOLDER)/.python-chess-$(PYTHON_CHESS)),)
export KIEBITZ_PYTHON ?= $(PYTHON_FOLDER)/bin/python
endif

CARGO ?= cargo
CARGO_TARGET_DIR ?= $(CURDIR)/target
export CARGO_TARGET_DIR
RELEASE_FOLDER := $(CARGO_TARGET_DIR)/release
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
FUZZ_SECONDS ?= 20

help: ## List the targets.
	@awk 'BEGIN { FS = ":.*## " } /^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# OpenBench calls `make EXE=NAME EVALFILE=NETWORK` and expects the engine under that name.
ifneq ($(EXE),)
.DEFAULT_GOAL := engine
endif
.PHONY: engine
engine: ## Build the engine alone; EXE=NAME says where it goes, EVALFILE=NETWORK which network is built in.
	@EVALFILE="$(if $(EVALFILE),$(abspath $(EVALFILE)))" $(CARGO) build --release --package kiebitz
	@cp "$(RELEASE_FOLDER)/kiebitz" "$(or $(EXE),kiebitz)"

# The page's first file names all others by their content: when it changes, the program that holds the page is built anew.
BUILD_WITH_PAGE = KIEBITZ_PAGE=$$(sha256sum web/dist/index.html | cut -c 1-16) $(CARGO) build --release --package kiebitz-lab
SERVE ?=
run: web ## Build page and program, start the server and print its address (SERVE="--port 0" adds arguments).
	@$(BUILD_WITH_PAGE)
	@"$(RELEASE_FOLDER)/kiebitz-lab" serve $(SERVE)

# npm installs anew when the lock file is newer than what it installed last.
WEB_PACKAGES := web/node_modules/.package-lock.json
$(WEB_PACKAGES): web/package-lock.json
	@command -v npm > /dev/null || { echo "the page needs Node.js 20.19 or newer with npm"; exit 1; }
	cd web && npm ci --no-audit --no-fund

web: $(WEB_PACKAGES) ## Build the page into web/dist; the program embeds it.
	cd web && npm run build

web-static: wasm $(WEB_PACKAGES) ## Build the page that needs no server into web/dist-static, for any web server to host.
	cd web && npm run build:static

# The page in a browser needs Chromium and the program; without them its tests say that they are skipped.
test-web: ## Check and test the page, also in Chromium against the real server.
	@if ! command -v npm > /dev/null; then echo "skipped: the page (no npm)"; \
	else $(MAKE) --no-print-directory web && cd web && npm run check && npm test && npm run test:page; fi

PICTURES ?= $(CURDIR)/workspace/pictures
screenshots: web ## Take pictures of every page into workspace/pictures.
	$(BUILD_WITH_PAGE) --package kiebitz
	cd web && KIEBITZ_PICTURES="$(PICTURES)" KIEBITZ_LAB="$(RELEASE_FOLDER)/kiebitz-lab" npm run screenshots

bench-page: web ## Measure what is promised of the page: first paint, weight, updates, fifty pages at once.
	$(BUILD_WITH_PAGE)
	cd web && KIEBITZ_LAB="$(RELEASE_FOLDER)/kiebitz-lab" npm run figures

play: ## Build the release and play a game in the terminal.
	@$(CARGO) build --release --package kiebitz-lab
	@"$(RELEASE_FOLDER)/kiebitz-lab" play

# Every browser of today has simd128. The network that is built in is the small one.
WASM_PACKAGE := web/src/engine/pkg
wasm: ## Build the engine for the browser into web/src/engine/pkg.
	@test -d "$$(rustc --print target-libdir --target wasm32-unknown-unknown)" || { echo "the browser's engine needs its target: rustup target add wasm32-unknown-unknown"; exit 1; }
	RUSTFLAGS="-C target-feature=+simd128" EVALFILE="$(CURDIR)/nets/small.net.gz" $(CARGO) build --release --target wasm32-unknown-unknown --package kiebitz-wasm
	@mkdir -p $(WASM_PACKAGE)
	CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/bindgen $(CARGO) run --quiet --locked --manifest-path apps/wasm/bindgen/Cargo.toml -- \
	    "$(CARGO_TARGET_DIR)/wasm32-unknown-unknown/release/kiebitz_wasm.wasm" $(WASM_PACKAGE)

# The second make reads this file again, and so sees the Python that `set-up` has just created.
test: set-up ## Run everything that must pass: checks and tests.
	@$(MAKE) --no-print-directory test-all

.PHONY: test-all
test-all:
	@test -d "$(KIEBITZ_DATA)" || echo "skipped: tests on larger data (no folder $(KIEBITZ_DATA))"
	@test -n "$${KIEBITZ_PYTHON:-}" || echo "skipped: comparison with python-chess (not installed)"
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory web; fi # before the program, which holds it
	$(CARGO) xtask check
	@$(MAKE) --no-print-directory check-fuzz
	$(CARGO) test --workspace
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory web-static; fi # `xtask check` has added the browser's target
	@KIEBITZ_LAB="$${KIEBITZ_LAB:-$(CARGO_TARGET_DIR)/debug/kiebitz-lab}" $(MAKE) --no-print-directory test-web

check-fuzz:
	@if ! test -f fuzz/Cargo.toml; then echo "skipped: fuzz targets (there are none yet)"; \
	elif ! command -v c++ > /dev/null; then echo "skipped: fuzz targets (no C++ compiler for the fuzzer's runtime)"; \
	else CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/fuzz $(CARGO) check --quiet --manifest-path fuzz/Cargo.toml; fi

test-slow: set-up ## Run the long tests as well; they need the larger data.
	@$(MAKE) --no-print-directory test-slow-all

.PHONY: test-slow-all
test-slow-all:
	@test -d "$(KIEBITZ_DATA)" || echo "skipped: tests on larger data (no folder $(KIEBITZ_DATA))"
	$(CARGO) test --workspace --release -- --ignored

# Needs a compiler for 64-bit ARM: rustup's target, or NEON_RUSTC=PROGRAM that has it, such as Debian's rustc-web beside
# libstd-rust-web-dev:arm64; and Debian's gcc-aarch64-linux-gnu and qemu-user. Larger networks run through data of KIEBITZ_DATA.
NEON_RUSTC ?=
NEON := aarch64-unknown-linux-gnu
test-neon: ## Run kernels and networks on an emulated 64-bit ARM: NEON must give the same integers.
	@for program in qemu-aarch64 aarch64-linux-gnu-gcc; do \
	    command -v $$program > /dev/null || { echo "test-neon needs $$program: apt-get install qemu-user gcc-aarch64-linux-gnu"; exit 1; }; done
	@test -n "$(NEON_RUSTC)" || test -d "$$(rustc --print target-libdir --target $(NEON))" \
	    || { echo "test-neon needs a compiler for $(NEON): rustup target add $(NEON), or NEON_RUSTC=PROGRAM"; exit 1; }
	$(if $(NEON_RUSTC),RUSTC="$(NEON_RUSTC)") CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/neon \
	    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
	    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" \
	    $(CARGO) test --target $(NEON) --package kiebitz-kernels --package kiebitz-inference --lib --tests

# Stopped at any moment, it goes on where it was: finished positions are kept in workspace/.
test-perft-6: ## Count every perft suite to depth 6 (an hour on two cores; resumable).
	@mkdir -p workspace
	$(CARGO) run --release --package kiebitz-chess --example perft_suite -- --depth 6 --hash 32 \
	    --state workspace/perft-depth6-state.txt "$(KIEBITZ_DATA)/suites/perft"

set-up: ## Install what tests and benches can use in addition; nothing here is required.
	@if test -f "$(PYTHON_FOLDER)/.python-chess-$(PYTHON_CHESS)"; then :; \
	elif ! command -v python3 > /dev/null; then echo "set-up: no python3, so no comparison with python-chess"; \
	elif mkdir -p workspace && python3 -m venv "$(PYTHON_FOLDER)" > workspace/set-up.log 2>&1 \
	    && "$(PYTHON_FOLDER)/bin/python" -m pip install --quiet --disable-pip-version-check chess==$(PYTHON_CHESS) \
	        >> workspace/set-up.log 2>&1; \
	then touch "$(PYTHON_FOLDER)/.python-chess-$(PYTHON_CHESS)"; \
	else echo "set-up: python-chess could not be installed (see workspace/set-up.log)"; fi
	@if command -v stockfish > /dev/null || test -x /usr/games/stockfish; then :; \
	elif test "$$(id -u)" = 0 && command -v apt-get > /dev/null; then \
	    mkdir -p workspace; \
	    DEBIAN_FRONTEND=noninteractive apt-get install --yes stockfish >> workspace/set-up.log 2>&1 \
	    || { apt-get update >> workspace/set-up.log 2>&1 \
	        && DEBIAN_FRONTEND=noninteractive apt-get install --yes stockfish >> workspace/set-up.log 2>&1; } \
	    || echo "set-up: stockfish could not be installed (only the benches miss it; see workspace/set-up.log)"; \
	else echo "set-up: no stockfish (only the benches miss it)"; fi
	@if command -v pgn-extract > /dev/null || test -x /usr/games/pgn-extract; then :; \
	elif test "$$(id -u)" = 0 && command -v apt-get > /dev/null; then \
	    mkdir -p workspace; \
	    DEBIAN_FRONTEND=noninteractive apt-get install --yes pgn-extract >> workspace/set-up.log 2>&1 \
	    || echo "set-up: pgn-extract could not be installed (see workspace/set-up.log)"; \
	else echo "set-up: no pgn-extract, so it does not read the PGN of our matches"; fi

	@if command -v chromium > /dev/null; then :; \
	elif test "$$(id -u)" = 0 && command -v apt-get > /dev/null; then \
	    mkdir -p workspace; \
	    DEBIAN_FRONTEND=noninteractive apt-get install --yes chromium >> workspace/set-up.log 2>&1 \
	    || echo "set-up: chromium could not be installed (see workspace/set-up.log)"; \
	else echo "set-up: no chromium, so the page is not tested in a browser"; fi

# Contestants are compared at their best: all of them built for the CPU at hand.
BENCH := cd benches && RUSTFLAGS="-C target-cpu=native" CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/benches $(CARGO) run --release --bin
bench-perft: ## Compare our move generation with other libraries.
	$(BENCH) perft

bench-pgn: ## Compare our PGN reading with other libraries.
	$(BENCH) pgn

# Healthy engines must not lose on time, the manager must stay small: the last line tells. Wants a quiet machine. With its
# own overhead of 10 ms Stockfish would hardly touch its clock at this speed, and answer within a millisecond.
MATCH_GAMES ?= 1000
bench-match: ## Play MATCH_GAMES (1000) games at 0.2+0.002, two at a time, and tell what the manager costs.
	@$(CARGO) build --release --package kiebitz-lab
	@"$(RELEASE_FOLDER)/kiebitz-lab" match --engine stockfish,name=one --engine stockfish,name=two --option Threads=1 \
	    --option Hash=16 --option "Move Overhead=3" --tc 0.2+0.002 --margin 10 --concurrency 2 --affinity --games $(MATCH_GAMES) --seed 1 \
	    $(if $(wildcard $(KIEBITZ_DATA)/books/UHO_4060_v4.epd.zip),--book "$(KIEBITZ_DATA)/books/UHO_4060_v4.epd.zip",)

bench-nnue: ## Measure how fast networks are evaluated, next to plain code and to what memory allows.
	$(BENCH) nnue

# Debian's engines are what everybody can install; ours is the release as it ships. Wants a quiet machine.
bench-search: ## Compare the engine's speed with Stockfish and Ethereal: nodes a second, time to depth, threads.
	@$(CARGO) build --release --package kiebitz
	$(BENCH) search -- "$(RELEASE_FOLDER)/kiebitz"

# The network of Stockfish 13 is unpacked once. A native build of Stockfish may take part: NATIVE_STOCKFISH=PROGRAM.
NATIVE_STOCKFISH ?=
DEBIAN_STOCKFISH ?= /usr/games/stockfish
bench-search-nnue: workspace/nets/sf13.nnue ## Compare the engine's speed with a network with Stockfish's: nodes a second, one thread.
	@$(CARGO) build --release --package kiebitz
	$(BENCH) search_nnue -- "$(RELEASE_FOLDER)/kiebitz" \
	    ../workspace/nets/sf13.nnue --peer debian=$(DEBIAN_STOCKFISH) $(if $(NATIVE_STOCKFISH),--peer native=$(NATIVE_STOCKFISH),)

workspace/nets/sf13.nnue:
	@mkdir -p workspace/nets
	zstd --decompress --quiet --output-dir-flat workspace/nets "$(KIEBITZ_DATA)/nets/nn-62ef826d1a6d.nnue.zst"
	@mv workspace/nets/nn-62ef826d1a6d.nnue $@

bench-data: ## Compare decoding of samples with another library; measure import and indices.
	$(BENCH) data

# TRAIN_THREADS is a list, one measurement each; 0 means all processors. PYTORCH_BENCH is a command that measures PyTorch right after ours, on the
# same machine in the same call; none is part of the project. It runs once for each of our two networks, and is given NETWORK (halfkp-256: HalfKP
# 256-32-32; regions-1024: 768 in sixteen king regions to 1024, squared), BATCH (16384), DEVICE and THREADS as arguments, in this order.
TRAIN_DEVICE ?= cpu
TRAIN_THREADS ?= $(if $(filter cuda,$(TRAIN_DEVICE)),16,1$(comma)0)
PYTORCH_BENCH ?=
comma := ,
bench-train: workspace/data/selfplay.kbz ## Measure training from memory and from shards; TRAIN_DEVICE=cuda for a GPU.
	$(CARGO) run --release -p kiebitz-lab -- train-speed workspace/data/selfplay.kbz --device $(TRAIN_DEVICE) --threads $(TRAIN_THREADS) --batch 16384
	$(if $(PYTORCH_BENCH),for network in halfkp-256 regions-1024; do $(PYTORCH_BENCH) $$network 16384 $(TRAIN_DEVICE) $(TRAIN_THREADS); done)

workspace/data/selfplay.kbz:
	@mkdir -p workspace/data
	$(CARGO) run --release -p kiebitz-lab -- data convert "$(KIEBITZ_DATA)"/selfplay/*.binpack --output $@

# The fuzzer's instrumentation is there in stable compilers, behind this variable; only sanitizers would need a nightly one,
# and code without `unsafe` has little for them to find. Debug assertions, overflow checks among them, are on.
FUZZ_TARGETS ?= $$($(CARGO) fuzz list)
fuzz: export RUSTC_BOOTSTRAP = 1
fuzz: ## Let every fuzz target, or FUZZ_TARGETS, run for FUZZ_SECONDS (20).
	@if ! $(CARGO) fuzz --version > /dev/null 2>&1; then echo "skipped: needs cargo-fuzz (cargo install cargo-fuzz)"; \
	else for target in $(FUZZ_TARGETS); do \
	    CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/fuzz $(CARGO) fuzz run --sanitizer none "$$target" -- \
	        -max_total_time=$(FUZZ_SECONDS) -verbosity=0; done; fi

# The baseline and the alignment come from .cargo/config.toml; faster instructions are chosen at run time.
# Equal sources give equal archives: names sorted, owners and times fixed, compiler paths rewritten.
DIST_NAME = kiebitz-$(VERSION)-linux-x86_64
CARGO_HOME ?= $(HOME)/.cargo
DIST_REMAPS = $(foreach folder,$(CARGO_HOME) $(wildcard $(CARGO_HOME)/registry/src/*) $(CURDIR),--remap-path-prefix=$(folder)=source)
DIST_DATE = $(shell git log -1 --format=%cI 2> /dev/null || echo 2020-01-01T00:00:00Z)
dist: web ## Pack the release programs with checksums into dist/.
	@case "$$(uname -s)-$$(uname -m)" in Linux-x86_64) ;; *) echo "make dist builds for Linux on x86-64 only"; exit 1;; esac
	RUSTFLAGS="-C target-cpu=x86-64-v2 -C llvm-args=-align-all-functions=6 -C strip=symbols $(DIST_REMAPS)" \
	    CARGO_TARGET_DIR="$(CARGO_TARGET_DIR)/dist" $(CARGO) build --release --locked --package kiebitz --package kiebitz-lab
	@rm -rf "dist/$(DIST_NAME)" && mkdir -p "dist/$(DIST_NAME)"
	@cp "$(CARGO_TARGET_DIR)/dist/release/kiebitz" "$(CARGO_TARGET_DIR)/dist/release/kiebitz-lab" "dist/$(DIST_NAME)/"
	@cp README.md LICENSE THIRD-PARTY.md CHANGELOG.md "dist/$(DIST_NAME)/"
	@mkdir -p "dist/$(DIST_NAME)/docs/pictures" && cp docs/pictures/*.svg docs/pictures/*.webp "dist/$(DIST_NAME)/docs/pictures/"
	@chmod -R u=rwX,go=rX "dist/$(DIST_NAME)"
	@tar --create --sort=name --mtime="$(DIST_DATE)" --owner=0 --group=0 --numeric-owner --format=gnu \
	    --directory=dist "$(DIST_NAME)" | gzip --no-name --best > "dist/$(DIST_NAME).tar.gz"
	@rm -rf "dist/$(DIST_NAME)"
	@cd dist && sha256sum -- *.tar.gz > SHA256SUMS && cat SHA256SUMS

clean: ## Remove everything that was built.
	$(CARGO) clean
	@rm -rf dist benches/target fuzz/target web/dist web/dist-static web/node_modules
