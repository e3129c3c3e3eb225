# acre's build, one GNU makefile. `make` installs what is missing, configures and builds everything under
# build/; `make help` lists the targets. V=1 shows the commands.

srcdir := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
# What goes before a source's name: nothing when the build is in the source folder.
S := $(if $(filter-out .,$(srcdir)),$(srcdir)/)
BUILD = build
SANITIZE =
WERROR =
V =

.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
Q = $(if $(V),,@)
# $(call say,WORD,what) before a command: the command itself with V=1, else one short line.
say = $(if $(V),,@printf '  %-5s %s\n' '$1' '$(patsubst $(S)%,%,$2)';)

# ---- configuration: config.mk, made again when what it comes from changes ----

needed = build $(if $(needs_check),check)
needs_no_configuration := clean distclean help
needs_check := $(filter check check-% distcheck tests lint %/acre_tests %/libcheck,$(MAKECMDGOALS))
ifneq ($(filter-out $(needs_no_configuration),$(or $(MAKECMDGOALS),all)),)
include config.mk
endif

# Check was not there at the time of configuring, and now it is needed: configure once more.
$(if $(and $(needs_check),$(filter no,$(HAVE_CHECK))),$(eval config.mk: force))

config.mk: $(S)configure $(S)config.mk.in
	@CC='$(CC)' sh $(S)scripts/deps.sh $(needed)
	@echo '  configuring'
	@$(srcdir)/configure --quiet $(CONFIGURE_ARGS) $(if $(filter command environment,$(word 1,$(origin CC))),CC='$(CC)')
	@$(if $(needs_check),grep -q '^HAVE_CHECK = yes' $@ || \
	    { echo 'configure does not find the Check library (see config.log)' >&2; rm -f $@; exit 1; })
	@touch $@

# configure would remove a file called core, a crash's dump; here that is the folder with the library.
$(S)configure: $(S)configure.ac $(wildcard $(S)config/*.m4)
	@CC='$(CC)' sh $(S)scripts/deps.sh autoconf $(needed)
	@echo '  autoconf'
	@cd $(srcdir) && autoconf --output=- | sed 's/rm -f core /rm -f /' > configure && test -s configure && \
	    chmod +x configure && rm -rf autom4te.cache

# ---- flags ----

abi := $(word 1,$(subst ., ,$(VERSION)))
includes = -I$(S)include -I$(srcdir)
sanitize_flags = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer \
    $(if $(findstring undefined,$(SANITIZE)),-fno-sanitize-recover=undefined))
all_cppflags = $(includes) -D_GNU_SOURCE -DACRE_VERSION='"$(VERSION)"' $(HWLOC_CFLAGS) $(ZLIB_CFLAGS) $(CPPFLAGS)
all_cflags = $(CFLAGS) $(ACRE_CFLAGS) $(if $(WERROR),-Werror) $(OPENMP_CFLAGS) $(sanitize_flags)
all_ldflags = $(CFLAGS) $(LDFLAGS) $(OPENMP_CFLAGS) $(sanitize_flags)
all_libs = $(HWLOC_LIBS) $(ZLIB_LIBS) $(LIBS) -ldl -lm
# Loops that must become vector code. -fno-math-errno changes no value.
kernel_cflags = -O3 -fno-math-errno
kernels = core/program/kernels% core/lattice/half%
# Where the tests look for published gauge files; without them these tests are skipped.
ACRE_TEST_DATA ?= $(abspath $(srcdir)/../shared/data)
test_cppflags = -DACRE_TEST_DATA='"$(ACRE_TEST_DATA)"' -DACRE_SOURCE_DIR='"$(abspath $(srcdir))"' $(CHECK_CFLAGS)

# ---- sources and what they become ----

sources = $(patsubst $(S)%,%,$(wildcard $(S)$1))
objects = $(patsubst %.c,$(BUILD)/%.o,$1)

library_sources := $(sort $(call sources,core/*/*.c) $(call sources,io/*.c) $(call sources,backends/host/*.c))
tool_sources := $(sort $(call sources,tools/acre/*.c))
example_sources := $(sort $(call sources,examples/*.c))
test_sources := $(sort $(call sources,tests/*.c))
suites := $(patsubst tests/test_%.c,%,$(filter tests/test_%,$(test_sources)))
library := $(BUILD)/libacre.so
examples := $(patsubst %.c,$(BUILD)/%,$(example_sources)) $(BUILD)/plugins/acre_shadow.so

library_objects := $(call objects,$(library_sources))
tool_objects := $(call objects,$(tool_sources))
test_objects := $(call objects,$(test_sources))

all: $(library) $(BUILD)/acre $(examples) ## build the library, the command and the examples
tests: $(BUILD)/acre_tests ## build the test program
.PHONY: all tests

# A file that holds a text and is touched only when the text changes: flags, lists of sources.
define remember
$(BUILD)/$1: force
	@mkdir -p $$(@D)
	@printf '%s\n' $$(call quoted,$2) | cmp -s - $$@ || printf '%s\n' $$(call quoted,$2) > $$@
endef
quoted = '$(subst ','\'',$1)'
$(eval $(call remember,flags,$$(CC) $$(all_cppflags) $$(all_cflags) $$(kernel_cflags) $$(kernels)))
$(eval $(call remember,test-flags,$$(test_cppflags)))
$(eval $(call remember,link-flags,$$(CC) $$(all_ldflags) $$(all_libs) $$(CHECK_LIBS)))
$(eval $(call remember,library-sources,$$(library_sources)))
$(eval $(call remember,tool-sources,$$(tool_sources)))
$(eval $(call remember,test-sources,$$(test_sources)))

$(BUILD)/%.o: $(S)%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(all_cppflags) $(extra_cppflags) $(all_cflags) -fPIC -fvisibility=hidden \
	    $(if $(filter $(kernels),$*),$(kernel_cflags)) -MMD -MP -c $< -o $@

$(library): $(library_objects) $(BUILD)/library-sources $(BUILD)/link-flags
	$(call say,LINK,$@)$(CC) -shared -Wl,-soname,libacre.so.$(abi) $(if $(SANITIZE),,-Wl,-z,defs) \
	    $(all_ldflags) $(library_objects) $(all_libs) -o $@.$(VERSION) && \
	    ln -sf libacre.so.$(VERSION) $@.$(abi) && ln -sf libacre.so.$(VERSION) $@

# For the tests only: they reach internal functions.
$(BUILD)/libacre.a: $(library_objects) $(BUILD)/library-sources
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $(library_objects)

$(BUILD)/acre: $(tool_objects) $(BUILD)/tool-sources $(BUILD)/link-flags $(library)
	$(call say,LINK,$@)$(CC) $(all_ldflags) $(tool_objects) -L$(BUILD) -lacre $(LIBS) -lm \
	    -Wl,-rpath,'$$ORIGIN' -o $@

# Examples see what a user sees: the public headers and the library.
$(BUILD)/examples/%: $(S)examples/%.c $(BUILD)/flags $(BUILD)/link-flags $(library)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) -I$(S)include $(CPPFLAGS) $(all_cflags) $(LDFLAGS) -MMD -MP -MT $@ -MF $@.d \
	    $< -L$(BUILD) -lacre -lm -Wl,-rpath,'$$ORIGIN/..' -o $@

# A plugin sees the public headers alone. The command and the tests in the build folder look for plugins here.
$(BUILD)/plugins/acre_%.so: $(S)examples/plugin/%.c $(BUILD)/flags $(BUILD)/link-flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) -I$(S)include $(CPPFLAGS) $(all_cflags) -fPIC -shared -fvisibility=hidden $(LDFLAGS) \
	    -pthread -MMD -MP -MT $@ -MF $@.d $< -o $@

$(test_objects): extra_cppflags = $(test_cppflags) -I$(BUILD)
$(test_objects): $(BUILD)/test-flags
$(BUILD)/tests/main.o: $(BUILD)/suites.h

$(BUILD)/suites.h: $(BUILD)/test-sources
	$(call say,GEN,$@){ echo '/* The suites that tests/test_*.c define. */'; \
	    echo '#define ACRE_SUITES(X) $(patsubst %,X(%),$(suites))'; } > $@

$(BUILD)/acre_tests: $(test_objects) $(BUILD)/libacre.a $(BUILD)/test-sources $(BUILD)/link-flags
	$(call say,LINK,$@)$(CC) $(all_ldflags) $(test_objects) $(BUILD)/libacre.a $(CHECK_LIBS) $(all_libs) -o $@

-include $(patsubst %.o,%.d,$(library_objects) $(tool_objects) $(test_objects)) $(examples:%=%.d)

force:
.PHONY: force

include $(S)config/targets.mk
