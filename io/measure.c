/* io/measure.c: the usual observables of a gauge configuration, as formulas. */
#include "acre/formula.h"
#include "acre/gauge.h"
#include "core/base/fail.h"
#include "io/gauge_fields.h"

static double average(double sum, double count)
{
    return count > 0 ? sum / count : 0.0;
}

acre_status acre_gauge_measure(const acre_fields *u, acre_gauge_observables *observables)
{
    int colours;
    ACRE_TRY(acre_gauge_fields_check(u, "acre_gauge_measure", &colours));
    if (!observables)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_gauge_measure: no place for the observables given");
    acre_lattice *lattice = acre_field_lattice(acre_fields_at(u, 0));
    acre_context *context = acre_lattice_context(lattice);
    int dimension = acre_lattice_dimension(lattice);
    if (dimension < 2)
        return acre_fail(ACRE_ERR_ARGUMENT,
                         "acre_gauge_measure: '%s' is on a lattice of %d dimension: no plaquette",
                         acre_fields_label(u), dimension);

    /* Sums in a fixed order, divided once: unit links give 1 exactly. */
    double spatial = 0, temporal = 0, links = 0;
    for (int mu = 0; mu < dimension; ++mu)
        for (int nu = mu + 1; nu < dimension; ++nu) {
            double p;
            ACRE_TRY(acre_eval(context,
                               "p = sum(real(trace(u[mu] * shift(u[nu], +1, mu) * adj(shift(u[mu], +1, nu))"
                               " * adj(u[nu]))))",
                               ACRE(u), ACRE(mu), ACRE(nu), ACRE_OUT(p)));
            *(nu == dimension - 1 ? &temporal : &spatial) += p;
        }
    for (int mu = 0; mu < dimension; ++mu) {
        double t;
        ACRE_TRY(acre_eval(context, "t = sum(real(trace(u[mu])))", ACRE(u), ACRE(mu), ACRE_OUT(t)));
        links += t;
    }
    double weight = (double)colours * (double)acre_lattice_sites(lattice);
    double temporal_planes = dimension - 1, planes = temporal_planes * dimension / 2;
    observables->plaquette = (spatial + temporal) / (weight * planes);
    observables->plaquette_spatial = average(spatial, weight * (planes - temporal_planes));
    observables->plaquette_temporal = temporal / (weight * temporal_planes);
    observables->link_trace = links / (weight * dimension);
    return ACRE_OK;
}
