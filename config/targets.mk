# The targets that use what the Makefile builds: running, checking, installing, packing.

demo: all ## build and run the demonstration: a small configuration, its file, its plaquettes
	$(Q)$(BUILD)/acre demo

# What a check run does: the Check suites, the commands' tests, the structure of the sources.
CHECKS = suites commands structure
# Everything the scripts below need to know about this build.
environment = BUILD='$(BUILD)' SRCDIR='$(abspath $(srcdir))' CC='$(CC)' NM='$(NM)' OBJDUMP='$(OBJDUMP)' \
    ACRE_TEST_DATA='$(ACRE_TEST_DATA)' PKG_CONFIG='$(PKG_CONFIG)' MAKE='$(MAKE)'

check: check-run ## build everything and run every test
check-run: all tests
	$(Q)+$(environment) sh $(S)scripts/check.sh $(CHECKS)

with = $(Q)+$(MAKE) --no-print-directory BUILD='$(BUILD)/$1'

check-asan: ## the tests under the address sanitizer
	$(call with,asan) SANITIZE=address CHECKS='suites commands' check-run
check-ubsan: ## the tests under the undefined behaviour sanitizer
	$(call with,ubsan) SANITIZE=undefined CHECKS='suites commands' check-run
check-tsan: ## the tests under the thread sanitizer (clang, libomp)
	$(Q)+$(environment) sh $(S)scripts/check-tsan.sh
check-valgrind: all tests ## the Check suites under valgrind's memcheck
	$(Q)sh $(S)scripts/deps.sh valgrind
	$(Q)+$(environment) sh $(S)scripts/check-valgrind.sh
lint: ## formatting, warnings as errors, clang-tidy, cppcheck, shellcheck
	$(Q)sh $(S)scripts/deps.sh lint
	$(Q)+$(environment) sh $(S)scripts/lint.sh
.PHONY: demo check check-run check-asan check-ubsan check-tsan check-valgrind lint

# ---- install ----

headers = $(sort $(wildcard $(S)include/acre/*.h))
documents = $(S)README.md $(S)LICENSE $(sort $(wildcard $(S)docs/*.md))
destination = $(DESTDIR)$1
pkgconfigdir = $(libdir)/pkgconfig
# From the installed command to the installed library, so that both can be moved together.
bin_to_lib = $(shell realpath -m --relative-to='$(bindir)' '$(libdir)')

$(BUILD)/installed/acre: $(BUILD)/acre force
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(all_ldflags) $(tool_objects) -L$(BUILD) -lacre $(LIBS) -lm \
	    -Wl,-rpath,'$$ORIGIN/$(bin_to_lib)' -o $@.$$$$ && mv $@.$$$$ $@

install: all $(BUILD)/installed/acre ## install into DESTDIR= under PREFIX=
	@case '$(prefix)' in /*) ;; *) echo "PREFIX=$(prefix): an absolute path is needed" >&2; exit 1 ;; esac
	@mkdir -p '$(DESTDIR)$(prefix)' 2>/dev/null && test -w '$(DESTDIR)$(prefix)' || \
	    { echo "can't write to $(DESTDIR)$(prefix): install as root, or with PREFIX=\$$HOME/acre" >&2; exit 1; }
	$(Q)install -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(pkgconfigdir)' '$(DESTDIR)$(includedir)/acre' \
	    '$(DESTDIR)$(docdir)'
	$(Q)install -m 755 $(BUILD)/installed/acre '$(DESTDIR)$(bindir)/acre'
	$(Q)install -m 755 $(library).$(VERSION) '$(DESTDIR)$(libdir)/libacre.so.$(VERSION)'
	$(Q)ln -sf libacre.so.$(VERSION) '$(DESTDIR)$(libdir)/libacre.so.$(abi)'
	$(Q)ln -sf libacre.so.$(VERSION) '$(DESTDIR)$(libdir)/libacre.so'
	$(Q)install -m 644 $(headers) '$(DESTDIR)$(includedir)/acre'
	$(Q)install -m 644 $(wildcard $(documents)) '$(DESTDIR)$(docdir)'
	$(Q)sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(patsubst $(prefix)/%,$${prefix}/%,$(libdir))|' \
	    -e 's|@includedir@|$(patsubst $(prefix)/%,$${prefix}/%,$(includedir))|' -e 's|@version@|$(VERSION)|' \
	    -e 's|@private@|$(strip $(OPENMP_CFLAGS) $(all_libs))|' $(S)acre.pc.in \
	    > '$(DESTDIR)$(pkgconfigdir)/acre.pc'
	@echo '  installed under $(DESTDIR)$(prefix)'
	@$(if $(DESTDIR),:,echo "  for the linker: ldconfig (as root), or LD_LIBRARY_PATH=$(libdir)")

uninstall: ## remove what install put there
	$(Q)rm -f '$(DESTDIR)$(bindir)/acre' '$(DESTDIR)$(pkgconfigdir)/acre.pc' \
	    $(foreach suffix,.$(VERSION) .$(abi),'$(DESTDIR)$(libdir)/libacre.so$(suffix)') \
	    '$(DESTDIR)$(libdir)/libacre.so'
	$(Q)rm -rf '$(DESTDIR)$(includedir)/acre' '$(DESTDIR)$(docdir)'
.PHONY: install uninstall

# ---- pack and tidy ----

dist: $(S)configure ## pack the sources, with configure, into acre-VERSION.tar.gz
	$(Q)VERSION='$(VERSION)' SRCDIR='$(srcdir)' sh $(S)scripts/dist.sh
distcheck: dist ## unpack that read-only, build and test out of tree, install, uninstall
	$(Q)+$(environment) VERSION='$(VERSION)' sh $(S)scripts/distcheck.sh
clean: ## remove what was built
	rm -rf $(BUILD)
distclean: clean ## remove what was configured, too
	rm -rf config.mk config.log config.status autom4te.cache configure~ acre-*.tar.gz \
	    $(if $(S),Makefile,$(if $(wildcard .git),configure))
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(S)Makefile $(S)config/targets.mk | \
	    awk -F'\t' '{ printf "  make %-15s %s\n", $$1, $$2 }'
.PHONY: dist distcheck clean distclean help
