// SPDX-License-Identifier: Apache-2.0
/// All contact solutions in a loop: Painleve's and Klein's rods as the friction grows. Where no solution is left, slip stops
/// at once; where several are, each is listed with its stability.
///
///   cc -std=c17 contacts.c $(pkg-config --cflags --libs amontons) -o contacts && ./contacts
#include <amontons/amontons.h>
#include <stdio.h>
#include <string.h>

static const char rods[] = "amontons: 1\n"
                           "parameters: {mu: 0.2, phi: 1.3, P: 1}\n"
                           "coordinates: [q, n]\n"
                           "particles:\n"
                           "  upper: {mass: 1, at: [\"q - n*sin(phi)\", \"n*cos(phi)\"]}\n"
                           "  lower: {mass: 1, at: [q, 0]}\n"
                           "loads: {push: {on: lower, force: [P, 0]}}\n"
                           "contacts: {guide: {guide: n, slip: q', law: {type: coulomb, mu: mu}}}\n"
                           "initial: {q': 1}\n";

int main(void)
{
  amo_model *m = NULL;
  amo_values *v = NULL;
  amo_contact_search *s = NULL;
  size_t seen[4] = {0};
  amo_status st = amo_model_parse("rods", rods, strlen(rods), NULL, 0, NULL, &m);
  if (st == AMO_OK) st = amo_values_new(m, &v);
  if (st == AMO_OK) st = amo_contact_search_new(m, NULL, &s);  // one for the whole loop
  const long mu = amo_model_find_parameter(m, "mu");
  for (int i = 1; st == AMO_OK && i <= 40; i++) {
    const amo_contact_answer *a = NULL;
    st = amo_values_set(v, (size_t)mu, 0.1 * i);
    if (st == AMO_OK) st = amo_contact_search_at(s, v, 0.0, v->initial, NULL, &a);
    if (st != AMO_OK) break;
    seen[a->kind]++;
    if (i % 8 == 0)
      printf("mu = %.1f: %s, mu|L| = %.3f\n", 0.1 * i, amo_class_name(a->kind),
             a->influence[0].mu * (a->influence[0].L < 0 ? -a->influence[0].L : a->influence[0].L));
    for (size_t k = 0; i % 8 == 0 && k < a->count; k++)
      printf("  %s slip, reaction %+.4f, friction %+.4f, q'' = %+.4f%s\n",
             a->solution[k].mode[0] > 0 ? "forward" : "backward", a->solution[k].reaction[0],
             a->solution[k].friction[0], a->solution[k].acceleration[0],
             a->solution[k].soft == AMO_SOFT_DIVERGENCE ? ", not stable" : "");
  }
  amo_contact_search_free(s);
  amo_values_free(v);
  amo_model_free(m);
  return st == AMO_OK && seen[AMO_UNIQUE] > 0 && seen[AMO_NONE] + seen[AMO_SEVERAL] > 0 ? 0 : 1;
}
