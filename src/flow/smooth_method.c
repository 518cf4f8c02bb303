// SPDX-License-Identifier: Apache-2.0
/// Smoothed friction by SUNDIALS' CVODE (BDF, exact Jacobian). Stick does not exist here; for tables
/// and returns a contact counts as sticking while its slip is below 1/sqrt(eps).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/point.h"
#include "num/bdf.h"
#include "flow/instant.h"
#include "flow/sim.h"
#include "flow/smooth_system.h"

typedef struct smooth_run {
  amo_bdf bdf;
  amo_smooth *system;
  amo_point *point;  // bounds and normal forces for samples
  double *rate;
  int *hit;  // [nc] which roots CVODE found
  double threshold;
  double last_event;
} smooth_run;

// CVODE hands one pointer to all callbacks: the simulation.
static int rhs(realtype t, N_Vector y, N_Vector dy, void *user)
{
  smooth_run *r = ((amo_sim *)user)->impl;
  return amo_smooth_rates(r->system, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy)) == AMO_OK ? 0 : -1;
}

static int jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix j, void *user, N_Vector a, N_Vector b,
                    N_Vector c)
{
  (void)fy;
  (void)a;
  (void)b;
  (void)c;
  smooth_run *r = ((amo_sim *)user)->impl;
  return amo_smooth_jacobian(r->system, t, N_VGetArrayPointer(y), SUNDenseMatrix_Data(j)) == AMO_OK ? 0 : -1;
}

static int roots(realtype t, N_Vector y, realtype *g, void *user)
{
  amo_sim *s = user;
  smooth_run *r = s->impl;
  if (amo_smooth_rates(r->system, t, N_VGetArrayPointer(y), r->rate) != AMO_OK) return -1;
  for (uint32_t c = 0; c < s->m->nc; c++) g[c] = fabs(amo_smooth_slip(r->system, c)) - r->threshold;
  return 0;
}

static void silent(int code, const char *module, const char *function, char *message, void *user)
{
  (void)code;
  (void)module;
  (void)function;
  amo_sim *s = user;
  amo_sim_fail(s, AMO_ENOANSWER, "CVODE: %.200s", message);
}

static amo_status make(amo_sim *s)
{
  if (amo_has_guides(s->m) || amo_has_supports(s->m) || s->m->nxi > 0 || s->m->njoint > 0)
    return amo_sim_fail(s, AMO_EUNSUPPORTED,
                        "method smooth does not know guides, supports and joints; use the event method");
  smooth_run *r = calloc(1, sizeof *r);
  s->impl = r;
  if (r == NULL) return AMO_ENOMEM;
  const size_t ns = 2u * s->m->nq + s->m->nz;
  amo_status st = amo_smooth_new(s->m, &r->system);
  if (st == AMO_EUNSUPPORTED)
    return amo_sim_fail(s, st, "method smooth does not know ideal constraints; use the event method");
  if (st == AMO_OK) st = amo_point_new(s->m, &r->point);
  if (st != AMO_OK) return st;
  AMO_TAKE(&s->memory, double, ns + 1, &r->rate);
  AMO_TAKE(&s->memory, int, s->m->nc + 1u, &r->hit);
  return s->memory.failed ? AMO_ENOMEM : amo_bdf_make(&r->bdf, ns);
}

static void destroy(amo_sim *s)
{
  smooth_run *r = s->impl;
  amo_bdf_free(&r->bdf);
  amo_smooth_free(r->system);
  amo_point_free(r->point);
  free(r);
}

static void take_modes(amo_sim *s)
{
  smooth_run *r = s->impl;
  amo_smooth_rates(r->system, s->t, s->y, r->rate);
  for (uint32_t c = 0; c < s->m->nc; c++) {
    double slip = amo_smooth_slip(r->system, c);
    s->mode[c] = amo_mode_of(&s->m->contact[c], slip, fabs(slip) <= r->threshold);
  }
}

static amo_status start(amo_sim *s)
{
  smooth_run *r = s->impl;
  size_t ns = 2u * s->m->nq + s->m->nz;
  amo_smooth_parameters(r->system, s->param, s->opt.eps);
  amo_point_parameters(r->point, s->param);
  r->threshold = 1.0 / sqrt(s->opt.eps);
  r->last_event = NAN;
  memcpy(N_VGetArrayPointer(r->bdf.y), s->y, ns * sizeof *s->y);
  for (size_t i = 0; i < ns; i++)
    N_VGetArrayPointer(r->bdf.atol)[i] = s->opt.tol / (s->opt.weight != NULL ? s->opt.weight[i] : 1.0);
  take_modes(s);
  const bool first = r->bdf.cvode == NULL;
  if (!amo_bdf_start(&r->bdf, s->t, s->opt.tol, &(amo_bdf_calls){rhs, jacobian, silent, s}))
    return amo_sim_fail(s, AMO_ENOMEM, "CVODE could not be set up");
  if (!first) return AMO_OK;
  int bad = 0;
  if (s->m->nc > 0) bad |= CVodeRootInit(r->bdf.cvode, (int)s->m->nc, roots);
  if (isfinite(s->opt.max_step)) bad |= CVodeSetMaxStep(r->bdf.cvode, s->opt.max_step);
  return bad == 0 ? AMO_OK : amo_sim_fail(s, AMO_ENOMEM, "CVODE could not be set up");
}

static void count(amo_sim *s)
{
  smooth_run *r = s->impl;
  const amo_bdf_counts n = amo_bdf_count(&r->bdf);
  s->stats.steps = n.steps;
  s->stats.rhs = n.rhs;
  s->stats.rejected = n.rejected;
  s->stats.jacobians = n.jacobians;
  s->stats.factorisations = n.factorisations;
}

/// At a root the slip of some contact has just crossed the threshold; which way, the mode tells.
static void log_crossings(amo_sim *s)
{
  smooth_run *r = s->impl;
  if (CVodeGetRootInfo(r->bdf.cvode, r->hit) != 0) return;
  for (uint32_t c = 0; c < s->m->nc; c++) {
    if (r->hit[c] == 0) continue;
    double slip = amo_smooth_slip(r->system, c);
    s->mode[c] = amo_mode_of(&s->m->contact[c], slip, r->hit[c] < 0);
  }
  amo_sim_log_modes(s, &r->last_event);
}

/// Memory that a law resets when stick begins; the solver must start anew from the changed state.
static amo_status reset_memory(amo_sim *s)
{
  const amo_model *m = s->m;
  smooth_run *r = s->impl;
  amo_point_registers(r->point, s->t, s->y, s->mode);
  if (!amo_sim_reset_memory(s, r->point)) return AMO_OK;
  memcpy(N_VGetArrayPointer(r->bdf.y), s->y, (2u * m->nq + m->nz) * sizeof *s->y);
  return CVodeReInit(r->bdf.cvode, s->t, r->bdf.y) == 0
             ? AMO_OK
             : amo_sim_fail(s, AMO_ENOMEM, "CVODE could not be restarted");
}

static amo_status step(amo_sim *s, double t_end)
{
  smooth_run *r = s->impl;
  s->start = s->t;
  memcpy(s->step_mode, s->mode, s->m->nc);
  CVodeSetStopTime(r->bdf.cvode, t_end);
  int flag = CVode(r->bdf.cvode, t_end, r->bdf.y, &s->t, CV_ONE_STEP);
  memcpy(s->y, N_VGetArrayPointer(r->bdf.y), (2u * s->m->nq + s->m->nz) * sizeof *s->y);
  if (flag < 0) {
    if (s->message[0] == '\0')
      amo_sim_fail(s, AMO_ENOANSWER, "CVODE stopped at t = %.9g (flag %d)", s->t, flag);
    return AMO_ENOANSWER;
  }
  count(s);
  amo_smooth_rates(r->system, s->t, s->y, r->rate);
  if (flag != CV_ROOT_RETURN) return AMO_OK;
  log_crossings(s);
  return reset_memory(s);
}

static void dense(const amo_sim *s, double t, double *y)
{
  const smooth_run *r = s->impl;
  N_Vector out = N_VMake_Serial((sunindextype)(2u * s->m->nq + s->m->nz), y, r->bdf.context);
  if (out == NULL || CVodeGetDky(r->bdf.cvode, t, 0, out) != 0)
    memcpy(y, s->y, (2u * s->m->nq + s->m->nz) * sizeof *y);
  if (out != NULL) N_VDestroy(out);
}

static amo_status forces(amo_sim *s, bool at_end, amo_sample *p)
{
  (void)at_end;
  smooth_run *r = s->impl;
  amo_status st = amo_smooth_rates(r->system, p->t, p->state, r->rate);
  if (st != AMO_OK) return amo_sim_fail(s, st, "the mass matrix is singular at t = %.9g", p->t);
  signed char *mode = s->mode;  // only bounds and normals are taken from the exact system
  r->point->branch = NULL;
  amo_point_registers(r->point, p->t, p->state, mode);
  amo_instant_take(s, r->point, p);
  for (uint32_t c = 0; c < s->m->nc; c++) p->force[c] = amo_smooth_force(r->system, c);
  memcpy(p->acceleration, r->rate + s->m->nq, s->m->nq * sizeof *p->acceleration);
  return AMO_OK;
}

const amo_sim_ops amo_smooth_method = {
    .make = make, .destroy = destroy, .start = start, .step = step, .dense = dense, .forces = forces};
