# `make test` is the whole check: it installs what it needs into .tools and demands every real host.

TOOLS := .tools
# Builds of cargo-installed tools are kept outside, so that a fresh clone does not start from nothing.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/rhoso-fn

KUSTOMIZE := v5.8.1
CARGO_DENY := 0.20.2
PYYAML := 6.0.3
OSLO_CONFIG := 10.7.0

.PHONY: test lint tools docs clean

test: lint tools
	RHOSO_FN_DEMAND=1 cargo test --locked
	# Advisories need a database from the network; `make audit` asks for it.
	$(TOOLS)/bin/cargo-deny --locked check bans licenses sources

lint:
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings

.PHONY: audit
audit: $(TOOLS)/bin/cargo-deny
	$(TOOLS)/bin/cargo-deny --locked check

# Writes everything that is generated: manuals, definitions, expected results.
docs:
	UPDATE=1 cargo test --locked

tools: $(TOOLS)/kustomize-$(KUSTOMIZE) $(TOOLS)/bin/kpt $(TOOLS)/bin/cargo-deny $(TOOLS)/python/bin/oslo-config-generator

$(TOOLS)/kustomize-$(KUSTOMIZE):
	GOBIN=$(CURDIR)/$(TOOLS)/bin go install sigs.k8s.io/kustomize/kustomize/v5@$(KUSTOMIZE)
	touch $@

$(TOOLS)/bin/kpt: testdata/tools/kpt/go.mod testdata/tools/kpt/main.go
	cd testdata/tools/kpt && CGO_ENABLED=0 go build -o $(CURDIR)/$@ .

$(TOOLS)/bin/cargo-deny:
	cargo install --locked --root $(TOOLS) --target-dir $(CACHE)/cargo-install cargo-deny@$(CARGO_DENY)

# The oracles: the readers and parsers that OpenStack and Ansible use.
$(TOOLS)/python/bin/oslo-config-generator:
	python3 -m venv $(TOOLS)/python
	$(TOOLS)/python/bin/pip install --quiet --disable-pip-version-check PyYAML==$(PYYAML) oslo.config==$(OSLO_CONFIG)

clean:
	rm -rf target $(TOOLS)
