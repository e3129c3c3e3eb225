/* core/lattice/lattice.c: making lattices, keeping them alive, and saying what they are. */
#include "core/lattice/lattice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"

/* Eight extents of up to 20 characters and what stands between them. */
enum { EXTENTS_TEXT = ACRE_MAX_DIMENSION * 21 + 1 };

static const int64_t MAX_SITES = (int64_t)1 << 62;

static const char *extents_text(int dimension, const int64_t *extents, char *text, size_t size)
{
    size_t used = 0;
    if (size > 0)
        text[0] = 0;
    for (int mu = 0; mu < dimension && used < size; ++mu) {
        int n = snprintf(text + used, size - used, "%s%lld", mu ? "x" : "", (long long)extents[mu]);
        if (n < 0)
            break;
        used += (size_t)n;
    }
    return text;
}

const char *acre_lattice_text(const acre_lattice *lattice, char *text, size_t size)
{
    return extents_text(lattice->dimension, lattice->extents, text, size);
}

static acre_status count_sites(int dimension, const int64_t *extents, int64_t *sites)
{
    char text[EXTENTS_TEXT];
    int64_t product = 1;

    /* All signs first: a product of extents that are none says nothing. */
    for (int mu = 0; mu < dimension; ++mu) {
        if (extents[mu] < 1)
            return acre_fail(ACRE_ERR_ARGUMENT, "lattice %s: extent %d is %lld, must be at least 1",
                             extents_text(dimension, extents, text, sizeof(text)), mu, (long long)extents[mu]);
    }
    for (int mu = 0; mu < dimension; ++mu) {
        if (__builtin_mul_overflow(product, extents[mu], &product) || product > MAX_SITES)
            return acre_fail(ACRE_ERR_OVERFLOW, "lattice %s: more than 2^62 sites",
                             extents_text(dimension, extents, text, sizeof(text)));
    }
    *sites = product;
    return ACRE_OK;
}

/* *chosen is never ACRE_SITES_DEFAULT. */
static acre_status choose_order(int dimension, const int64_t *extents, acre_site_order wanted,
                                acre_site_order *chosen)
{
    char text[EXTENTS_TEXT];
    int odd = 0;
    while (odd < dimension && extents[odd] % 2 == 0)
        ++odd;

    switch (wanted) {
    case ACRE_SITES_DEFAULT:
        *chosen = odd == dimension ? ACRE_SITES_CHECKERBOARD : ACRE_SITES_LEXICOGRAPHIC;
        return ACRE_OK;
    case ACRE_SITES_CHECKERBOARD:
        if (odd < dimension)
            return acre_fail(ACRE_ERR_ARGUMENT,
                             "lattice %s: checkerboard order needs even extents, extent %d is %lld",
                             extents_text(dimension, extents, text, sizeof(text)), odd,
                             (long long)extents[odd]);
        *chosen = wanted;
        return ACRE_OK;
    case ACRE_SITES_LEXICOGRAPHIC:
        *chosen = wanted;
        return ACRE_OK;
    }
    return acre_fail(ACRE_ERR_ARGUMENT, "lattice %s: there is no site order number %d",
                     extents_text(dimension, extents, text, sizeof(text)), (int)wanted);
}

/* One domain, the whole lattice, on the context's first device. */
static acre_status make_domains(acre_lattice *lattice)
{
    struct acre_domain *domain = calloc(1, sizeof(*domain));
    if (!domain)
        return acre_fail_memory(sizeof(*domain));
    domain->device = lattice->context->devices;
    memcpy(domain->extents, lattice->extents, sizeof(domain->extents));
    domain->sites = lattice->sites;
    lattice->domains = domain;
    lattice->domain_count = 1;
    return ACRE_OK;
}

acre_status acre_lattice_create(acre_context *context, int dimension, const int64_t *extents,
                                acre_site_order order, acre_lattice **lattice)
{
    int64_t sites = 0;
    if (!lattice)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_lattice_create: no place for the lattice (NULL)");
    *lattice = NULL;
    if (!context || !extents)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_lattice_create: the %s is NULL",
                         context ? "list of extents" : "context");
    if (dimension < 1 || dimension > ACRE_MAX_DIMENSION)
        return acre_fail(ACRE_ERR_ARGUMENT, "lattice of dimension %d: must be 1 to %d", dimension,
                         ACRE_MAX_DIMENSION);
    ACRE_TRY(acre_context_check(context));
    ACRE_TRY(count_sites(dimension, extents, &sites));
    ACRE_TRY(choose_order(dimension, extents, order, &order));

    acre_lattice *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    atomic_init(&made->holds, 1);
    made->context = context;
    made->dimension = dimension;
    made->sites = sites;
    made->order = order;
    made->all_even = true;
    for (int mu = 0; mu < ACRE_MAX_DIMENSION; ++mu) {
        made->extents[mu] = mu < dimension ? extents[mu] : 1;
        if (mu < dimension && extents[mu] % 2)
            made->all_even = false;
    }
    acre_status status = make_domains(made);
    if (status != ACRE_OK) {
        free(made);
        return status;
    }
    acre_context_hold(context);
    *lattice = made;
    return ACRE_OK;
}

void acre_lattice_hold(acre_lattice *lattice)
{
    atomic_fetch_add_explicit(&lattice->holds, 1, memory_order_relaxed);
}

void acre_lattice_destroy(acre_lattice *lattice)
{
    if (!lattice || atomic_fetch_sub_explicit(&lattice->holds, 1, memory_order_acq_rel) != 1)
        return;
    acre_context *context = lattice->context;
    free(lattice->domains);
    free(lattice);
    acre_context_drop(context);
}

acre_context *acre_lattice_context(const acre_lattice *lattice)
{
    return lattice->context;
}

int acre_lattice_dimension(const acre_lattice *lattice)
{
    return lattice->dimension;
}

int64_t acre_lattice_extent(const acre_lattice *lattice, int mu)
{
    return mu >= 0 && mu < lattice->dimension ? lattice->extents[mu] : 0;
}

int64_t acre_lattice_sites(const acre_lattice *lattice)
{
    return lattice->sites;
}

acre_site_order acre_lattice_site_order(const acre_lattice *lattice)
{
    return lattice->order;
}

int64_t acre_lattice_subset_sites(const acre_lattice *lattice, acre_subset subset)
{
    /* One even extent pairs the sites; with odd ones only, the origin's parity has one site more. */
    switch (subset) {
    case ACRE_ALL:
        return lattice->sites;
    case ACRE_EVEN:
        return lattice->sites - lattice->sites / 2;
    case ACRE_ODD:
        return lattice->sites / 2;
    }
    return 0;
}

const char *acre_site_order_name(acre_site_order order)
{
    switch (order) {
    case ACRE_SITES_DEFAULT:
        return "default";
    case ACRE_SITES_CHECKERBOARD:
        return "checkerboard";
    case ACRE_SITES_LEXICOGRAPHIC:
        return "lexicographic";
    }
    return "unknown";
}
