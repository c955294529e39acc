# The few commands that people and CI need; CMake and ninja do the work.

BUILD := build
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)

.PHONY: all setup build test fast demo install format clean

all: build

setup:
	@scripts/setup.sh

$(BUILD)/build.ninja: CMakePresets.json | setup
	cmake --preset release -B $(BUILD)

build: $(BUILD)/build.ninja
	ninja -C $(BUILD) -j$(JOBS)

test: build
	@ctest --test-dir $(BUILD) --output-on-failure --timeout 1200 -j2

fast: build
	@ctest --test-dir $(BUILD) --output-on-failure --timeout 1200 -j2 -L fast

demo: build
	@scripts/demo.sh $(BUILD)

install: build
	DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

format: setup
	scripts/check_format.py --fix

clean:
	rm -rf $(BUILD)
