# make run and make test need a Debian 12 and a Swift toolchain; what else they need they install.
PORT ?= 8080
ARGS ?= --demo
BUILD_PACKAGES = pkg-config libmicrohttpd-dev libgnutls28-dev libsqlite3-dev libcurl4-openssl-dev
TEST_PACKAGES = $(BUILD_PACKAGES) curl ca-certificates python3 python3-venv chromium chromium-driver fonts-dejavu-core
SOURCES = Package.swift Sources Tests docs/examples

.PHONY: run build test unit browser peers lint format bench docker clean

run: build
	.build/release/tweencast --port $(PORT) --public public $(ARGS)

build:
	bash .ci/packages $(BUILD_PACKAGES)
	swift build -c release --product tweencast

test: lint unit browser peers

unit: .venv/ready
	swift build --build-tests
	swift test --skip-build

# A venv of its own: Debian's Python takes no packages from PyPI.
.venv/ready: Makefile
	bash .ci/packages $(TEST_PACKAGES)
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check selenium axe-selenium-python \
		httpx httpx-sse sseclient-py aiohttp aiohttp-sse-client cronsim croniter schemathesis jsonschema pyyaml
	touch $@

browser: .venv/ready
	swift build --product tweencast
	bash Tests/Browser/run

# Clients that nobody here wrote, and the contract against the server.
peers: .venv/ready
	swift build --product tweencast
	.venv/bin/python3 Tests/Peers/test_peers.py
	.venv/bin/python3 Tests/Peers/test_contract.py

lint:
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

bench:
	bash .ci/packages $(BUILD_PACKAGES)
	swift build -c release
	bash .ci/bench

docker:
	docker build -t tweencast .

clean:
	rm -rf .build .venv data
