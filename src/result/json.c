// SPDX-License-Identifier: Apache-2.0
// JSON as we promise it: numbers that read back to the same double, no NaN or infinity, long arrays
// of numbers on few lines. (cJSON's own printer rounds to 15 digits.)
#include "result/json.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amontons/sim.h"
#include "model/compiled.h"

#define MEASURED (1 << 20)  // in cJSON's type, above the bits that it uses itself

cJSON *amo_json_number(double x)
{
  cJSON *v = isfinite(x) ? cJSON_CreateNumber(x + 0.0) : cJSON_CreateNull();  // + 0.0: no "-0"
  if (v) v->type |= MEASURED;
  return v;
}

cJSON *amo_json_pair(double a, double b)
{
  cJSON *v = cJSON_CreateArray();
  cJSON_AddItemToArray(v, amo_json_number(a));
  cJSON_AddItemToArray(v, amo_json_number(b));
  return v;
}

bool amo_json_is_measured(const cJSON *v)
{
  return v && (v->type & MEASURED) != 0;
}

void amo_json_add(cJSON *object, const char *name, double x)
{
  cJSON_AddItemToObject(object, name, amo_json_number(x));
}

void amo_json_add_or(cJSON *object, const char *name, double x, const char *reason)
{
  char key[128];
  amo_json_add(object, name, x);
  if (isfinite(x)) return;
  snprintf(key, sizeof key, "%s_reason", name);
  cJSON_AddStringToObject(object, key, reason);
}

/// Of a switch of expressions whose sides point at it.
static const char *slide_kind(const amo_event *e)
{
  return e->to == AMO_STICK ? "slide-begin" : e->from == AMO_STICK ? "slide-end" : "switch";
}

const char *amo_json_event_kind(const amo_model *m, const amo_event *e)
{
  if (e->contact >= 0 && m->contact[e->contact].rest == AMO_SWITCHES) return slide_kind(e);
  if (e->kind == AMO_EVENT_SWITCH) return "switch";
  if (e->kind == AMO_EVENT_STOP) return "stop";
  if (e->kind == AMO_EVENT_REACTION) return "reaction";
  if (e->kind == AMO_EVENT_IMPACT) return "impact";
  if (e->kind == AMO_EVENT_JAM) return "jam";
  if (e->accumulation) return "accumulation";
  if (e->kind == AMO_EVENT_TOUCH) return "touch";
  if (e->from == AMO_OPEN) return "closing";
  if (e->to == AMO_OPEN) return "opening";
  if (e->from == AMO_STICK) return "stick-slip";
  return e->to == AMO_STICK ? "slip-stick" : "slip-slip";
}

void amo_json_put(cJSON *object, const char *constant, cJSON *value)
{
  cJSON_AddItemToObjectCS(object, constant, value);
}

static cJSON *mode_json(int mode)
{
  return mode == AMO_OPEN ? cJSON_CreateStringReference("open") : cJSON_CreateNumber(mode);
}

cJSON *amo_json_event(const amo_model *m, const amo_event *e, double t0)
{
  cJSON *o = cJSON_CreateObject();
  amo_json_put(o, "t", amo_json_number(e->t - t0));
  amo_json_put(o, "contact",
               e->contact >= 0 ? cJSON_CreateString(amo_model_contact(m, (size_t)e->contact).name)
                               : cJSON_CreateNull());
  amo_json_put(o, "from", mode_json(e->from));
  amo_json_put(o, "to", mode_json(e->to));
  amo_json_put(o, "kind", cJSON_CreateStringReference(amo_json_event_kind(m, e)));
  if (e->why != NULL) amo_json_put(o, "why", cJSON_CreateStringReference(e->why));
  return o;
}

void amo_json_add_mode(cJSON *object, const char *name, int mode)
{
  cJSON_AddItemToObject(object, name, mode_json(mode));
}

const cJSON *amo_json_single(const cJSON *v)
{
  const cJSON *re = cJSON_GetObjectItemCaseSensitive(v, "re"),
              *im = cJSON_GetObjectItemCaseSensitive(v, "im");
  if (!cJSON_IsObject(v)) return v;
  if (cJSON_IsNumber(re) && cJSON_IsNumber(im) && im->valuedouble == 0.0) return re;
  return v->child && !v->child->next && cJSON_IsNumber(v->child) ? v->child : v;
}

double amo_json_get(const cJSON *object, const char *name)
{
  const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsNumber(x) ? x->valuedouble : NAN;
}

double amo_json_next(const cJSON **at, const char *name)
{
  const cJSON *x = *at;
  while (x != NULL && strcmp(x->string, name) != 0) x = x->next;
  if (x != NULL) *at = x->next;
  return cJSON_IsNumber(x) ? x->valuedouble : NAN;
}

const char *amo_json_text(const cJSON *object, const char *name)
{
  const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsString(x) ? x->valuestring : "";
}

static void put_string(amo_text *t, const char *s)
{
  amo_text_str(t, "\"");
  amo_text_json(t, s, strlen(s));
  amo_text_str(t, "\"");
}

static void put_scalar(amo_text *t, const cJSON *v)
{
  char number[32];
  if (cJSON_IsString(v))
    put_string(t, v->valuestring);
  else if (cJSON_IsBool(v))
    amo_text_str(t, cJSON_IsTrue(v) ? "true" : "false");
  else if (cJSON_IsNumber(v) && isfinite(v->valuedouble)) {
    amo_number_text(v->valuedouble, number);
    amo_text_str(t, number);
  } else
    amo_text_str(t, "null");
}

/// Worth one line: an object or array whose members are all plain and few, or an array of numbers.
static bool is_flat(const cJSON *v)
{
  int n = 0;
  bool numbers = cJSON_IsArray(v);
  for (const cJSON *c = v->child; c; c = c->next, n++) {
    if (cJSON_IsObject(c) || cJSON_IsArray(c)) return false;
    if (!cJSON_IsNumber(c) && !cJSON_IsNull(c)) numbers = false;
  }
  return numbers || n <= 4;
}

static void put(amo_text *t, const cJSON *v, size_t indent);

static void put_members(amo_text *t, const cJSON *v, size_t indent)
{
  bool flat = is_flat(v);
  int n = 0;
  for (const cJSON *c = v->child; c; c = c->next, n++) {
    if (!flat || (n && n % 8 == 0)) {
      amo_text_str(t, "\n");
      amo_text_fill(t, ' ', indent + 2);
    }
    if (cJSON_IsObject(v)) {
      put_string(t, c->string);
      amo_text_str(t, ": ");
    }
    put(t, c, indent + 2);
    if (c->next) amo_text_str(t, flat ? ", " : ",");
  }
  if (!flat && n) {
    amo_text_str(t, "\n");
    amo_text_fill(t, ' ', indent);
  }
}

/// Results are a few levels deep by construction, so recursion is bounded.
static void put(amo_text *t, const cJSON *v, size_t indent)
{
  if (!cJSON_IsObject(v) && !cJSON_IsArray(v)) {
    put_scalar(t, v);
    return;
  }
  amo_text_str(t, cJSON_IsObject(v) ? "{" : "[");
  put_members(t, v, indent);
  amo_text_str(t, cJSON_IsObject(v) ? "}" : "]");
}

char *amo_json_print(const cJSON *v)
{
  amo_text t = {0};
  put(&t, v, 0);
  amo_text_str(&t, "\n");
  return amo_text_take(&t);
}
