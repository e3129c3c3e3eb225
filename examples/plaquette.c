/* examples/plaquette.c: the average plaquette of a gauge file, written out with a formula.
 * Usage: plaquette FILE */
#include <acre/acre.h>
#include <stdio.h>

/* <Re Tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+> / Nc over sites and the six planes. */
static acre_status measure(acre_context *context, const acre_fields *u, int colours, double *plaquette)
{
    const acre_field *first = acre_fields_at(u, 0);
    const double sites = (double)acre_lattice_sites(acre_field_lattice(first));
    double total = 0, p = 0;
    for (int mu = 0; mu < 4; ++mu) {
        for (int nu = mu + 1; nu < 4; ++nu) {
            acre_status status = acre_eval(
                context,
                "p = sum(real(trace(u[mu] * shift(u[nu], +1, mu) * adj(shift(u[mu], +1, nu)) * adj(u[nu]))))",
                ACRE(u), ACRE(mu), ACRE(nu), ACRE_OUT(p));
            if (status != ACRE_OK)
                return status;
            total += p;
        }
    }
    *plaquette = total / (6 * sites * colours);
    return ACRE_OK;
}

/* Read the links of an open file into fields of their own and measure them. */
static acre_status read_and_measure(acre_context *context, acre_gauge_file *file, double *plaquette)
{
    const acre_gauge_header *header = acre_gauge_file_header(file);
    acre_lattice *lattice = NULL;
    acre_fields *u = NULL;
    acre_check checksum = ACRE_CHECK_ABSENT;

    acre_status status = acre_lattice_create(context, 4, header->extents, ACRE_SITES_DEFAULT, &lattice);
    acre_site_type type = acre_site_type_sized(acre_colour_matrix(ACRE_DOUBLE), 1, (uint16_t)header->colours);
    if (status == ACRE_OK)
        status = acre_fields_create(lattice, type, (acre_format){0}, 4, "u", &u);
    if (status == ACRE_OK)
        status = acre_gauge_read(file, u, &checksum, NULL, NULL, NULL);
    if (checksum == ACRE_CHECK_MISMATCH)
        fprintf(stderr, "warning: the file's checksum does not fit its data\n");
    if (status == ACRE_OK)
        status = measure(context, u, header->colours, plaquette);
    acre_fields_destroy(u);
    acre_lattice_destroy(lattice);
    return status;
}

int main(int argc, char **argv)
{
    acre_context *context = NULL;
    acre_gauge_file *file = NULL;
    double plaquette;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    acre_status status = acre_context_create(&context);
    if (status == ACRE_OK)
        status = acre_gauge_open(argv[1], &file);
    if (status == ACRE_OK)
        status = read_and_measure(context, file, &plaquette);
    if (status == ACRE_OK)
        printf("plaquette %.17g\n", plaquette);
    else
        fprintf(stderr, "%s\n", acre_message());
    acre_gauge_close(file);
    acre_context_destroy(context);
    return status == ACRE_OK ? 0 : 1;
}
