# Powderkeg. "make" lists what can be made; train and test are the main ones.

GO      ?= go
BIN     := bin/powderkeg
PROCS   ?= 2
RUN     ?= runs/jogu-quick
# Inputs a fuzz target. A number, not a time: a target that is stopped by the clock
# can fail with "context deadline exceeded" though no input has.
FUZZ    ?= 1000x
SOAK    ?= 200

# OpenBLAS is used where a C compiler finds it; the Go build needs neither, and is no slower on amd64.
OPENBLAS := $(shell printf 'void openblas_set_num_threads(int); int main(void){openblas_set_num_threads(1);return 0;}' \
              | $${CC:-cc} -x c - -lopenblas -o /dev/null 2>/dev/null && echo yes)
ifeq ($(OPENBLAS),yes)
TAGS    := -tags openblas
export CGO_LDFLAGS := -lopenblas
endif

# The commit that --version prints. Go notes none in a linked worktree, nor with -buildvcs=false; a
# source archive has it in a file of its own (env/program), and no .git.
COMMIT = $(shell [ ! -e .git ] || { git rev-parse HEAD && git status --porcelain; } 2>/dev/null | awk 'NR == 1 { c = $$1 } NR == 2 { c = c "-dirty" } END { print c }')
STAMP   = $(addprefix -X $(shell $(GO) list ./env/program).stamp=,$(COMMIT))

.PHONY: help build program library train play match test python learners browser node ui types sheets wheels release workflows check slow rules mutants race invariants fuzz soak faults golden evidence speed yardsticks records measuring bench cross module docs pictures clean

help:
	@echo "make train   learn Jogu from lessons and self-play (under a minute) and evaluate the result"
	@echo "make play    set the table in the browser: play the bots and each other"
	@echo "make test    all tests; installs what they need (Python packages, under bin/venv; the browser's, under serve/web/ui)"
	@echo "make slow    the ten slowest tests, and the packages that take more than a quarter of their limit (PACKAGES=./serve/...)"
	@echo "make sheets  pictures of the five titles in the browser on five screens, and a contact sheet of each, under bin/sheets (minutes)"
	@echo "make learners  the Python examples and the notebook that learn with other libraries, under bin/learners (7 GB)"
	@echo "make check   format, vet, static analysis, race detector, invariants, cross-compilation, short fuzzing"
	@echo "make evidence  rewrite every table, picture and figure of the pages from the records (then read the diff)"
	@echo "make speed   measure this machine's speed into experiments/records/speed (3 minutes; the machine should have nothing else to do)"
	@echo "make yardsticks  measure PyTorch, JAX, OpenSpiel, Pgx and EnvPool beside this program (4 minutes, after 8 GB of packages under bin/yardsticks)"
	@echo "make records measure the short configurations anew into experiments/records (half an hour on an idle machine; SHORT=kuhn/ppo measures one)"
	@echo "make bench   benchmarks with their spread"
	@echo "make module  gives the module another path: make module MODULE=example.com/you/powderkeg"
	@echo "make rules   rule numbers without code or test"
	@echo "make mutants breaks rules on purpose and says which tests notice: GAME=jogu, RULES=20, SEED=1 (minutes)"
	@echo "make golden  rewrite the golden files (then read the diff)"
	@echo "make wheels  Python packages with the program in them, for five systems, under bin/wheels"
	@echo "make release  a release, ready for upload, under bin/release: make release VERSION=0.3.0 (.github/RELEASING.md)"
	@echo "make docs    the site, into bin/site: pages, references, a gallery, the paper; then looks at it in a browser (minutes; Python 3.10, which gets its packages under bin/docs)"
	@echo "make soak    random tests 200 times as long (SOAK=200) and long fuzzing"
	@echo "make faults  fleets whose processes and links fail (Linux, root)"
	@echo "make library the environments as a C library, $(LIBRARY), which Python calls in its own process"
	@echo "make build   $(BIN) and the library, OpenBLAS: $(if $(OPENBLAS),found,not found (apt-get install libopenblas-dev makes training faster, but on amd64))"

build: program library

program:
	$(GO) build $(TAGS) -trimpath -ldflags='$(STAMP)' -o $(BIN) .

# The environments as a C library (serve/inprocess), for this system.
LIBRARY := bin/libpowderkeg.$(if $(filter Darwin,$(shell uname -s)),dylib,so)
C_SHARED = -buildmode=c-shared -tags library,zoofiles -trimpath -ldflags='-s -w $(STAMP)'
library:
	@if [ "$$($(GO) env CGO_ENABLED)" = 1 ] && command -v "$$($(GO) env CC)" >/dev/null; then \
	  CGO_LDFLAGS= $(GO) build $(C_SHARED) -o $(LIBRARY) ./serve/inprocess; \
	else echo "skipped: the C library, for want of a C compiler; Python starts $(BIN) in its place"; fi

# An unfinished run goes on where it was.
train: program
	$(BIN) train experiments/configs/jogu/quick.yaml --run $(RUN)
	@echo "next:            make play, or bin/powderkeg play jogu --vs checkpoint:$(RUN)"

# --files: a bot may be a network of your own, checkpoint:RUN.
play: program
	$(BIN) web --files

# The page's bundle, which is committed, so that nothing has to be installed to build the
# program. TestBundleIsFresh fails where this has been forgotten.
ui:
	$(GO) test ./serve/web -run TestBundleIsFresh -update

# The types of the page, which esbuild leaves out without looking.
types: browser
	cd serve/web/ui && node_modules/.bin/tsc -p .

# Contact sheets of the five titles in the browser, for people to look at: start, middle and end on five screens,
# by day and by night.
SHEETS ?= bin/sheets
sheets: browser
	POWDERKEG_SHEETS=$(abspath $(SHEETS)) $(GO) test ./serve/web -run TestContactSheets -count=1 -v

# What the page is tested with: a headless Chromium, and from npm what package.json names.
browser:
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "skipped: the page in a browser, and its types, for want of Node.js (apt-get install -y nodejs npm)"; exit 0; }; \
	cd serve/web/ui && { [ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund --silent || echo "skipped: the page in a browser, for want of playwright-core (npm ci in serve/web/ui)"; }
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || [ -n "$$POWDERKEG_CHROMIUM" ] || { \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq chromium-headless-shell >/dev/null; fi; \
	command -v chromium-headless-shell >/dev/null || echo "skipped: the page in a browser, for want of one (apt-get install -y chromium-headless-shell)"; }

# What the client for Node.js needs from npm.
node:
	@if command -v node >/dev/null && command -v npm >/dev/null; then cd serve/examples/node && { [ -d node_modules ] || npm ci --no-audit --no-fund --silent || echo "skipped: the client for Node.js, for want of @msgpack/msgpack (npm ci in serve/examples/node)"; }; fi

test: python browser node
	$(GO) vet ./...
	$(GO) test $(TAGS) -timeout 20m -p $(PROCS) ./...
	$(if $(TAGS),CGO_ENABLED=0 $(GO) test -p $(PROCS) ./agents/network/... ./train/nn/...)
	$(GO) test -tags purego -p $(PROCS) ./agents/network/...

# The slowest tests by the clock, and packages by processor time; one after another, so that they do not wait for each other.
PACKAGES ?= ./...
slow: python browser node
	$(GO) test $(TAGS) -p 1 -count=1 -json -exec 'python3 $(CURDIR)/.ci/slow.py run' $(PACKAGES) | python3 .ci/slow.py report 10 600

# The Python client is tested with the real gymnasium and pettingzoo, in an environment of
# its own, unless POWDERKEG_PYTHON names an interpreter that has them.
VENV   := bin/venv
PYTHON := $(if $(POWDERKEG_PYTHON),$(POWDERKEG_PYTHON),$(abspath $(VENV))/bin/python)
export POWDERKEG_PYTHON := $(PYTHON)

python: $(if $(filter $(abspath $(VENV))/%,$(PYTHON)),$(VENV)/ready)
	@$(PYTHON) -c 'import torch' 2>/dev/null || echo "skipped: the examples that learn with other libraries, for want of them (make learners sets them up and runs them)"

$(VENV)/ready: serve/python/requirements.txt
	@python3 -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "installing python3-venv"; \
	  if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then sudo=; \
	  elif command -v apt-get >/dev/null && sudo -n true 2>/dev/null; then sudo="sudo -n"; \
	  else echo "make test needs Python 3.10 with venv; type: sudo apt-get install -y python3-venv" >&2; exit 1; fi; \
	  $$sudo apt-get update -qq && $$sudo apt-get install -y -qq python3-venv >/dev/null; }
	python3 -m venv --clear $(VENV)
	@$(VENV)/bin/pip install -q --disable-pip-version-check -r serve/python/requirements.txt || { \
	  echo "make test needs the packages of serve/python/requirements.txt; name an interpreter that has them in POWDERKEG_PYTHON" >&2; exit 1; }
	@touch $@

# The examples and the notebook that learn with other libraries, which are large and of which one wants an
# older gymnasium: in an environment of its own, and no part of make test.
LEARNERS := bin/learners

learners: $(LEARNERS)/ready
	POWDERKEG_LEARNERS=$(abspath $(LEARNERS))/bin/python $(GO) test $(TAGS) ./serve -run '^TestPython(Learners|Torch)' -count=1 -timeout 40m -v

$(LEARNERS)/ready: serve/python/examples/requirements.txt
	python3 -m venv --clear $(LEARNERS)
	$(LEARNERS)/bin/pip install -q --disable-pip-version-check -r serve/python/examples/requirements.txt
	@touch $@

# The site. Its sources are in .github/site and wherever pages stand; it is looked at in a browser
# where there is one. POWDERKEG_SOURCES is where files can be read, such as https://host/you/powderkeg/blob/main/.
DOCS := bin/docs

docs: program browser $(DOCS)/ready
	POWDERKEG_BIN=$(abspath $(BIN)) GO=$(GO) NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict -q -f .github/site/mkdocs.yml
	@if command -v node >/dev/null; then node .github/site/check.mjs bin/site; else echo "skipped: the site in a browser, for want of Node.js (apt-get install -y nodejs npm)"; fi

$(DOCS)/ready: .github/site/requirements.txt
	python3 -m venv --clear $(DOCS)
	@$(DOCS)/bin/pip install -q --disable-pip-version-check -r .github/site/requirements.txt || { \
	  echo "make docs needs the packages of .github/site/requirements.txt" >&2; exit 1; }
	@touch $@

# The pictures of the page and of the games, which are committed.
pictures: program browser
	node .github/site/pictures.mjs $(abspath $(BIN))

ZIG := $(abspath $(VENV))/bin/python -m ziglang cc
$(VENV)/zig: $(VENV)/ready
	$(VENV)/bin/pip install -q --disable-pip-version-check ziglang==0.17.1
	@touch $@

# One wheel for each system, with the program in it: GOOS, GOARCH, the wheel's platform. Those for
# Linux and Windows also have the library and, in a folder that both read, the networks that ship. The
# C compiler for all of them is Zig's, which PyPI has; it has the headers of every system but Apple's
# frameworks, so Python starts the program there. This system's wheel is then installed in an empty
# environment and plays games.
wheels: cross $(VENV)/zig
	@rm -rf bin/wheels
	@set -e; wheel() { \
	  folder=bin/wheels/$$1-$$2; mkdir -p $$folder/powderkeg/bin; exe=; [ $$1 != windows ] || exe=.exe; \
	  cp serve/python/powderkeg/*.py serve/python/powderkeg/py.typed $$folder/powderkeg; \
	  cp serve/python/pyproject.toml serve/python/README.md LICENSE .github/NOTICE $$folder; \
	  [ ! -f bin/LICENSES-THIRD-PARTY.txt ] || cp bin/LICENSES-THIRD-PARTY.txt $$folder; \
	  cp bin/cross/powderkeg-$$1-$$2$$exe $$folder/powderkeg/bin/powderkeg$$exe; \
	  if [ -n "$$4" ]; then \
	    CGO_ENABLED=0 GOOS=$$1 GOARCH=$$2 $(GO) build -tags zoofiles -trimpath -ldflags='-s -w $(STAMP)' -o $$folder/powderkeg/bin/powderkeg$$exe .; \
	    CC="$(ZIG) -target $$4" CGO_ENABLED=1 CGO_LDFLAGS= GOOS=$$1 GOARCH=$$2 $(GO) build $(C_SHARED) -o $$folder/powderkeg/bin/$$5 ./serve/inprocess; \
	    rm $$folder/powderkeg/bin/*powderkeg.h; cp -r checkpoints/zoo $$folder/powderkeg/bin; \
	  else echo "$$1-$$2: no library, for want of the frameworks of its system; Python starts the program"; fi; \
	  (cd $$folder && $(abspath $(VENV))/bin/python -m build --no-isolation --wheel -C--build-option=--plat-name=$$3 --outdir .. . >build.log || { cat build.log >&2; exit 1; }); \
	  rm -r $$folder; ls -sh bin/wheels/*$$3.whl; }; \
	wheel linux amd64 manylinux_2_17_x86_64 x86_64-linux-gnu.2.17 libpowderkeg.so; \
	wheel linux arm64 manylinux_2_17_aarch64 aarch64-linux-gnu.2.17 libpowderkeg.so; \
	wheel darwin amd64 macosx_12_0_x86_64; \
	wheel darwin arm64 macosx_12_0_arm64; \
	wheel windows amd64 win_amd64 x86_64-windows-gnu powderkeg.dll
	@python3 -m venv bin/wheels/empty
	@bin/wheels/empty/bin/pip install -q --disable-pip-version-check --only-binary :all: --find-links bin/wheels powderkeg==$$($(VENV)/bin/python -c 'exec(open("serve/python/powderkeg/_version.py").read()); print(__version__)')
	@cd bin/wheels && env -u POWDERKEG_BIN PATH=/nowhere empty/bin/python -c 'import powderkeg; c = powderkeg.start(); e = c.match("kuhn", "random"); e.step("bet"); print("the wheel plays:", c.welcome["release"])'
	@[ "$$(uname -s)" != Linux ] || { cd bin/wheels && env -u POWDERKEG_BIN PATH=/nowhere empty/bin/python -c 'import powderkeg; c = powderkeg.connect("process"); \
	  c.match("jogu", "zoo:jogu"); powderkeg.start().match("jogu", "zoo:jogu"); print("the wheel plays in the process, and both play its networks")'; }
	@env -u POWDERKEG_BIN bin/wheels/empty/bin/powderkeg --version >/dev/null

# A release, under bin/release/VERSION: .github/RELEASING.md says how one is made.
release:
	@GO='$(GO)' VENV='$(abspath $(VENV))' .ci/release '$(VERSION)'

# The workflows of .github, read by actionlint.
ACTIONLINT := github.com/rhysd/actionlint
workflows:
	@if $(GO) mod download $(ACTIONLINT)@v1.7.12 2>/dev/null; then $(GO) run $(ACTIONLINT)/cmd/actionlint@v1.7.12; \
	else echo "skipped: the workflows of the forge, for want of $(ACTIONLINT) from the network"; fi

check:
	@bad=$$(gofmt -l . ); [ -z "$$bad" ] || { echo "gofmt would change: $$bad" >&2; exit 1; }
	$(GO) mod verify
	$(GO) tool staticcheck ./...
	@if [ -d serve/web/ui/node_modules/typescript ]; then $(MAKE) types; else echo "skipped: the types of the page, for want of TypeScript (npm ci in serve/web/ui)"; fi
	$(MAKE) workflows race invariants wheels fuzz

# The packages with goroutines. Engines have none: their games are played side by side in
# TestConformance, to see that what they share is only read.
race:
	$(GO) test -race -timeout 20m -p $(PROCS) ./env/... ./agents/... ./train/... ./serve/...
	$(GO) test -race -run '^TestConformance$$' -p $(PROCS) ./engine/...

# The rules with their invariants checked after every move.
invariants:
	$(GO) test -tags invariants -p $(PROCS) ./engine/...

cross:
	@set -e; for system in linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64; do \
	  exe=; [ $${system%-*} != windows ] || exe=.exe; echo "building for $$system"; \
	  CGO_ENABLED=0 GOOS=$${system%-*} GOARCH=$${system#*-} $(GO) build -trimpath -ldflags='-s -w $(STAMP)' -o bin/cross/powderkeg-$$system$$exe .; done

rules:
	$(GO) test ./engine/games -run 'TestEveryRule|TestRuleLists' -count=1 -v

# One place of each of so many rules of a game is changed, and the tests that cite the rule
# are to fail; GAME may be several, separated by commas.
GAME  ?= jogu
RULES ?= 10
SEED  ?= 1
mutants:
	$(GO) test ./engine/games -run '^TestRulesBroken$$' -count=1 -timeout 24h -v -game=$(GAME) -rules=$(RULES) -seed=$(SEED)

fuzz:
	@for p in $$(grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
	  for f in $$(grep -hoE '^func Fuzz[A-Za-z0-9_]+' $$p/*_test.go | sed 's/^func //'); do \
	    echo "$$p $$f"; $(GO) test $$p -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZ) || exit 1; done; done

# What is run before a release: all of it in a night, a tenth of it in some two hours.
soak: python browser node
	POWDERKEG_SOAK=$(SOAK) $(GO) test -timeout 24h -skip '^TestRulesBroken$$' -p $(PROCS) ./engine/... ./env/... ./train ./train/run ./serve/...
	POWDERKEG_SOAK=$(SOAK) $(GO) test ./engine/games -run '^TestRulesBroken$$' -count=1 -timeout 24h -v
	POWDERKEG_SOAK=$(SOAK) $(GO) test -timeout 2h ./train/fleet
	$(MAKE) fuzz FUZZ=50000x

# A fleet whose workers, learners, brokers and links fail, each a process in a network
# namespace: as root on Linux, on a machine with nothing else to do.
faults:
	POWDERKEG_FAULTS=1 $(GO) test ./train/fleet -run 'Lost|Killed|Bad|Banned' -count=1 -timeout 10m -v

golden:
	$(GO) test $$(grep -rlE 'enginetest\.(Golden|Readme|Playthroughs|Scripts)' --include='*_test.go' engine train | xargs -n1 dirname | sort -u | sed 's|^|./|') -update
	$(GO) test ./serve/protocol -run TestSchemaIsFresh -update
	$(GO) test ./serve/mcp -run TestConversation -update

# What pages say was measured, from the records of the measurements: tables, pictures, and a look at every figure in between.
evidence:
	$(GO) test ./train/evidence ./train/suite ./train/eval ./train/respond ./train/bank \
	  -run '^(TestConfigTable|TestSpeedTable|TestCurves|TestPage|TestSecondPage|TestPaper|TestCards|TestCardsLearned|TestPartsPage|TestCalibration|TestBankPage)$$' -update
	$(GO) test ./train/evidence

# The program that measures is the default build, and it knows its commit: commit first.
MEASURING := bin/powderkeg-measuring
measuring:
	@[ -z "$$(git status --porcelain)" ] || { echo "a record names its commit: commit what has changed, or set it aside" >&2; exit 1; }
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags "-X $$($(GO) list -m)/env/program.stamp=$$(git rev-parse HEAD)" -o $(MEASURING) .
	@rm -rf bin/records

# A record is made beside the old one, which it replaces when it is whole.
KEEP = mkdir -p experiments/records/$(1) && mv bin/records/$(1)/*.json experiments/records/$(1)

speed: measuring
	@mkdir -p bin/records/speed
	$(MEASURING) bench env --record bin/records/speed/env.json
	$(MEASURING) bench net --seconds 20 --record bin/records/speed/net.json
	$(MEASURING) bench train experiments/configs/jogu/quick.yaml --record bin/records/speed/train.json
	$(MEASURING) bench serve --record bin/records/speed/serve.json
	$(MEASURING) solve leduc --algo cfr --iterations 1000 --record bin/records/speed/solve.json
	$(call KEEP,speed)

# Others' loops beside ours, run by run, each into a record of its own. OpenSpiel's loop in C++ is not among them: PyPI has its
# Python, not its benchmark. The environment variables are ones by which machines slow BLAS down.
YARDSTICKS := bin/yardsticks
YARDSTICK   = '$(YARDSTICKS)/bin/python experiments/yardsticks/$(1)'
YARDED     := env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE $(MEASURING)
yardsticks: measuring $(YARDSTICKS)/ready
	@mkdir -p bin/records/speed
	$(YARDED) bench net --seconds 21 --runs 7 --beside $(call YARDSTICK,torch_step.py) --beside $(call YARDSTICK,torch_step.py --compile) \
	  --beside $(call YARDSTICK,jax_step.py) --record bin/records/speed/beside_net.json
	$(YARDED) bench train experiments/yardsticks/leduc.yaml --seconds 35 --runs 7 --beside $(call YARDSTICK,torch_ppo.py leduc_poker) \
	  --record bin/records/speed/beside_leduc.json
	$(YARDED) bench train experiments/yardsticks/connect4.yaml --seconds 35 --runs 7 --beside $(call YARDSTICK,torch_ppo.py connect_four) \
	  --record bin/records/speed/beside_connect4.json
	$(YARDED) bench env --game connect4 --envs 1024 --workers 2 --seconds 14 --runs 7 --beside $(call YARDSTICK,pgx_envs.py connect_four) \
	  --beside $(call YARDSTICK,envpool_envs.py CartPole-v1) --record bin/records/speed/beside_connect4_envs.json
	$(YARDED) bench env --game leduc --envs 1024 --workers 2 --seconds 14 --runs 7 --beside $(call YARDSTICK,pgx_envs.py leduc_holdem) \
	  --record bin/records/speed/beside_leduc_envs.json
	$(call KEEP,speed)

$(YARDSTICKS)/ready: experiments/yardsticks/requirements.txt
	python3 -m venv --clear $(YARDSTICKS)
	$(YARDSTICKS)/bin/pip install -q --disable-pip-version-check -r experiments/yardsticks/requirements.txt
	@touch $@

# Configurations whose runs take minutes, each with the seed in its file; one that pages tell more of has other seeds, too.
SHORT ?= kuhn/ppo kuhn/mmd leduc/ppo leduc/mmd tictactoe/ppo connect4/ppo liars_dice/mmd jogu/quick
SEEDS_jogu/quick := 2 3 4 5
records: measuring
	@set -e; measure() { \
	  mkdir -p bin/records/$$(dirname $$2); rm -rf bin/records/run; config=$$1; record=$$2; shift 2; \
	  $(MEASURING) train experiments/configs/$$config.yaml "$$@" --run bin/records/run --record bin/records/$$record.json; \
	  mkdir -p experiments/records/$$(dirname $$record); mv bin/records/$$record.json experiments/records/$$record.json; }; \
	$(foreach c,$(SHORT),measure $(c) $(c); $(foreach s,$(SEEDS_$(c)),measure $(c) $(c)-$(s) --seed $(s);))

bench: program
	$(BIN) bench env
	$(GO) test $(TAGS) -run '^$$' -bench . -count=10 ./env/... ./agents/network/... ./train/nn/... ./train/solve ./serve/... | tee bin/bench.txt
	$(GO) tool benchstat bin/bench.txt

# Another path for the module, for who publishes it: go.mod, and the imports of every file. What PATH
# names is where programs are found.
module:
	@case "$(MODULE)" in '' | *[!a-z0-9A-Z._~/-]* | [!a-z0-9A-Z]* | */ | *//*) \
	  echo 'make module: MODULE is "$(MODULE)", it must be a path such as example.com/you/powderkeg' >&2; exit 2;; esac
	old=$$($(GO) list -m) && grep -rl --include='*.go' "\"$$old/" . | xargs sed -i "s|\"$$old/|\"$(MODULE)/|g" \
	  && $(GO) mod edit -module '$(MODULE)' && gofmt -w $$(grep -rl --include='*.go' '"$(MODULE)/' .) && $(GO) build ./...

clean:
	rm -rf bin
