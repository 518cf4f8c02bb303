// SPDX-License-Identifier: Apache-2.0
#include "amontons/probe.h"

#include <math.h>
#include <string.h>

static void clear(amo_reading *out)
{
  out->kind = AMO_READ_FAILED;
  out->missing = out->unsound = out->measured = false;
  out->number = NAN;
  out->watched = out->branches = 0;
  out->text[0] = '\0';
}

void amo_probe_read(const amo_probe *p, const double *value, amo_diags *diags, amo_reading *out)
{
  if (!out) return;
  clear(out);
  if (p && p->read && value) p->read(p->ctx, value, diags, out);
  if (out->kind == AMO_READ_FAILED) strcpy(out->text, "no answer");
}

size_t amo_probe_chunk(const amo_probe *p)
{
  return !p || p->lanes < 1 || !p->read_lanes ? 1 : p->lanes > AMO_PROBE_LANES ? AMO_PROBE_LANES : p->lanes;
}

void amo_probe_read_lanes(const amo_probe *p, const double *value, size_t n, amo_reading *out)
{
  if (!p || !value || !out) return;
  if (!p->read_lanes) {
    for (size_t i = 0; i < n; i++) amo_probe_read(p, value + i * p->axes, NULL, &out[i]);
    return;
  }
  for (size_t i = 0; i < n; i++) clear(&out[i]);
  p->read_lanes(p->ctx, value, n, out);
  for (size_t i = 0; i < n; i++)
    if (out[i].kind == AMO_READ_FAILED) strcpy(out[i].text, "no answer");
}

void amo_probe_free(amo_probe *p)
{
  if (!p) return;
  if (p->free) p->free(p->ctx);
  *p = (amo_probe){0};
}
