// SPDX-License-Identifier: Apache-2.0
// The table of `simulate`: options, help and example.
#include <math.h>

#include "ask/sim_options.h"
#include "ask/motion/simulate.h"
#include "ask/motion/simulate_run.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"until", AMO_OPT_NUMBER, "T", "10", NULL, "end of the run", 0, 0},
    {"from", AMO_OPT_NUMBER, "T", NULL, NULL, "time at the start, instead of the model's", 0, 0},
    AMO_STATE_OPT,
    {"after", AMO_OPT_NUMBER, "T", NULL, NULL, "extrema, means and counts from this time on only", 0, 0},
    {"stop-events", AMO_OPT_INTEGER, "N", NULL, NULL, "stop at the N-th change of a mode", 1, 9e15},
    {"settle", AMO_OPT_FLAG, NULL, NULL, NULL,
     "stop when the state is proved to be final: stick or flight for ever under a load that grows linearly", 0, 0},
    AMO_METHOD_OPTS,
    AMO_STEPPING_OPTS,
    {"certify", AMO_OPT_FLAG, NULL, NULL, NULL,
     "prove every step: its error, and that no event was missed; many times slower", 0, 0},
    {"points", AMO_OPT_INTEGER, "N", "1000", NULL, "samples of the output, evenly spaced", 1, 1e8},
    {"dt", AMO_OPT_NUMBER, "DT", NULL, NULL, "time between samples, instead of points", 1e-300, INFINITY},
    {"steps", AMO_OPT_FLAG, NULL, NULL, NULL, "also sample at the integrator's own steps", 0, 0},
    {"samples", AMO_OPT_FLAG, NULL, NULL, NULL, "put the samples into the JSON result", 0, 0},
    {"even", AMO_OPT_FLAG, NULL, NULL, NULL, "samples evenly spaced only, none at events: each costs the whole model, which matters where it is large", 0, 0},
    {"columns", AMO_OPT_TEXT, "NAMES", NULL, NULL, "columns of the samples besides t, separated by commas; all if absent", 0, 0},
    {"csv", AMO_OPT_FILE, "FILE", NULL, NULL, "write the samples as CSV, units in the header; - is standard output", 0, 0},
    {"h5", AMO_OPT_FILE, "FILE", NULL, NULL, "write the samples and events as HDF5", 0, 0},
    {"events", AMO_OPT_FILE, "FILE", NULL, NULL, "write the events as CSV: time, kind, contact, modes before and after, slip and friction", 0, 0},
    {"plot", AMO_OPT_FILE, "FILE", NULL, NULL,
     "draw a figure: .svg, .png or .pdf; the gnuplot script stays beside it", 0, 0},
    {"plot-x", AMO_OPT_TEXT, "EXPR", NULL, NULL,
     "abscissa of the figure: a column or an expression of columns", 0, 0},
    {"plot-y", AMO_OPT_TEXT, "EXPRS", NULL, NULL, "ordinates of the figure, separated by commas", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

const amo_verb amo_verb_simulate = {
    .name = "simulate",
    .summary = "motion in time, through slip and stick, exact to the event",
    .usage = "MODEL [options]",
    .description =
        "Integrates the motion, locates every change between slip and stick, and audits the result: worst "
        "violation of the friction conditions, error of the energy balance, events, steps. A run that fails "
        "its "
        "audit says so and exits with status 1.\n\n"
        "Modes are the sign of the slip velocity: 1 forward, -1 backward, 0 stick; a support may be open. "
        "Columns of CSV, HDF5 and "
        "plots "
        "are t, the states (x, x'), accelerations (x''), for each contact slip, force, bound and mode "
        "(belt.slip ...), the outputs of the model, and energy. Points at events appear twice, just before "
        "and "
        "just after. With --certify every step is proven by interval arithmetic, or the result says which is "
        "not: "
        "see audit.proven. What --tol promises is said in docs/accuracy.md. Numbers may be expressions of "
        "the model's parameters: --until '20*pi/w'.",
    .example =
        "amontons simulate models/block-on-belt.yaml --set v=0.3 --until 50 --csv out.csv --plot out.svg\n"
        "amontons simulate models/block-on-belt.yaml --at \"x=0.5, x'=0.2\" --until 50 --after 20 --json\n"
        "amontons simulate models/block-on-belt.yaml --method switch --eta 1e-6",
    .opts = opts,
    .run = amo_simulate,
    .print = amo_run_print};
