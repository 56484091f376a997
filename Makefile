# Powderkeg. "make" lists what can be made; train and test are the main ones.

GO      ?= go
BIN     := bin/powderkeg
PROCS   ?= 2
RUN     ?= runs/jogu-quick
# Inputs a fuzz target. A number, not a time: a target that is stopped by the clock
# can fail with "context deadline exceeded" though no input has.
FUZZ    ?= 1000x

# OpenBLAS is used where a C compiler finds it; the plain Go build needs neither.
OPENBLAS := $(shell printf 'void openblas_set_num_threads(int); int main(void){openblas_set_num_threads(1);return 0;}' \
              | $${CC:-cc} -x c - -lopenblas -o /dev/null 2>/dev/null && echo yes)
ifeq ($(OPENBLAS),yes)
TAGS    := -tags openblas
export CGO_LDFLAGS := -lopenblas
endif

.PHONY: help build train play match test python check rules race fuzz soak golden bench cross clean

help:
	@echo "make train   learn Jogu by self-play (about 3 minutes) and evaluate the result"
	@echo "make play    play against the bot that make train has left"
	@echo "make test    all tests; installs what they need (Python with numpy and msgpack)"
	@echo "make check   format, vet, static analysis, race detector, cross-compilation, short fuzzing"
	@echo "make bench   benchmarks with their spread"
	@echo "make rules   rule numbers without code or test"
	@echo "make golden  rewrite the golden files (then read the diff)"
	@echo "make soak    long random play and long fuzzing"
	@echo "make build   $(BIN), OpenBLAS: $(if $(OPENBLAS),found,not found (apt-get install libopenblas-dev makes training faster))"

build:
	$(GO) build $(TAGS) -trimpath -o $(BIN) .

# An unfinished run goes on where it was.
train: build
	$(BIN) train experiments/configs/jogu/quick.yaml --run $(RUN)
	@echo "next:            make play"

play: build
	$(BIN) play jogu --vs checkpoint:$(RUN)

test: python
	$(GO) vet ./...
	$(GO) test $(TAGS) -p $(PROCS) ./...
	CGO_ENABLED=0 $(GO) test -p $(PROCS) ./agents/network/... ./train/nn/...

# The Python client is tested with the first interpreter that has what it needs.
python:
	@for p in "$$POWDERKEG_PYTHON" python3 /usr/bin/python3; do \
	  [ -n "$$p" ] && "$$p" -c 'import numpy, msgpack' 2>/dev/null && exit 0; done; \
	echo "installing python3-numpy and python3-msgpack"; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then sudo=; \
	elif command -v apt-get >/dev/null && sudo -n true 2>/dev/null; then sudo="sudo -n"; \
	else echo "make test needs Python 3 with numpy and msgpack; type: sudo apt-get install -y python3-numpy python3-msgpack (or: pip install numpy msgpack)" >&2; exit 1; fi; \
	$$sudo apt-get update -qq && $$sudo apt-get install -y -qq python3-numpy python3-msgpack >/dev/null
	@command -v mypy >/dev/null || echo "skipped: the types of the Python client, for want of mypy (apt-get install -y mypy)"
	@for p in "$$POWDERKEG_PYTHON" python3 /usr/bin/python3; do \
	  [ -n "$$p" ] && "$$p" -c 'import torch' 2>/dev/null && exit 0; done; \
	echo "skipped: the examples for PyTorch, for want of it (apt-get install -y python3-torch)"
	@for p in "$$POWDERKEG_PYTHON" python3 /usr/bin/python3; do \
	  [ -n "$$p" ] && "$$p" -c 'import gymnasium, pettingzoo' 2>/dev/null && exit 0; done; \
	echo "replaced: the checkers of gymnasium and pettingzoo by our own, for want of them (pip install gymnasium pettingzoo)"

check:
	@bad=$$(gofmt -l . ); [ -z "$$bad" ] || { echo "gofmt would change: $$bad" >&2; exit 1; }
	$(GO) mod verify
	$(GO) tool staticcheck ./...
	$(MAKE) race cross fuzz

# The packages with goroutines, and the rules with their invariants checked after
# every move.
race:
	$(GO) test -race -p $(PROCS) ./env/... ./agents/... ./train/... ./serve/...
	$(GO) test -race -tags invariants -p $(PROCS) ./engine/...

cross:
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 $(GO) build -trimpath -o bin/cross/powderkeg-linux-amd64 .
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 $(GO) build -trimpath -o bin/cross/powderkeg-linux-arm64 .
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) build -trimpath -o bin/cross/powderkeg-darwin-arm64 .
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GO) build -trimpath -o bin/cross/powderkeg-windows-amd64.exe .

rules:
	$(GO) test ./engine/games -run 'TestEveryRule|TestRuleLists' -count=1 -v

fuzz:
	@for p in $$(grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
	  for f in $$(grep -hoE '^func Fuzz[A-Za-z0-9_]+' $$p/*_test.go | sed 's/^func //'); do \
	    echo "$$p $$f"; $(GO) test $$p -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZ) || exit 1; done; done

# Hours of it would find more; this is what is run before a release.
soak:
	POWDERKEG_SOAK=1 $(GO) test -timeout 2h -p $(PROCS) ./engine/... ./env/... ./train ./train/run ./serve/...
	$(MAKE) fuzz FUZZ=50000x

golden:
	$(GO) test $$(grep -rlE 'enginetest\.(Golden|Readme|Playthroughs|Scripts)' --include='*_test.go' engine train | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

bench: build
	$(BIN) bench env
	$(GO) test $(TAGS) -run '^$$' -bench . -count=10 ./env/... ./agents/network/... ./train/nn/... ./train/solve ./serve/... | tee bin/bench.txt
	$(GO) tool benchstat bin/bench.txt

clean:
	rm -rf bin
