# make run and make test need a Debian 12 and a Swift toolchain; they install everything else.
PORT ?= 8080
ARGS ?= --demo
FUZZ_SECONDS ?= 60
VALUES ?= 1000000
FAULTS ?= 100
SEED ?= 1
WORLDS ?= 40
OPERATIONS ?= 3000
ROUNDS ?= 3
TABLES ?= frames peers connects tls dashboard ingest latency growth replicas slow
# Runs commands of a suite; with RERUN=1, as in .ci/run, a test that fails runs once more.
SUITE = .venv/bin/python3 .ci/suite.py $(if $(RERUN),--rerun)
BUILD_PACKAGES = libmicrohttpd-dev libgnutls28-dev libsqlite3-dev libcurl4-openssl-dev libhiredis-dev liburing-dev libsystemd-dev zlib1g-dev esbuild
DEB_PACKAGES = $(BUILD_PACKAGES) debhelper
DIST_PACKAGES = $(DEB_PACKAGES) patchelf python3
TEST_PACKAGES = $(BUILD_PACKAGES) curl ca-certificates git python3 python3-venv chromium chromium-driver fonts-dejavu-core fonts-noto-core redis-server redis-tools openssl gnutls-bin libfaketime strace liblua5.1-0-dev
VERIFY_PACKAGES = $(TEST_PACKAGES) debhelper patchelf firefox-esr fonts-liberation node-typescript node-eventsource $(NPM) nginx caddy haproxy apache2-bin golang-go prometheus lintian logrotate mmdebstrap man-db tmux systemd-container zsh fish
# A Node that isn't Debian's comes with npm; Debian's npm would replace it.
NPM = $(if $(shell command -v npm),,npm)
CLUSTER_PACKAGES = $(BUILD_PACKAGES) nginx redis-server redis-tools curl
BENCH_PACKAGES = $(BUILD_PACKAGES) gcc libc6-dev python3 iproute2 util-linux nginx libnginx-mod-nchan wrk redis-server redis-tools openssl slowhttptest
# Python packages of make test; Tests/requirements.txt has their versions, and the packages that make verify adds.
TEST_PYTHON = croniter cronsim jsonschema jsonschema_rs PyYAML referencing ruff selenium
PIP = bash .ci/patiently .venv/bin/pip install --quiet --disable-pip-version-check
SOURCES = Package.swift Sources Tests docs/examples
PYTHON = .ci packaging Tests Benchmarks docs/examples clients
PROGRAM = .build/release/tweencast
# Its date is that of the newest sources in PROGRAM.
OPTIMISED = .build/optimised
# Lines of a crash are kept, variables for a debugger are not: a tenth of the build's time. The C++ runtime is linked into the
# program, which exports nothing: each command looks up 1,700 symbols fewer, and starts in nine tenths of the time.
RUNTIME = .build/runtime
# In a folder of its own, because SwiftPM runs one command at a time in each, and the tests are compiled meanwhile.
RELEASE = mkdir -p $(RUNTIME) && ln -sf "$$(clang -print-file-name=libstdc++.a)" $(RUNTIME) && swift build -c release \
	--scratch-path .build/program \
	--static-swift-stdlib -Xswiftc -gline-tables-only -Xlinker -L$(RUNTIME) -Xlinker --no-export-dynamic

# Warnings are errors.
export STRICT_BUILD = 1

.PHONY: run build build-tools program cluster deb dist test verify explore fresh tools lint names test-build unit contract board stateful pairs figures simulator simulate cuts mutants pictures verify-tools types slow browser peers proxies clients operations packages hostile replicas histories chaos fuzz soak sanitize portability consumer format bench docker clean

# Serves the optimised program where it is up to date (make program run). Otherwise it builds without optimising, in a third of the
# time; the tests share that compilation. A frame then costs ten times as much, which a demo doesn't notice.
run: build-tools
	bash packaging/viewer public .build/viewer
	@program=$(PROGRAM); \
	if ! [ -f $(OPTIMISED) ] || [ "$$(find Package.swift Sources -newer $(OPTIMISED) -print -quit)" ]; then \
		swift build --product tweencast && program=.build/debug/tweencast || exit; \
		echo "This program isn't optimised. For measuring and for use: make program run"; \
	fi; \
	exec "$$program" --port $(PORT) --public .build/viewer $(ARGS)

build: program
	bash packaging/viewer public .build/viewer

build-tools:
	bash .ci/packages $(BUILD_PACKAGES)

# The program that run, the suites, bench and deb share. It contains Swift's libraries, so it runs without a toolchain. If
# TWEENCAST names another program, nothing is built.
program: build-tools
	$(if $(TWEENCAST),,mkdir -p .build && touch .build/optimising)
	$(if $(TWEENCAST),,$(RELEASE) --product tweencast && ln -sfn program/release .build/release && mv .build/optimising $(OPTIMISED))

# Three replicas behind nginx, over a temporary Redis.
cluster: program
	bash .ci/packages $(CLUSTER_PACKAGES)
	bash packaging/cluster $(PORT)

# A Debian package of the program, in .build/deb; docs/deployment.md describes it.
deb: program
	bash .ci/packages $(DEB_PACKAGES)
	bash packaging/viewer public .build/deb/viewer
	bash packaging/deb $(PROGRAM) .build/deb/viewer .build/deb

# What a release consists of, in .build/dist: the archive that runs anywhere, with a list of its contents, the Debian package, and
# their checksums. The same sources and Debian packages make the same bytes.
dist: deb
	bash .ci/packages $(DIST_PACKAGES)
	rm -rf .build/dist
	bash packaging/archive $(PROGRAM) .build/deb/viewer .build/dist
	cp .build/deb/*.deb .build/dist
	cd .build/dist && sha256sum tweencast* >SHA256SUMS

# What every change must pass, in less than ten minutes; then everything else. Both run the suites below, print a line as each ends,
# and keep their output in .build/parts. Each suite can also be run alone.
test:
	@bash .ci/packages python3
	@python3 .ci/gate.py test

verify:
	@bash .ci/packages python3
	@python3 .ci/gate.py verify

# Everything that draws at random, in turns, with fresh seeds: make explore SECONDS=1800
explore: program simulator .venv/verify test-build
	.venv/bin/python3 .ci/explore.py $(if $(SECONDS),--seconds $(SECONDS)) $(ONLY)

# make test in a clean Debian 12, with only this Swift toolchain. Needs root.
fresh:
	bash .ci/fresh make test

# Suites of make test.

tools: .venv/test

# A venv, because Debian's Python refuses packages from PyPI.
.venv/test: Makefile Tests/requirements.txt
	bash .ci/packages $(TEST_PACKAGES)
	python3 -m venv .venv
	$(PIP) --constraint Tests/requirements.txt $(TEST_PYTHON)
	touch $@

lint: .venv/test
	swift format lint --strict --parallel --recursive $(SOURCES)
	.venv/bin/ruff check --quiet $(PYTHON)
	.venv/bin/python3 .ci/inventory.py check
	.venv/bin/python3 .ci/records.py
	.venv/bin/python3 Tests/Simulation/mutants.py --check
	.venv/bin/python3 Tests/Gate/test_gate.py

# Writes .ci/tests.txt, the list of all tests; lint compares it with the sources.
names:
	python3 .ci/inventory.py write

# Every target imports only its declared dependencies.
test-build:
	bash .ci/packages $(TEST_PACKAGES)
	swift build --build-tests --explicit-target-dependency-import-check error

# The Swift tests but those tagged slow; some of them: make unit ONLY=MachineTests
unit: program .venv/test test-build
	.venv/bin/python3 .ci/swift_tests.py $(if $(ONLY),--only "$(ONLY)")

# Answers and streams match openapi.yaml and asyncapi.yaml.
contract: program .venv/test
	.venv/bin/python3 Tests/Peers/test_contract.py

# The board in Chromium: numbers move, rest and continue after a SIGKILL.
board: program .venv/test
	.venv/bin/python3 Tests/Browser/board.py

# Compares random sessions, with restarts and clock changes, with a model: make stateful SEED=7. For longer:
# make explore ONLY=stateful SECONDS=3600
stateful: program .venv/test
	.venv/bin/python3 Tests/Stateful/stateful.py --seed $(SEED)

# Compares all pairs of what updates, readers, pages and time can do, streamed and drawn, with a model: make pairs SEED=7
pairs: program .venv/test
	.venv/bin/python3 Tests/Pairs/pairs.py --seed $(SEED)

# What a connect, a POST, a line of a batch and a frame cost, held to Tests/Figures/thresholds.json; make figures WRITE=1 writes it.
# And what make bench does when a table fails.
figures: program .venv/test
	.venv/bin/python3 Tests/Figures/test_benchmarks.py
	.venv/bin/python3 Tests/Figures/test_figures.py
	.venv/bin/python3 Tests/Figures/figures.py $(if $(WRITE),--write)

# Simulated worlds with fixed seeds: servers, faults and clients in one process, checked in everything that they were told. With
# fresh seeds: make simulate SECONDS=600. Power cuts with a fresh seed instead: make simulate CUTS=100000
simulate: $(if $(CUTS),program,simulator) .venv/test
	.venv/bin/python3 $(if $(CUTS),Tests/PowerCuts/cuts.py --cuts $(CUTS) --seed $$(date +%s),Tests/Simulation/simulate.py \
		$(if $(SECONDS),--seconds $(SECONDS) --marks --seed $$(date +%s),--seed $(SEED) --worlds $(WORLDS)))

# What a disk may hold after a power cut, at 500 moments of recorded sessions: a start with it has all that was acknowledged.
cuts: program .venv/test
	.venv/bin/python3 Tests/PowerCuts/test_disk.py
	.venv/bin/python3 Tests/PowerCuts/cuts.py --seed $(SEED)

simulator: build-tools
	$(RELEASE) --product simulation

# Whether the simulation finds the faults of Tests/Simulation/Mutants. In no gate: it builds everything again.
mutants: .venv/test
	.venv/bin/python3 Tests/Simulation/mutants.py $(ONLY)

# Suites of make verify.

# The pictures in README and docs/viewer.md.
pictures: program .venv/verify
	.venv/bin/python3 Tests/Browser/screenshots.py

verify-tools: .venv/verify

.venv/verify: .venv/test
	bash .ci/packages $(VERIFY_PACKAGES)
	$(PIP) --requirement Tests/requirements.txt
	touch $@

# The types of the page's scripts.
types: .venv/verify
	tsc --project Tests/Browser

# Type-checks the libraries for other systems.
portability:
	bash .ci/portability

# The Swift tests tagged slow.
slow: program .venv/verify test-build
	.venv/bin/python3 .ci/swift_tests.py --slow $(if $(ONLY),--only "$(ONLY)")

browser: program .venv/verify
	$(SUITE) Tests/Browser/suite.py

# Third-party clients, and the contract's own consistency.
peers: program .venv/verify
	.venv/bin/python3 Tests/Peers/test_peers.py
	.venv/bin/python3 Tests/Peers/test_contract_random.py
	.venv/bin/python3 Tests/Peers/test_contract_document.py
	.venv/bin/python3 Tests/Peers/test_contract_examples.py
	.venv/bin/python3 Tests/Peers/test_channels.py
	.venv/bin/python3 Tests/Peers/test_client.py
	.venv/bin/python3 Tests/Peers/test_labels.py
	.venv/bin/python3 Tests/Peers/test_intl.py

# The recipes of packaging/proxies, with the real proxies: restarts, reconnects, HTTP/2, addresses, a browser.
proxies: program .venv/verify
	$(SUITE) \
		Tests/Proxies/test_proxies.py \
		Tests/Proxies/test_framing.py \
		Tests/Proxies/test_several.py \
		Tests/Proxies/test_browser.py

# The commands of the pages and the example clients, run unchanged; the client packages.
clients: program .venv/verify test-build
	bash clients/javascript/build
	$(SUITE) --jobs 2 \
		Tests/Clients/test_pages.py \
		Tests/Clients/test_command_line.py \
		Tests/Clients/test_certificates.py \
		Tests/Clients/test_watch.py \
		Tests/Clients/test_work.py \
		Tests/Clients/test_clients.py \
		Tests/Clients/test_sending.py \
		Tests/Clients/test_feeds.py \
		Tests/Clients/test_readers.py \
		Tests/Clients/test_motions.py \
		Tests/Clients/test_client_packages.py \
		Tests/Clients/test_displays.py \
		Tests/Clients/test_python_client.py \
		Tests/Clients/test_javascript_client.py

# For operators: metrics, alerts, the dashboard; restarts and handover; stores, including old ones.
operations: program .venv/verify
	$(SUITE) \
		Tests/Operations/test_metrics.py \
		Tests/Operations/test_rules.py \
		Tests/Operations/test_restart.py \
		Tests/Operations/test_handover.py \
		Tests/Operations/test_leaving.py \
		Tests/Operations/test_sockets.py \
		Tests/Operations/test_output.py \
		Tests/Operations/test_stores.py \
		Tests/Operations/test_backups.py

# The archive: its contents, and that it runs in a minimal Debian. The Debian package: its contents, and its life in a clean
# Debian, from installation to purge. Needs root.
packages: dist .venv/verify
	.venv/bin/python3 Tests/Packaging/test_archive.py
	.venv/bin/python3 Tests/Packaging/test_package.py
	.venv/bin/python3 Tests/Packaging/test_life.py
	.venv/bin/python3 Tests/Packaging/test_systemd.py

# No client can end, freeze or fill the server, or make it lie. Seeds are fixed; make explore draws others.
hostile: program .venv/verify
	$(SUITE) \
		'Tests/Hostile/raw.py --requests 20000 --patience 4' \
		'Tests/Hostile/structured.py --requests 12000 --patience 4' \
		'Tests/Hostile/fields.py --values 20000' \
		'Tests/Hostile/attacks.py --quick --patience 8'

# Three replicas over a Redis: all send the same, even after a move of the board; each fault of docs/replicas.md by itself; and
# whether one order explains all answers under random faults and load.
replicas: program .venv/verify
	$(SUITE) \
		'Tests/Replicas/same.py --updates 1000 --moves 50' \
		Tests/Replicas/faults.py \
		Tests/Histories/test_checker.py \
		Tests/Histories/histories.py

# A history of other clients and faults, or a longer one: make histories OPERATIONS=20000 SEED=7
histories: program .venv/verify
	.venv/bin/python3 Tests/Histories/histories.py --operations $(OPERATIONS) --seed $(SEED)

# Random faults for longer: make chaos FAULTS=500
chaos: program .venv/verify
	.venv/bin/python3 Tests/Replicas/same.py --updates 15000 --moves 500 --seed $(SEED)
	.venv/bin/python3 Tests/Replicas/chaos.py --rounds $(FAULTS) --seed $(SEED)

# Fuzzes the parsers of input from outside, guided by coverage: make fuzz FUZZ_SECONDS=600, for each target. Tests/Fuzz/Corpus
# keeps what the fuzzers found, and make unit runs it.
fuzz:
	bash .ci/packages $(BUILD_PACKAGES)
	FUZZ_SECONDS=$(FUZZ_SECONDS) bash Tests/Fuzz/run

# A million values in every field that a client controls; then both fuzzers of requests on one server, with a kill -9 every 20 s:
# make soak SECONDS=1800
soak: program .venv/verify
	.venv/bin/python3 Tests/Hostile/fields.py --values $(VALUES) --seed $(SEED)
	.venv/bin/python3 Tests/Hostile/soak.py --seconds $(or $(SECONDS),600) --slowhttptest --seed $(SEED)

# The program with a sanitizer, under the integration tests and both fuzzers of requests. Not part of make verify, because it
# builds everything again, twice.
sanitize: .venv/verify test-build
	bash Tests/Hostile/sanitize address
	bash Tests/Hostile/sanitize thread

# Not part of make verify, because it builds a package that depends on this one four times.
consumer: program
	bash .ci/consumer

format:
	swift format --in-place --recursive $(SOURCES)

# Writes the tables of docs/benchmarks.md: make bench TABLES="frames peers" ROUNDS=3. One that fails loses no other.
bench: program
	bash .ci/packages $(BENCH_PACKAGES)
	$(RELEASE) --product bench
	python3 Benchmarks/run.py --page docs/benchmarks.md --rounds $(ROUNDS) $(TABLES)

docker:
	docker build -t tweencast .

clean:
	rm -rf .build .build-fuzz .venv clients/javascript/dist data
