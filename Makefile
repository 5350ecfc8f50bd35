# refereed. `make help` lists the targets; V=1 shows the commands; B=DIR builds elsewhere.
CC       ?= gcc
B        ?= build
prefix   ?= /usr/local
VERSION  := 0.1.0
WARN     := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wcast-qual -Wvla -Wswitch-enum
OPT      ?= -O2 -g
CFLAGS   += -std=c17 -fPIE -fstack-protector-strong $(OPT) $(WARN) $(SAN) -I. -I$B \
            -D_GNU_SOURCE -DREFEREED_VERSION='"$(VERSION)"'
LDFLAGS  += -pie $(SAN)
RUN_DEB  := gcc make pkg-config python3 python3-yaml libmicrohttpd-dev libgnutls28-dev \
            libjansson-dev libsodium-dev libsqlite3-dev libpq-dev curl jq
TEST_DEB := $(RUN_DEB) clang clang-format libcmocka-dev binutils sqlite3 postgresql-15 \
            systemd strace dpkg-dev lintian mandoc
ALL_DEB  := $(TEST_DEB) wrk valgrind
CI_DEB   := $(TEST_DEB) nginx caddy

rules_src  := $(wildcard rules/*.c rules/*/*.c)
api_src    := $(wildcard api/*.c)
daemon_src := $(filter-out daemon/main.c,$(wildcard daemon/*.c))
objects     = $(patsubst %.c,$B/%.o,$(1))
api_libs    := -ljansson -lsodium -lpthread
daemon_libs := $(api_libs) -lmicrohttpd -lgnutls -lsqlite3 -lpq

rules_tests  := $(patsubst %.c,$B/%,$(wildcard tests/unit/rules/*.c tests/property/rules/*.c))
api_tests    := $(patsubst %.c,$B/%,$(wildcard tests/unit/api/*.c tests/property/api/*.c tests/api/*.c))
daemon_tests := $(patsubst %.c,$B/%,$(wildcard tests/unit/daemon/*.c))
sim          := $B/tests/sim/sim
fuzz_targets := $(patsubst tests/fuzz/%.c,$B/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
support_src  := $(wildcard tests/support/*.c)
benches      := $B/tests/system/fleet $B/tests/system/crowd $B/tests/bench/fill \
                $B/tests/bench/drive $B/tests/bench/bench_rules $B/tests/bench/bench_api

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $@)

.PHONY: all run test check lint format format-check fuzz bench bench-rules profile soak blind sim kills differential mutants asan \
        tsan valgrind timing coverage install uninstall deb help clean run-packages test-packages all-packages ci-packages \
        coverage-packages
.SECONDARY:

all: $B/refereed ## build the daemon

run: run-packages ## install what is missing, build, start with an embedded store
	@$(MAKE) --no-print-directory all
	@echo "refereed: starting; open http://127.0.0.1:8480 in a browser, Ctrl-C stops, games are kept in ./var"
	@exec $B/refereed --state var

test: test-packages ## install what is missing, build everything, run all tests
	@$(MAKE) --no-print-directory check

check: all lint $(benches) $B/tests/second/judge $(fuzz_targets) $(rules_tests) $(api_tests) $(daemon_tests) $(sim) ## all tests, nothing installed
	@B=$B tests/run.sh $(rules_tests) $(api_tests) $(daemon_tests) $(sim)

$B/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) $(CFLAGS) $(if $(filter rules/%,$<),-Wstack-usage=2048) -MMD -MP -c $< -o $@

ifneq (,$(findstring clang,$(CC)))
$B/%.o: WARN += -Wno-unknown-warning-option
endif

$B/librules.a: $(call objects,$(rules_src))
$B/libapi.a: $(call objects,$(api_src)) $B/gen/openapi.o $B/gen/web.o
$B/libdaemon.a: $(call objects,$(daemon_src))
$B/libsupport.a: $(call objects,$(support_src))
%.a:
	$(call say,AR)
	$Q rm -f $@ && ar rcs $@ $^

$B/gen/openapi.c: docs/openapi.yaml api/embed.py
	@mkdir -p $(@D)
	$(call say,GEN)
	$Q python3 api/embed.py openapi $< >$@
$B/gen/web.c: $(wildcard api/web/* api/web/*/*) api/embed.py
	@mkdir -p $(@D)
	$(call say,GEN)
	$Q python3 api/embed.py web api/web >$@
$B/gen/%.o: $B/gen/%.c
	$Q$(CC) $(CFLAGS) -c $< -o $@

$B/refereed: $B/daemon/main.o $B/libdaemon.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(daemon_libs) -o $@

# The link lines are the layers: a test sees its own layer and what lies below it.
$(rules_tests): %: %.o $B/libsupport.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $< $B/librules.a -lcmocka -o $@
$(api_tests): %: %.o $B/libsupport.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(api_libs) -lcmocka -o $@
# Memory that runs out.
$B/tests/unit/api/test_token: api_libs := -Wl,--wrap=malloc,--wrap=free $(api_libs)
$(daemon_tests): %: %.o $B/libsupport.a $B/libdaemon.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(daemon_libs) -lcmocka -o $@

# Memory that runs out: tests/sim/scarce.c stands between.
$(sim): $(call objects,$(wildcard tests/sim/*.c)) $B/libsupport.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=snapshot_stamp $^ $(api_libs) -lcmocka -o $@

lint: $B/refereed ## layers, headers, rulings, routes, settings, format
	$Q B=$B tests/lint/all.sh

format: ## lay out all sources
	clang-format -i $$(git ls-files '*.[ch]')

format-check:
	clang-format --dry-run -Werror $$(git ls-files '*.[ch]')

$B/tests/system/fleet: $(call objects,$(wildcard tests/system/fleet*.c)) $B/libsupport.a \
                       $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(api_libs) -o $@

$B/tests/system/crowd: $(call objects,$(wildcard tests/system/crowd*.c))
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ -lpthread -o $@
$B/tests/bench/fill: $B/tests/bench/fill.o $B/libdaemon.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(daemon_libs) -o $@
$B/tests/bench/drive: $(call objects,tests/bench/drive.c tests/system/fleet_wire.c) $B/libsupport.a \
                      $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(api_libs) -o $@

$B/tests/second/judge: $B/tests/second/judge.o $B/libsupport.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(api_libs) -lcmocka -o $@

$B/tests/bench/bench_api: $B/tests/bench/bench_api.o $B/libsupport.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(api_libs) -lcmocka -o $@

profile: all-packages $B/tests/bench/bench_api ## where the instructions of a request go
	B=$B tests/bench/profile.sh

bench: all-packages all $(benches) ## all targets, against floors; into docs/performance.md
	B=$B tests/bench/run.sh

soak: all $B/tests/system/crowd ## a million moves in one run: nothing may grow
	B=$B tests/bench/soak.sh

bench-rules: ## random plies a second of the rules alone, against the targets
	@$(MAKE) --no-print-directory $B/tests/bench/bench_rules
	@$B/tests/bench/bench_rules --check
$B/tests/bench/bench_rules: $B/tests/bench/bench_rules.o $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ -o $@

# Each fuzz target with a main of its own: `make check` gives them their corpora.
$(fuzz_targets): %: %.o $B/tests/fuzz/replay.o $B/libsupport.a $B/libdaemon.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(daemon_libs) -lcmocka -o $@

fuzz: ## libFuzzer on every parser, 90 s each
	tests/fuzz/run.sh

blind: $B/tests/api/blind ## 10,000 twin games a ruleset: is anybody told what he may not see? (half an hour)
	GAMES=10000 $B/tests/api/blind

sim: $(sim) ## GAMES=100000 games in a world that fails, by seeds
	GAMES=$(or $(GAMES),100000) $(sim)

kills: all $B/tests/system/fleet ## ROUNDS=200 times kill -9 under load: nothing that was told may be lost
	ROUNDS=$(or $(ROUNDS),200) TEST_SECONDS=7200 B=$B tests/system/kill.sh

asan: ## all tests under ASan and UBSan
	@REFEREED_SANDBOX=off $(MAKE) --no-print-directory check B=$B/asan SAN="-fsanitize=address,undefined -fno-sanitize-recover=all" OPT="-O1 -g"

tsan: ## the daemon under load, built to see races
	@$(MAKE) --no-print-directory B=$B/tsan SAN="-fsanitize=thread" OPT="-O1 -g" all $B/tsan/tests/system/crowd
	@B=$B/tsan tests/tsan.sh

valgrind: $(rules_tests) $(api_tests) $(daemon_tests) ## the unit tests under memcheck
	@B=$B tests/valgrind.sh $^

timing: $B/tests/bench/timing ## do answers take longer for one secret than for another? (Welch's t)
	$B/tests/bench/timing
$B/tests/bench/timing: $B/tests/bench/timing.o $B/libsupport.a $B/libapi.a $B/librules.a
	$(call say,LD)
	$Q$(CC) $(LDFLAGS) $^ $(api_libs) -lcmocka -lm -o $@

differential: $B/tests/second/judge ## the rules against those of tests/second, 100,000 positions a game
	B=$B tests/second/differ.py --positions $${POSITIONS:-100000}

mutants: ## do the tests see each change of the rules? two hours; N= tries so many, drawn by lot
	B=$B tests/mutants/mutate.py --sample $${N:-0} --seed $${SEED:-1}

coverage: ## line, branch and MC/DC coverage of the rules, the tokens and the commitments
	B=$B tests/coverage.sh

# The tests of the rules, the tokens and the commitments: what coverage and mutants run.
proved := $(rules_tests) $(patsubst %,$B/tests/unit/api/test_%,token commit base64) $B/tests/api/cases
.PHONY: rules-tests list-rules-tests
rules-tests: $(proved)
list-rules-tests:
	@echo $(proved)

install: all ## program, units, manuals, settings; DESTDIR= prefix=/usr/local
uninstall: ## removes what install put there
install uninstall:
	@B=$B DESTDIR="$(DESTDIR)" prefix="$(prefix)" systemd/install.sh $@

deb: ## a Debian package, the same bytes each time
	@B=$B systemd/deb/build.sh

clean:
	rm -rf $B

define packages
	@missing=$$(for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	[ -z "$$missing" ] || { as=; [ $$(id -u) = 0 ] || as=sudo; echo "installing as root: " $$missing; \
	$$as apt-get update -q && $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing; }
endef
run-packages: ; $(call packages,$(RUN_DEB))
test-packages: ; $(call packages,$(TEST_DEB)) && tests/web/packages.sh
all-packages: ; $(call packages,$(ALL_DEB))
ci-packages: test-packages; $(call packages,$(CI_DEB))
coverage-packages: ; $(call packages,clang-19 llvm-19 libclang-rt-19-dev)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

-include $(shell find $B -name '*.d' 2>/dev/null)
