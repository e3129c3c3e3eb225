/* core/field/view.c: site objects in and out of a field's image, whatever its order, storage and site order.
 *
 * Sites are taken in tiles small enough to stay in cache. In memory a tile is one run of consecutive places, or
 * one for each parity; a table says which site of the tile each place is. */
#include "core/field/view.h"

#include <string.h>

#include "core/base/fail.h"
#include "core/lattice/half.h"

enum {
    TILE_SITES = 512,
    TILE_BYTES = 32768,
    SCRATCH_ELEMENTS = 2048, /* the components of the largest site type fit */
};

/* Consecutive places in memory, and which site of the tile each of them is. */
struct run {
    int64_t place;
    size_t count;
    bool is_dense; /* site i at place i */
    uint32_t sites[TILE_SITES];
};

/* A domain's image beside the caller's buffer, and room to convert a run of elements. */
struct pieces {
    const struct acre_layout *layout;
    unsigned char *image;
    size_t word_bytes, site_bytes; /* in the buffer */
    struct run runs[2];
    union {
        float floats[SCRATCH_ELEMENTS];
        double doubles[SCRATCH_ELEMENTS];
        unsigned char bytes[SCRATCH_ELEMENTS * sizeof(double)];
    } scratch;
};

static void *element_at(const struct pieces *pieces, size_t element)
{
    return pieces->image + element * pieces->layout->element_bytes;
}

/* `count` elements from `element` on, at the word's precision; in place where they are stored so. */
static const unsigned char *load(struct pieces *pieces, size_t element, size_t count)
{
    if (pieces->layout->format.storage != ACRE_HALF)
        return element_at(pieces, element);
    if (pieces->layout->word == ACRE_FLOAT)
        acre_halves_to_floats(element_at(pieces, element), pieces->scratch.floats, count);
    else
        acre_halves_to_doubles(element_at(pieces, element), pieces->scratch.doubles, count);
    return pieces->scratch.bytes;
}

/* Where to put elements, at the word's precision, that store() then brings home. */
static unsigned char *room(struct pieces *pieces, size_t element)
{
    bool is_half = pieces->layout->format.storage == ACRE_HALF;
    return is_half ? pieces->scratch.bytes : element_at(pieces, element);
}

static void store(struct pieces *pieces, size_t element, size_t count)
{
    if (pieces->layout->format.storage != ACRE_HALF)
        return;
    if (pieces->layout->word == ACRE_FLOAT)
        acre_halves_from_floats(pieces->scratch.floats, element_at(pieces, element), count);
    else
        acre_halves_from_doubles(pieces->scratch.doubles, element_at(pieces, element), count);
}

/* Words of a dense run to the sites of a buffer and back. By memcpy, as buffers may be unaligned; inlined with
 * a constant size, it is one move. */
static inline __attribute__((always_inline)) void scatter_words(const unsigned char *dense, size_t word_bytes,
                                                                unsigned char *buffer, size_t site_bytes,
                                                                const uint32_t *sites, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        memcpy(buffer + sites[i] * site_bytes, dense + i * word_bytes, word_bytes);
}

static inline __attribute__((always_inline)) void gather_words(unsigned char *dense, size_t word_bytes,
                                                               const unsigned char *buffer, size_t site_bytes,
                                                               const uint32_t *sites, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        memcpy(dense + i * word_bytes, buffer + sites[i] * site_bytes, word_bytes);
}

static void scatter(const unsigned char *dense, size_t word_bytes, unsigned char *buffer, size_t site_bytes,
                    const uint32_t *sites, size_t count)
{
    if (word_bytes == 8)
        scatter_words(dense, 8, buffer, site_bytes, sites, count);
    else if (word_bytes == 4)
        scatter_words(dense, 4, buffer, site_bytes, sites, count);
    else
        scatter_words(dense, word_bytes, buffer, site_bytes, sites, count);
}

static void gather(unsigned char *dense, size_t word_bytes, const unsigned char *buffer, size_t site_bytes,
                   const uint32_t *sites, size_t count)
{
    if (word_bytes == 8)
        gather_words(dense, 8, buffer, site_bytes, sites, count);
    else if (word_bytes == 4)
        gather_words(dense, 4, buffer, site_bytes, sites, count);
    else
        gather_words(dense, word_bytes, buffer, site_bytes, sites, count);
}

/* A run of places: component by component in SiteFast, else as many whole sites as scratch takes. */
static void get_run(struct pieces *pieces, const struct run *run, unsigned char *buffer)
{
    const struct acre_layout *layout = pieces->layout;
    size_t components = layout->components;

    if (layout->format.order == ACRE_SITE_FAST || components == 1) {
        for (size_t k = 0; k < components; ++k)
            scatter(load(pieces, acre_layout_element(layout, k, run->place), run->count), pieces->word_bytes,
                    buffer + k * pieces->word_bytes, pieces->site_bytes, run->sites, run->count);
        return;
    }
    size_t most = SCRATCH_ELEMENTS / components;
    for (size_t done = 0; done < run->count; done += most) {
        size_t count = run->count - done < most ? run->count - done : most;
        size_t element = acre_layout_element(layout, 0, run->place + (int64_t)done);
        scatter_words(load(pieces, element, count * components), pieces->site_bytes, buffer, pieces->site_bytes,
                      run->sites + done, count);
    }
}

static void put_run(struct pieces *pieces, const struct run *run, const unsigned char *buffer)
{
    const struct acre_layout *layout = pieces->layout;
    size_t components = layout->components;

    if (layout->format.order == ACRE_SITE_FAST || components == 1) {
        for (size_t k = 0; k < components; ++k) {
            size_t element = acre_layout_element(layout, k, run->place);
            gather(room(pieces, element), pieces->word_bytes, buffer + k * pieces->word_bytes,
                   pieces->site_bytes, run->sites, run->count);
            store(pieces, element, run->count);
        }
        return;
    }
    size_t most = SCRATCH_ELEMENTS / components;
    for (size_t done = 0; done < run->count; done += most) {
        size_t count = run->count - done < most ? run->count - done : most;
        size_t element = acre_layout_element(layout, 0, run->place + (int64_t)done);
        unsigned char *to = room(pieces, element);
        if (run->is_dense)
            memcpy(to, buffer + done * pieces->site_bytes, count * pieces->site_bytes);
        else
            gather_words(to, pieces->site_bytes, buffer, pieces->site_bytes, run->sites + done, count);
        store(pieces, element, count * components);
    }
}

/* Where a walk through a domain's sites, in lexicographic order, has come to. */
struct walk {
    const struct acre_domain *domain;
    int dimension;
    bool checkerboard;
    int64_t index, x[ACRE_MAX_DIMENSION]; /* within the domain */
};

static void start_walk(struct walk *walk, const acre_lattice *lattice, const struct acre_domain *domain,
                       int64_t index)
{
    walk->domain = domain;
    walk->dimension = lattice->dimension;
    walk->checkerboard = lattice->order == ACRE_SITES_CHECKERBOARD;
    walk->index = index;
    for (int mu = 0; mu < lattice->dimension; ++mu) {
        walk->x[mu] = index % domain->extents[mu];
        index /= domain->extents[mu];
    }
}

static void advance(struct walk *walk, int64_t count)
{
    walk->index += count;
    walk->x[0] += count;
    for (int mu = 0; mu + 1 < walk->dimension && walk->x[mu] == walk->domain->extents[mu]; ++mu) {
        walk->x[mu] = 0;
        ++walk->x[mu + 1];
    }
}

/* Every second site of a row, from site `first` of the tile on. Extent 0 is even, so sites 2q and 2q + 1 have
 * different parities and place q among their own. */
static void add_to_run(const struct walk *walk, struct run *run, int64_t parity, int64_t first, int64_t end,
                       int64_t tile_begin)
{
    if (run->count == 0)
        run->place = (tile_begin + first) / 2 + (parity ? walk->domain->sites / 2 : 0);
    for (int64_t i = first; i < end; i += 2)
        run->sites[run->count++] = (uint32_t)i;
}

/* The next `count` sites as runs: one in lexicographic order, else the even and the odd ones. */
static void take_tile(struct walk *walk, int64_t count, struct run runs[2])
{
    int64_t tile_begin = walk->index;

    runs[0].count = runs[1].count = 0;
    runs[0].is_dense = runs[1].is_dense = !walk->checkerboard;
    if (!walk->checkerboard) {
        runs[0].place = tile_begin;
        for (int64_t i = 0; i < count; ++i)
            runs[0].sites[runs[0].count++] = (uint32_t)i;
        walk->index += count;
        return;
    }
    for (int64_t done = 0; done < count;) {
        int64_t in_row = walk->domain->extents[0] - walk->x[0];
        if (in_row > count - done)
            in_row = count - done;
        int parity = acre_parity(walk->dimension, walk->x) ^ acre_parity(walk->dimension, walk->domain->origin);
        add_to_run(walk, &runs[parity], parity, done, done + in_row, tile_begin);
        if (in_row > 1)
            add_to_run(walk, &runs[!parity], !parity, done + 1, done + in_row, tile_begin);
        advance(walk, in_row);
        done += in_row;
    }
}

/* Sites of a tile: it should stay in cache with its part of the buffer. */
static int64_t tile_sites(const struct pieces *pieces)
{
    size_t sites = TILE_BYTES / pieces->site_bytes;
    return sites > TILE_SITES ? TILE_SITES : sites < 32 ? 32 : (int64_t)sites;
}

/* `count` sites of one domain, from its site `first` on. Exactly one of `get` and `put` is given. */
static void move_in_domain(const struct acre_field_view *view, size_t d, int64_t first, int64_t count,
                           unsigned char *get, const unsigned char *put)
{
    const acre_field *field = view->field;
    struct pieces pieces;
    struct walk walk;

    pieces.layout = &field->images[d].layout;
    pieces.image = view->data + field->images[d].offset;
    pieces.word_bytes = acre_word_bytes(field->type.word);
    pieces.site_bytes = pieces.layout->components * pieces.word_bytes;
    start_walk(&walk, field->lattice, &field->lattice->domains[d], first);
    for (int64_t done = 0, most = tile_sites(&pieces); done < count; done += most) {
        size_t offset = (size_t)done * pieces.site_bytes;
        take_tile(&walk, count - done < most ? count - done : most, pieces.runs);
        for (int r = 0; r < 2; ++r) {
            if (pieces.runs[r].count == 0)
                continue;
            if (get)
                get_run(&pieces, &pieces.runs[r], get + offset);
            else
                put_run(&pieces, &pieces.runs[r], put + offset);
        }
    }
}

/* Domains are cut along the last extent: each has consecutive lexicographic sites. */
static void move(const struct acre_field_view *view, int64_t first, int64_t count, unsigned char *get,
                 const unsigned char *put)
{
    const acre_lattice *lattice = view->field->lattice;
    size_t site_bytes = acre_site_type_components(view->field->type) * acre_word_bytes(view->field->type.word);
    int64_t begin = 0;

    for (size_t d = 0; d < lattice->domain_count && count > 0; ++d) {
        int64_t sites = lattice->domains[d].sites;
        if (first < begin + sites) {
            int64_t here = begin + sites - first < count ? begin + sites - first : count;
            move_in_domain(view, d, first - begin, here, get, put);
            size_t bytes = (size_t)here * site_bytes;
            if (get)
                get += bytes;
            else
                put += bytes;
            first += here;
            count -= here;
        }
        begin += sites;
    }
}

void acre_field_view_get(const struct acre_field_view *view, int64_t first, int64_t count, void *buffer)
{
    move(view, first, count, buffer, NULL);
}

void acre_field_view_put(const struct acre_field_view *view, int64_t first, int64_t count, const void *buffer)
{
    move(view, first, count, NULL, buffer);
}

acre_status acre_field_view_begin(const acre_field *field, acre_access access, struct acre_field_view *view)
{
    void *data;

    *view = (struct acre_field_view){0};
    ACRE_TRY(acre_array_acquire(field->array, ACRE_PLACE_HOST, access, NULL, 0, &data));
    view->field = field;
    view->access = access;
    view->data = data;
    return ACRE_OK;
}

acre_status acre_field_view_end(struct acre_field_view *view)
{
    const acre_field *field = view->field;
    acre_access access = view->access;

    if (!field)
        return ACRE_OK;
    *view = (struct acre_field_view){0};
    return acre_array_release(field->array, ACRE_PLACE_HOST, access, NULL, 0);
}
