# make run and make test need a Debian 12 and a Swift toolchain; what else they need they install.
PORT ?= 8080
ARGS ?= --demo
SECONDS ?= 600
FUZZ_SECONDS ?= 60
VALUES ?= 1000000
FAULTS ?= 100
ROUNDS ?= 3
TABLES ?= frames peers connects tls dashboard ingest growth replicas slow
HOSTILE = .venv/bin/python3 Tests/Hostile
REPLICAS = .venv/bin/python3 Tests/Replicas
BUILD_PACKAGES = libmicrohttpd-dev libgnutls28-dev libsqlite3-dev libcurl4-openssl-dev libhiredis-dev libjwt-gnutls-dev liburing-dev libsystemd-dev zlib1g-dev esbuild
DEB_PACKAGES = $(BUILD_PACKAGES) debhelper
TEST_PACKAGES = $(DEB_PACKAGES) curl ca-certificates python3 python3-venv chromium chromium-driver firefox-esr fonts-dejavu-core node-typescript libfaketime redis-server redis-tools openssl gnutls-bin nginx caddy haproxy apache2-bin golang-go prometheus lintian mmdebstrap man-db systemd-container zsh fish
CLUSTER_PACKAGES = $(BUILD_PACKAGES) nginx redis-server redis-tools curl
BENCH_PACKAGES = $(BUILD_PACKAGES) gcc libc6-dev python3 iproute2 util-linux nginx libnginx-mod-nchan wrk redis-server redis-tools openssl slowhttptest
SOURCES = Package.swift Sources Tests docs/examples
PYTHON = Tests Benchmarks docs/examples
PACKAGED = $(CURDIR)/.build/static/release/tweencast

# The compiler's warnings end a build.
export STRICT_BUILD = 1

.PHONY: run build cluster deb test drive unit program browser peers proxies clients operations packages hostile replicas chaos fuzz soak sanitize portability consumer lint format bench docker clean

run: build
	.build/release/tweencast --port $(PORT) --public .build/viewer $(ARGS)

build:
	bash .ci/packages $(BUILD_PACKAGES)
	swift build -c release --product tweencast
	bash packaging/viewer public .build/viewer

# Three replicas behind nginx, over a Redis that lasts as long as they run.
cluster:
	bash .ci/packages $(CLUSTER_PACKAGES)
	swift build -c release --product tweencast
	bash packaging/cluster $(PORT)

# A Debian package of the program, in .build/deb: docs/deployment.md says what it does. Its build has a folder of its own,
# since it is linked in another way, and may go on beside another one.
deb:
	bash .ci/packages $(DEB_PACKAGES)
	swift build -c release --product tweencast --static-swift-stdlib --scratch-path .build/static
	bash packaging/viewer public .build/deb/viewer
	bash packaging/deb .build/static/release/tweencast .build/deb/viewer .build/deb

# Swift tests and most of what drives a server wait more than they compute: they go well beside each other. What measures, or
# draws, goes alone. Once the package is there its program is the one that is driven: it is the one that goes out.
test: .venv/ready
	$(MAKE) lint portability
	$(MAKE) --jobs=2 --output-sync=target unit drive
	$(MAKE) TWEENCAST=$(PACKAGED) browser
	$(MAKE) TWEENCAST=$(PACKAGED) hostile replicas

# The package, and then its program by what mostly waits.
drive: packages
	$(MAKE) TWEENCAST=$(PACKAGED) peers proxies clients operations

unit: .venv/ready
	swift build --build-tests
	bash .ci/swift-tests

# A venv of its own: Debian's Python takes no packages from PyPI.
.venv/ready: Makefile Tests/requirements.txt
	bash .ci/packages $(TEST_PACKAGES)
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	touch $@

# What the suites below drive: the program that TWEENCAST names, else one without optimisations, which is built here.
program:
	$(if $(TWEENCAST),,swift build --product tweencast)

browser: .venv/ready program
	bash Tests/Browser/run

# Clients that nobody here wrote, and the contract against the server.
peers: .venv/ready program
	.venv/bin/python3 Tests/Peers/test_peers.py
	.venv/bin/python3 Tests/Peers/test_contract.py
	.venv/bin/python3 Tests/Peers/test_contract_document.py
	.venv/bin/python3 Tests/Peers/test_contract_examples.py
	.venv/bin/python3 Tests/Peers/test_channels.py
	.venv/bin/python3 Tests/Peers/test_client.py
	.venv/bin/python3 Tests/Peers/test_labels.py
	.venv/bin/python3 Tests/Peers/test_intl.py

# The recipes of packaging/proxies, with real servers of each kind: restarts, reconnection, HTTP/2, addresses, a browser.
proxies: .venv/ready program
	.venv/bin/python3 Tests/Proxies/test_proxies.py
	.venv/bin/python3 Tests/Proxies/test_several.py
	.venv/bin/python3 Tests/Proxies/test_browser.py

# The pages' commands and the example clients, run as they are written.
clients: .venv/ready program
	.venv/bin/python3 Tests/Clients/test_pages.py
	.venv/bin/python3 Tests/Clients/test_clients.py

# What an operator goes by: metrics, alerts, the dashboard; restarts, sockets that are handed over; stores, old ones included.
operations: .venv/ready program
	.venv/bin/python3 Tests/Operations/test_metrics.py
	.venv/bin/python3 Tests/Operations/test_rules.py
	.venv/bin/python3 Tests/Operations/test_restart.py
	.venv/bin/python3 Tests/Operations/test_leaving.py
	.venv/bin/python3 Tests/Operations/test_sockets.py
	.venv/bin/python3 Tests/Operations/test_output.py
	.venv/bin/python3 Tests/Operations/test_stores.py

# The Debian package: what is in it, and its life in a Debian of its own, from installing to purging. Wants to be root.
packages: .venv/ready deb
	.venv/bin/python3 Tests/Packaging/test_package.py
	.venv/bin/python3 Tests/Packaging/test_life.py
	.venv/bin/python3 Tests/Packaging/test_systemd.py

# What one client sends can't end, freeze or fill it, nor make it lie. Seeds are fresh, and printed; debug builds have time.
hostile: .venv/ready program
	$(HOSTILE)/raw.py --seconds 20 --patience 4
	$(HOSTILE)/structured.py --seconds 45 --patience 4
	$(HOSTILE)/fields.py --values 20000
	$(HOSTILE)/attacks.py --quick --patience 8

# Three replicas over a Redis: all that readers are told is the same, moved or not; each fault of docs/replicas.md by itself;
# random ones under load.
replicas: .venv/ready program
	$(REPLICAS)/same.py --seconds 8 --moves 100
	$(REPLICAS)/faults.py
	$(REPLICAS)/chaos.py --rounds 8

# Random faults for as long as one likes: make chaos FAULTS=500
chaos: .venv/ready
	swift build -c release --product tweencast
	TWEENCAST=.build/release/tweencast $(REPLICAS)/same.py --seconds 60 --moves 500
	TWEENCAST=.build/release/tweencast $(REPLICAS)/chaos.py --rounds $(FAULTS)

# Whatever reads what others wrote, function by function, led by coverage: make fuzz FUZZ_SECONDS=600, for each target.
# What the fuzzers learned is kept in Tests/Fuzz/Corpus, and make unit goes through it.
fuzz:
	bash .ci/packages $(BUILD_PACKAGES)
	FUZZ_SECONDS=$(FUZZ_SECONDS) bash Tests/Fuzz/run

# A million values in every field that a client controls; then both fuzzers of requests on one server for as long as one
# likes, with a kill -9 every 20 s: make soak SECONDS=1800
soak: .venv/ready
	swift build -c release --product tweencast
	TWEENCAST=.build/release/tweencast $(HOSTILE)/fields.py --values $(VALUES)
	TWEENCAST=.build/release/tweencast $(HOSTILE)/soak.py --seconds $(SECONDS) --slowhttptest

# The program with a sanitizer in it, under the integration tests and under both fuzzers of requests. Not part of make test:
# it builds everything anew, twice.
sanitize: .venv/ready
	swift build --build-tests
	bash Tests/Hostile/sanitize address
	bash Tests/Hostile/sanitize thread

# The libraries for systems that this one isn't, by type-checking.
portability:
	bash .ci/portability

# Not part of make test: builds a package that depends on this one four times over.
consumer:
	bash .ci/consumer

lint: .venv/ready
	swift format lint --strict --recursive $(SOURCES)
	.venv/bin/ruff check --quiet $(PYTHON)
	tsc --project Tests/Browser

format:
	swift format --in-place --recursive $(SOURCES)

# Writes the tables of docs/benchmarks.md: make bench TABLES="frames peers" ROUNDS=3
bench:
	bash .ci/packages $(BENCH_PACKAGES)
	swift build -c release
	python3 Benchmarks/run.py --page docs/benchmarks.md --rounds $(ROUNDS) $(TABLES)

docker:
	docker build -t tweencast .

clean:
	rm -rf .build .build-fuzz .venv data
