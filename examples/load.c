// SPDX-License-Identifier: Apache-2.0
/// Loads that the program brings along, in two ways.
///
/// As data: the samples of a measured force become a table in the model's text; the motion knows its corners and steps to them.
/// As a callback: a controller of the caller's own holds its force between its instants (as controllers do): the load is a
/// parameter, set between runs of amo_sim_run. A force that must be asked for within a step has to be an expression of the
/// model instead: steps are power series, and a function of C has none.
///
///   cc -std=c17 load.c $(pkg-config --cflags --libs amontons) -lm -o load && ./load
#include <amontons/amontons.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "amontons: 1\n"
                           "parameters: {F: 0}\n"
                           "coordinates: [x]\n"
                           "particles: {block: {mass: 1, at: [x, 0]}}\n"
                           "contacts: {floor: {pressed: 10, slip: x', law: {type: coulomb, mu: 0.3}}}\n";

static amo_model *with_load(const char *force)
{
  char text[4096];
  amo_model *m = NULL;
  snprintf(text, sizeof text, "%sloads: {pull: {on: block, force: [\"%s\", 0]}}\n", head, force);
  return amo_model_parse("pulled", text, strlen(text), NULL, 0, NULL, &m) == AMO_OK ? m : NULL;
}

/// A measured force, sampled: 4 N for two seconds, then less.
static double as_data(void)
{
  const double t[] = {0, 1, 2, 3, 4}, force[] = {4, 4, 4, 1, 0};
  char table[512] = "table(t";
  for (size_t i = 0; i < 5; i++) {
    char one[64];
    snprintf(one, sizeof one, ", %.17g, %.17g", t[i], force[i]);
    strcat(table, one);
  }
  strcat(table, ")");
  amo_model *m = with_load(table);
  amo_sim *s = NULL;
  double x = NAN;
  if (m && amo_sim_new(m, NULL, NULL, &s) == AMO_OK && amo_sim_run(s, 10.0, NULL, NULL) == AMO_OK)
    x = amo_sim_state(s)[0];
  amo_sim_free(s);
  amo_model_free(m);
  return x;
}

/// The caller's own: pushes towards 1 m, harder the farther away, at most 6 N.
static double controller(double x, double speed)
{
  const double force = 12.0 * (1.0 - x) - 4.0 * speed;
  return force > 6.0 ? 6.0 : force < -6.0 ? -6.0 : force;
}

static double by_callback(void)
{
  amo_model *m = with_load("F");
  amo_sim *s = NULL;
  double state[2] = {0.0, 0.0};
  amo_status st = m ? amo_sim_new(m, NULL, NULL, &s) : AMO_EINPUT;
  for (int i = 0; st == AMO_OK && i < 500; i++) {  // a hundred times a second
    st = amo_sim_parameter(s, 0, controller(state[0], state[1]));
    if (st == AMO_OK) st = amo_sim_start(s, 0.01 * i, state);
    if (st == AMO_OK) st = amo_sim_run(s, 0.01 * (i + 1), NULL, NULL);
    if (st == AMO_OK) memcpy(state, amo_sim_state(s), sizeof state);
  }
  const bool sticks = st == AMO_OK && amo_sim_mode(s, 0) == AMO_STICK;
  amo_sim_free(s);
  amo_model_free(m);
  return sticks && state[1] == 0.0 ? state[0] : NAN;
}

int main(void)
{
  // Against 3 N of friction: 2 m and 2 m/s after 2 s, 4 m and 1.5 m/s after 3 s; then 1.5 = 2 T + T^2/2 until it stops.
  const double T = sqrt(7.0) - 2.0, x = 4.0 + 1.5 * T - T * T - T * T * T / 6.0;
  const double data = as_data(), held = by_callback();
  printf("as data: it stops at %.12g m\nby a controller: it sticks at %.6g m, short of 1 m by what friction "
         "holds\n",
         data, held);
  return fabs(data - x) < 1e-11 && held > 0.7 && held < 1.0 ? 0 : 1;
}
