// SPDX-License-Identifier: Apache-2.0
#include "contact/slip_direction.h"

#include <math.h>

/// (s s)_k = (gamma gamma)_k and (s xi)_k = gamma_k, s = |gamma|.
void amo_slip_direction(const amo_model *m, const amo_contact *k, double *jet, size_t reg, size_t ord,
                        double *speed, int order, const double *still)
{
  double square = 0.0, cross = 0.0, *own = jet + (m->leaf.xi + k->xi) * reg + (size_t)order * ord;
  for (uint32_t a = 0; still && a < 2; a++) own[a * reg] = order == 0 ? still[a] : 0.0;
  if (still) return;
  for (uint32_t a = 0; a < 2; a++) {
    const double *g = jet + k->axis[a].r_slip * reg;
    const int last = amo_prog_is_fixed(m->step, k->axis[a].r_slip) ? 0 : order;
    for (int j = order - last; j <= last; j++) square += g[(size_t)j * ord] * g[(size_t)(order - j) * ord];
  }
  for (int j = 1; j < order; j++) cross += speed[(size_t)j * ord] * speed[(size_t)(order - j) * ord];
  speed[(size_t)order * ord] = order == 0 ? sqrt(square) : (square - cross) / (2.0 * speed[0]);
  for (uint32_t a = 0; a < 2; a++) {
    const uint32_t slip = k->axis[a].r_slip;
    double *xi = jet + (m->leaf.xi + k->xi + a) * reg;
    double sum = order > 0 && amo_prog_is_fixed(m->step, slip) ? 0.0 : jet[slip * reg + (size_t)order * ord];
    for (int j = 1; j <= order; j++) sum -= speed[(size_t)j * ord] * xi[(size_t)(order - j) * ord];
    xi[(size_t)order * ord] = sum / speed[0];
  }
}
