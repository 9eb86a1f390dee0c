# `make test` is the whole check: it builds tools into .tools, and lists at the end what this machine cannot run.

# What does not wait for each other is done at once: two linkers at work leave no core idle.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --jobs=$(shell nproc)
endif

# CI compiles once, so what the compiler writes for the next time is useless. The message of a failed test has its line
# even without debug information, which takes a sixth of the time to compile the tests.
ifeq ($(CI),true)
export CARGO_INCREMENTAL := 0
export CARGO_PROFILE_DEV_DEBUG := false
endif

TOOLS := .tools
# Builds of cargo-installed tools are kept outside, so that a fresh clone does not start from nothing.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/rhoso-fn

KUSTOMIZE := v5.0.3 v5.4.2 v5.7.1 v5.8.1
CARGO_DENY := 0.20.2
CARGO_CYCLONEDX := 0.5.9
CARGO_FUZZ := 0.13.2
PYYAML := 6.0.3
OSLO_CONFIG := 10.7.0
COSIGN := v3.1.3
REGISTRY := v0.21.7

VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
AMD64 := target/amd64/x86_64-unknown-linux-gnu/release/rhoso-fn
ARM64 := target/arm64/aarch64-unknown-linux-gnu/release/rhoso-fn
IMAGE := localhost/rhoso-fn

# Containers without a daemon; see the file for why it is needed in small sandboxes.
export CONTAINERS_CONF := $(CURDIR)/testdata/tools/containers.conf

.PHONY: test checked cluster-test cluster-tools lint format lints built-tests deny docs audit tools python system amd64 arm64 image release bench bench-argocd reproducible sign-test \
        field-table options-table screenshots readings fuzz cost clean

# testdata/tools/prepare finds out which parts this machine can run.
test: system
	@. target/machine && $(MAKE) --no-print-directory checked PARTS="$$parts" ARCHES="$$arches" DEMAND="$$demand"
	@testdata/tools/skips

# TESTS narrows it down, as in `make test TESTS='--test cases inject'`. Many tests wait for servers or for each other, so
# more tests than cores run at once.
checked: $(PARTS) built-tests
	RUST_TEST_THREADS=$$(($$(nproc) * 4)) $(if $(DEMAND),RHOSO_FN_DEMAND=1) RHOSO_FN_SKIPPED=$(CURDIR)/target/skipped.txt cargo test --locked $(TESTS)

lint: format lints

format:
	cargo fmt --check

lints:
	cargo clippy --locked --all-targets -- -D warnings

# Only the tests that need a cluster, which `make test` runs too.
cluster-test: cluster-tools
	cargo test --locked --test suite -- cluster:: metallb:: argocd_native:: applications:: fleet:: $(TESTS)

# While the linkers of `amd64` and `arm64` work, each on one core.
built-tests: $(filter lints,$(PARTS))
	cargo test --locked --no-run $(TESTS)

# Advisories need a database from the network; `make audit` asks for it.
deny: $(TOOLS)/bin/cargo-deny
	$(TOOLS)/bin/cargo-deny --locked check bans licenses sources

# Writes everything that is generated: manuals, definitions, expected results.
docs:
	UPDATE=1 cargo test --locked

# The table of the options of OpenStack services, from a TSV with the columns that the script names.
options-table:
	testdata/tools/options-table $(FROM) > src/platform/tables/oslo-options.txt

# The fields of custom resources, from directories of CRDs: FROM has the newest ones, WITH those of other current releases,
# and OLDER those of releases whose fields were removed since.
FIELDS := src/platform/tables/crd-fields.txt
field-table:
	cargo run --locked --example field-table -- $(FROM) $(WITH:%=--with %) $(OLDER:%=--older %) > target/crd-fields.txt
	mv target/crd-fields.txt $(FIELDS)

# The pictures of the documentation.
screenshots: system
	testdata/tools/screenshots

audit: $(TOOLS)/bin/cargo-deny
	$(TOOLS)/bin/cargo-deny --locked check

# ---- What is shipped -------------------------------------------------------------------------------

ARCHES := amd64 arm64
# What is asked for by name installs packages first; `make test` has done that for its parts.
PREPARED := $(if $(PARTS),,system)

# Static, so that the image needs nothing else and `install` works anywhere. Like most Go programs, it has fixed addresses:
# without relocations, it starts faster and is smaller. src/release.ld saves a tenth of the size.
# The path is relative to the workspace, where Cargo runs the compiler: Cargo includes the flags in the names of files, and
# the order of functions in the program depends on these names.
export RELEASE_FLAGS := -C target-feature=+crt-static -C relocation-model=static -C link-arg=-Wl,-T,src/release.ld

# Equal functions become one, and equal ends of texts too. That keeps the program below 5 MB. The linker for arm64, where the
# program is smaller, cannot do that.
AMD64_FLAGS := -C link-arg=-Wl,--icf=all,-O2
amd64:
	CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS='$(RELEASE_FLAGS) $(AMD64_FLAGS)' \
	cargo build --locked --release --target x86_64-unknown-linux-gnu --target-dir target/amd64

arm64: $(PREPARED)
	testdata/tools/for-arm64 cargo build --locked --release --target aarch64-unknown-linux-gnu --target-dir target/arm64

# One image for each architecture; nothing is pulled. A cached layer would bring the architecture that it was built for.
image: $(PREPARED) $(ARCHES)
	for arch in $(ARCHES); do \
	  mkdir -p target/image/$$arch && \
	  echo 'nobody:x:65534:65534:nobody:/:/sbin/nologin' > target/image/$$arch/passwd && \
	  case $$arch in amd64) cp $(AMD64) target/image/$$arch/;; arm64) cp $(ARM64) target/image/$$arch/;; esac && \
	  podman build --quiet --layers=false --arch $$arch --build-arg VERSION=$(VERSION) --timestamp 0 \
	    --tag $(IMAGE):$(VERSION)-$$arch --file Containerfile target/image/$$arch || exit 1; \
	done
	podman tag $(IMAGE):$(VERSION)-amd64 $(IMAGE):$(VERSION)

# Archives, checksums and the bill of materials, the same bytes from the same source.
release: $(ARCHES) $(TOOLS)/bin/cargo-cyclonedx
	rm -rf target/dist && mkdir -p target/dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	$(TOOLS)/bin/cargo-cyclonedx cyclonedx --format json --override-filename rhoso-fn_$(VERSION).cdx
	sed 's|$(CURDIR)|/rhoso-fn|g' rhoso-fn_$(VERSION).cdx.json > target/dist/rhoso-fn_$(VERSION).cdx.json
	rm rhoso-fn_$(VERSION).cdx.json src/*/rhoso-fn_$(VERSION).cdx.json
	testdata/tools/check-bill target/dist/rhoso-fn_$(VERSION).cdx.json Cargo.lock
	for arch in $(ARCHES); do \
	  stage=target/dist/rhoso-fn_$(VERSION)_linux_$$arch && mkdir $$stage && \
	  case $$arch in amd64) cp $(AMD64) $$stage/;; arm64) cp $(ARM64) $$stage/;; esac && \
	  cp LICENSE README.md CHANGELOG.md $$stage/ && \
	  tar --create --gzip --file $$stage.tar.gz --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner \
	    --directory target/dist $$(basename $$stage) && rm -r $$stage || exit 1; \
	done
	cd target/dist && sha256sum *.tar.gz *.json > SHA256SUMS && sha256sum --check SHA256SUMS

# The archives of the last commit, from two directories. Builds everything twice.
reproducible: $(TOOLS)/bin/cargo-cyclonedx
	testdata/tools/reproducible $(TOOLS) '$(ARCHES)'

# The recipe of docs/signing.md, with a key pair made for it. Not a part of `make test`: cosign takes minutes to build.
sign-test: release image $(TOOLS)/bin/cosign $(TOOLS)/bin/registry
	testdata/tools/sign-test $(TOOLS)/bin/cosign $(TOOLS)/bin/registry target/dist $(ARCHES:%=$(IMAGE):$(VERSION)-%)

$(TOOLS)/bin/cosign:
	GOBIN=$(CURDIR)/$(@D) $(GO_FLAGS) go install github.com/sigstore/cosign/v3/cmd/cosign@$(COSIGN)

$(TOOLS)/bin/registry:
	GOBIN=$(CURDIR)/$(@D) $(GO_FLAGS) go install github.com/google/go-containerregistry/cmd/registry@$(REGISTRY)

# ---- What it takes to test it ----------------------------------------------------------------------

# Without symbols, which take a third of the time to link, and without inlining, which takes a third of the time to
# compile. The same flags for all, so that the standard library is compiled once. Collecting the garbage of the compiler
# takes a fifth of the time, so it waits until that needs 2 GiB.
GO_FLAGS := CGO_ENABLED=0 GOGC=off GOMEMLIMIT=2GiB GOFLAGS='-trimpath -ldflags=-s -gcflags=all=-l'
GO_BUILD := $(GO_FLAGS) go build

# Programs that the tests run, built below .tools.
tools: $(KUSTOMIZE:%=$(TOOLS)/kustomize/%/kustomize) $(TOOLS)/bin/kpt $(TOOLS)/bin/kpt-older \
       $(TOOLS)/bin/argocd-cmp-server $(TOOLS)/bin/strict-decode $(TOOLS)/bin/yaml-oracle $(TOOLS)/bin/judge-sarif \
       cluster-tools
# The API server, the CRDs that it loads, the operators' webhooks, MetalLB's parser, and Argo CD's repo server,
# application controller and Applications.
cluster-tools: $(TOOLS)/bin/judge-apiserver $(TOOLS)/crds $(TOOLS)/bin/judge-webhooks $(TOOLS)/bin/judge-metallb \
               $(TOOLS)/bin/argocd-repo-judge $(TOOLS)/bin/judge-applications $(TOOLS)/bin/judge-sync

# The oracles: the readers and parsers that OpenStack and Ansible use.
python: $(TOOLS)/python/bin/oslo-config-generator

# Containers, a compiler for arm64, valgrind, a browser: finds out what works, and installs packages as root on Debian.
system:
	@testdata/tools/prepare

$(TOOLS)/kustomize/%/kustomize:
	$(GO_FLAGS) GOBIN=$(CURDIR)/$(@D) go install sigs.k8s.io/kustomize/kustomize/v5@$*

$(TOOLS)/bin/kpt: testdata/tools/kpt/go.mod testdata/tools/kpt/main.go
	cd testdata/tools/kpt && $(GO_BUILD) -o $(CURDIR)/$@ .

$(TOOLS)/bin/kpt-older: testdata/tools/kpt/older.mod testdata/tools/kpt/main.go
	cd testdata/tools/kpt && $(GO_BUILD) -modfile older.mod -o $(CURDIR)/$@ .

$(TOOLS)/bin/argocd-cmp-server: $(wildcard testdata/tools/cmp-server/go.* testdata/tools/cmp-server/ask/main.go testdata/tools/cmp-server/server/main.go)
	cd testdata/tools/cmp-server && $(GO_BUILD) -o $(CURDIR)/$(TOOLS)/bin/argocd-cmp-ask ./ask
	cd testdata/tools/cmp-server && $(GO_BUILD) -o $(CURDIR)/$@ ./server

$(TOOLS)/bin/argocd-repo-judge: $(wildcard testdata/tools/cmp-server/go.* testdata/tools/cmp-server/repo/main.go testdata/tools/cmp-server/reposerver/*.go)
	cd testdata/tools/cmp-server && $(GO_BUILD) -o $(CURDIR)/$@ ./repo

$(TOOLS)/bin/judge-sync: $(wildcard testdata/tools/cmp-server/go.* testdata/tools/cmp-server/sync/*.go testdata/tools/cmp-server/reposerver/*.go)
	cd testdata/tools/cmp-server && $(GO_BUILD) -o $(CURDIR)/$@ ./sync

$(TOOLS)/bin/judge-applications: $(wildcard testdata/tools/cmp-server/go.* testdata/tools/cmp-server/applications/*.go)
	cd testdata/tools/cmp-server && $(GO_BUILD) -o $(CURDIR)/$@ ./applications

$(TOOLS)/bin/strict-decode: $(wildcard testdata/tools/cmp-server/go.* testdata/tools/cmp-server/strict/main.go)
	cd testdata/tools/cmp-server && $(GO_BUILD) -o $(CURDIR)/$@ ./strict

$(TOOLS)/bin/yaml-oracle: $(wildcard testdata/tools/yaml-oracle/go.* testdata/tools/yaml-oracle/main.go)
	cd testdata/tools/yaml-oracle && $(GO_BUILD) -o $(CURDIR)/$@ .

$(TOOLS)/bin/judge-apiserver: $(wildcard testdata/tools/apiserver/go.* testdata/tools/apiserver/*.go)
	cd testdata/tools/apiserver && $(GO_BUILD) -o $(CURDIR)/$@ .

$(TOOLS)/bin/judge-webhooks: $(wildcard testdata/tools/webhooks/go.* testdata/tools/webhooks/*.go)
	cd testdata/tools/webhooks && $(GO_BUILD) -o $(CURDIR)/$@ .

$(TOOLS)/bin/judge-metallb: $(wildcard testdata/tools/metallb/* testdata/tools/crds/go.*)
	$(GO_FLAGS) testdata/tools/metallb/build $@

$(TOOLS)/bin/judge-sarif: $(wildcard testdata/tools/sarif/*)
	$(GO_FLAGS) testdata/tools/sarif/build $@

$(TOOLS)/crds: $(wildcard testdata/tools/crds/*)
	testdata/tools/crds/collect $@

# Without optimisation: they run for a second, and take minutes to optimise.
CARGO_INSTALL = @echo 'using $(CACHE) to keep builds of cargo-installed tools'; \
  CARGO_PROFILE_DEV_DEBUG=false cargo install --debug --locked --target-dir $(CACHE)/cargo-install

$(TOOLS)/bin/cargo-deny:
	$(CARGO_INSTALL) --root $(TOOLS) cargo-deny@$(CARGO_DENY)

$(TOOLS)/bin/cargo-cyclonedx:
	$(CARGO_INSTALL) --root $(TOOLS) cargo-cyclonedx@$(CARGO_CYCLONEDX)

$(TOOLS)/python/bin/oslo-config-generator:
	python3 -m venv $(TOOLS)/python
	$(TOOLS)/python/bin/pip install --quiet --disable-pip-version-check PyYAML==$(PYYAML) oslo.config==$(OSLO_CONFIG)

# ---- What it costs, beside what others cost --------------------------------------------------------

BENCH := target/bench
RUAMEL := 0.19.1
KUBECONFORM := v0.8.0
KUBE_LINTER := v0.7.6
READINGS := 10000000

# Measures everything and writes benches/RESULTS.md and benches/results.svg. Takes a quarter of an hour after everything is
# built, and needs a quiet machine. QUICK=1 tries everything on small inputs and writes to target/bench.
bench: system amd64 $(TOOLS)/crds $(BENCH)/peer-kyaml $(BENCH)/python/bin/ruamel $(if $(QUICK),,$(BENCH)/readings.txt) \
       $(BENCH)/bin/kustomize $(BENCH)/bin/kpt $(BENCH)/bin/kubeconform $(BENCH)/bin/kube-linter
	cargo build --locked --release --examples
	$(BENCH)/python/bin/python benches/compare

# Those of the tests are built in less time and run slower.
OPTIMIZED := -trimpath -ldflags='-s -w'
$(BENCH)/bin/kustomize:
	CGO_ENABLED=0 GOBIN=$(CURDIR)/$(@D) go install $(OPTIMIZED) sigs.k8s.io/kustomize/kustomize/v5@$(lastword $(KUSTOMIZE))

$(BENCH)/bin/kpt: testdata/tools/kpt/go.mod testdata/tools/kpt/main.go
	cd testdata/tools/kpt && CGO_ENABLED=0 go build $(OPTIMIZED) -o $(CURDIR)/$@ .

# Not every module proxy has these. Without them, the benchmark uses those on the PATH, or says that they are missing.
$(BENCH)/bin/kubeconform:
	-CGO_ENABLED=0 GOBIN=$(CURDIR)/$(@D) go install $(OPTIMIZED) github.com/yannh/kubeconform/cmd/kubeconform@$(KUBECONFORM)

$(BENCH)/bin/kube-linter:
	-CGO_ENABLED=0 GOBIN=$(CURDIR)/$(@D) go install $(OPTIMIZED) golang.stackrox.io/kube-linter/cmd/kube-linter@$(KUBE_LINTER)

# What a render costs in Argo CD, which docs/scale.md plans with. Writes benches/ARGOCD.md.
ARGOCD := argocd-cmp-server argocd-cmp-ask argocd-repo-judge
bench-argocd: amd64 $(BENCH)/bin/kustomize $(ARGOCD:%=$(BENCH)/bin/%)
	python3 benches/argocd.py $(BENCH)/bin

$(BENCH)/bin/argocd-cmp-server: FROM := server
$(BENCH)/bin/argocd-cmp-ask: FROM := ask
$(BENCH)/bin/argocd-repo-judge: FROM := repo
$(ARGOCD:%=$(BENCH)/bin/%): $(wildcard testdata/tools/cmp-server/go.* testdata/tools/cmp-server/*/*.go)
	cd testdata/tools/cmp-server && CGO_ENABLED=0 go build $(OPTIMIZED) -o $(CURDIR)/$@ ./$(FROM)

$(BENCH)/peer-kyaml: $(wildcard benches/peer-kyaml/*)
	cd benches/peer-kyaml && CGO_ENABLED=0 go build $(OPTIMIZED) -o $(CURDIR)/$@ .

$(BENCH)/python/bin/ruamel:
	python3 -m venv $(BENCH)/python
	$(BENCH)/python/bin/pip install --quiet --disable-pip-version-check PyYAML==$(PYYAML) ruamel.yaml==$(RUAMEL)
	touch $@

# Both ways of reading YAML, compared on that many damaged documents.
$(BENCH)/readings.txt: $(wildcard src/yaml/*.rs src/yaml/*/*.rs src/krm/list.rs testdata/harness/readings.rs testdata/harness/mutation.rs)
	mkdir -p $(BENCH)
	READINGS=$(READINGS) cargo test --locked --profile quick --test suite readings -- --nocapture > $@.new
	grep ' take the fast way' $@.new > $@

# Packages and documents drawn by chance, with go-yaml and PyYAML as judges; then both ways of reading YAML by
# libFuzzer, which looks for new paths through them. `-s none` works with a stable compiler. CI tries a few of the
# same packages and documents; SEED=2 tries others.
FUZZ := 200000
SEED := 1
SECONDS := 60
fuzz: $(BENCH)/bin/cargo-fuzz $(TOOLS)/bin/yaml-oracle $(TOOLS)/python/bin/oslo-config-generator
	FUZZ=$(FUZZ) FUZZ_SEED=$(SEED) cargo test --locked --profile quick --test suite -- \
	  fuzz::promises differential:: --nocapture
	mkdir -p fuzz/corpus/readings
	for file in $$(git ls-files '*.yaml'); do head -c 3000 $$file > fuzz/corpus/readings/$$(echo $$file | tr / _); done
	echo '{"kind":"A","metadata":{"name":"a"}}, {"kind":"B","l":[1,"é"]}]}' > fuzz/corpus/readings/json
	PATH=$(CURDIR)/$(BENCH)/bin:$$PATH cargo fuzz run -s none readings -- -max_total_time=$(SECONDS) -max_len=2000

$(BENCH)/bin/cargo-fuzz:
	$(CARGO_INSTALL) --root $(BENCH) cargo-fuzz@$(CARGO_FUZZ)

# Notes what a resource costs now; a test holds later changes to it.
cost: amd64
	UPDATE_COST=1 cargo test --locked --test suite cost

readings: $(BENCH)/readings.txt
	cat $<

clean:
	rm -rf target $(TOOLS)
