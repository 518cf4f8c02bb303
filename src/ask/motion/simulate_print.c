// SPDX-License-Identifier: Apache-2.0
// The result of `simulate` for a person: events, extrema, audit.
#include <math.h>
#include <string.h>

#include "ask/audit.h"
#include "ask/proof.h"
#include "result/json.h"
#include "ask/motion/simulate_run.h"
#include "result/table.h"

#define MAX_ROWS   40
#define MAX_STATES 4  // shown beside each event

static const cJSON *get(const cJSON *o, const char *name)
{
  return cJSON_GetObjectItemCaseSensitive(o, name);
}

/// Has the contact no friction? `length` of its name counts: belt.slip is of the contact belt.
static bool is_smooth(const cJSON *result, const char *contact, size_t length)
{
  const cJSON *x = NULL;
  cJSON_ArrayForEach(x, get(result, "smooth")) if (strlen(x->valuestring) == length &&
                                                   !strncmp(x->valuestring, contact, length)) return true;
  return false;
}

static const char *mode_word(const cJSON *result, const char *contact, const cJSON *mode)
{
  if (cJSON_IsString(mode)) return mode->valuestring;
  if (is_smooth(result, contact, strlen(contact))) return "closed";
  const double x = cJSON_IsNumber(mode) ? mode->valuedouble : 0.0;
  return x == AMO_STICK ? "stick" : x > 0 ? "slip+" : "slip-";
}

static void event_row(amo_table *t, const cJSON *result, const cJSON *e, int number)
{
  int shown = 0;
  const char *contact = amo_json_text(e, "contact");
  amo_table_cell(t, "%d", number);
  amo_table_cell(t, "%.12g", amo_json_get(e, "t"));
  amo_table_cell(t, "%s", *contact ? contact : "-");
  const char *kind = amo_json_text(e, "kind");
  if (!strcmp(kind, "switch"))
    amo_table_cell(t, "branch of an expression");
  else if (!strcmp(kind, "slide-begin") || !strcmp(kind, "slide-end"))
    amo_table_cell(t, "%s", kind);
  else if (!strcmp(kind, "reaction"))
    amo_table_cell(t, "reaction changes sign");
  else if (!strcmp(kind, "impact") || !strcmp(kind, "jam"))
    amo_table_cell(t, "%s: slip stops at once", kind);
  else
    amo_table_cell(t, "%s -> %s%s", mode_word(result, contact, get(e, "from")),
                   mode_word(result, contact, get(e, "to")),
                   !strcmp(kind, "accumulation") ? " (impacts accumulate)"
                   : !strcmp(kind, "touch")      ? " (touch)"
                                                 : "");
  amo_table_cell(t, "%s", amo_json_text(e, "modes"));
  const cJSON *x = get(e, "state") ? get(e, "state")->child : NULL;
  for (; x && shown < MAX_STATES; x = x->next, shown++) amo_table_cell(t, "%.9g", x->valuedouble);
  amo_table_end_row(t);
}

static void print_events(const cJSON *result, FILE *out, int wide)
{
  const cJSON *events = get(result, "events"), *e = NULL;
  int count = cJSON_GetArraySize(events), number = 0;
  if (!count) {
    fprintf(out, "no events\n");
    return;
  }
  amo_table t = {0};
  amo_table_head(&t, ">#"), amo_table_head(&t, ">t"), amo_table_head(&t, "<contact");
  amo_table_head(&t, "<change"), amo_table_head(&t, "<modes");
  const cJSON *state = get(events->child, "state"), *x = state ? state->child : NULL;
  for (int i = 0; x && i < MAX_STATES; x = x->next, i++) {
    char head[80];
    snprintf(head, sizeof head, ">%s", x->string);
    amo_table_head(&t, head);
  }
  cJSON_ArrayForEach(e, events) if (number++ < MAX_ROWS) event_row(&t, result, e, number);
  amo_table_print(&t, out, wide);
  if (count > MAX_ROWS) fprintf(out, "  ... %d more (use --json)\n", count - MAX_ROWS);
}

/// What is not known is a dash; a warning has said why.
static void number_cell(amo_table *t, int digits, double x)
{
  if (isfinite(x))
    amo_table_cell(t, "%.*g", digits, x);
  else
    amo_table_cell(t, "-");
}

static void print_extrema(const cJSON *result, FILE *out, int wide)
{
  const cJSON *extrema = get(result, "extrema"), *x = NULL;
  int rows = 0;
  amo_table t = {0};
  static const char *const head[] = {"<", ">min", ">at t", ">max", ">at t", ">mean", ">rms"};
  for (int i = 0; i < 7; i++) amo_table_head(&t, head[i]);
  cJSON_ArrayForEach(x, extrema)
  {
    const char *dot = strrchr(x->string, '.');
    if (dot && is_smooth(result, x->string, (size_t)(dot - x->string))) continue;
    if (rows++ >= MAX_ROWS) continue;
    amo_table_cell(&t, "%s", x->string);
    number_cell(&t, 9, amo_json_get(x, "min"));
    number_cell(&t, 6, amo_json_get(x, "t_min"));
    number_cell(&t, 9, amo_json_get(x, "max"));
    number_cell(&t, 6, amo_json_get(x, "t_max"));
    number_cell(&t, 6, amo_json_get(get(result, "mean"), x->string));
    number_cell(&t, 6, amo_json_get(get(result, "rms"), x->string));
  }
  if (rows) amo_table_print(&t, out, wide);
  if (rows > MAX_ROWS) fprintf(out, "  ... %d more (use --json)\n", rows - MAX_ROWS);
}

/// Times that a contact without friction was struck: it closed, or touched and rebounded.
static int impacts(const cJSON *result, const char *contact)
{
  const cJSON *e = NULL;
  int n = 0;
  cJSON_ArrayForEach(e, get(result, "events")) n +=
      !strcmp(amo_json_text(e, "contact"), contact) && cJSON_IsString(get(e, "from"));
  return n;
}

static void print_contacts(const cJSON *result, FILE *out)
{
  const cJSON *x = NULL;
  int rows = 0;
  cJSON_ArrayForEach(x, get(result, "stick_fraction"))
  {
    if (rows++ >= 10) continue;
    double last = amo_json_get(get(result, "last_return"), x->string);
    if (is_smooth(result, x->string, strlen(x->string))) {
      const int n = impacts(result, x->string);
      const double open = amo_json_get(get(result, "open_fraction"), x->string);
      if (open == 0.0 && n == 0)
        fprintf(out, "%s: closed all the time\n", x->string);
      else
        fprintf(out, "%s: closed %.4g %% of the time, closed or touched %d time%s\n", x->string,
                100 * (1 - open), n, n == 1 ? "" : "s");
      continue;
    }
    const cJSON *gives = get(get(result, "presliding"), x->string);
    if (gives) {
      const double phases = amo_json_get(get(result, "presliding_phases"), x->string);
      if (cJSON_IsNumber(gives))
        fprintf(out, "%s: gives way; %.4g %% of the time before it slides, %.0f such phase%s\n", x->string,
                100 * gives->valuedouble, phases, phases == 1 ? "" : "s");
      else
        fprintf(out, "%s: gives way under any load: no border between stick and slip\n", x->string);
      continue;
    }
    fprintf(out, "%s: %.4g %% of the time in stick, %.0f stick phase%s", x->string, 100 * x->valuedouble,
            amo_json_get(get(result, "episodes"), x->string),
            amo_json_get(get(result, "episodes"), x->string) == 1 ? "" : "s");
    if (isfinite(last)) fprintf(out, ", last return after %.15g", last);
    fprintf(out, "\n");
  }
  if (rows > 10) fprintf(out, "... and %d more contacts\n", rows - 10);
}

static void print_final(const cJSON *result, FILE *out)
{
  const cJSON *final = get(result, "final"), *x = NULL;
  int shown = 0;
  fprintf(out, "final  t = %.12g:", amo_json_get(final, "t"));
  cJSON_ArrayForEach(x, get(final, "state")) if (shown++ < 8)
      fprintf(out, " %s = %.12g", x->string, x->valuedouble);
  if (shown > 8) fprintf(out, " ... %d more", shown - 8);
  shown = 0;
  cJSON_ArrayForEach(x, get(final, "modes")) if (shown++ < 8)
      fprintf(out, "%s %s %s", shown > 1 ? "," : ";", x->string, mode_word(result, x->string, x));
  fprintf(out, "\n");
}

static const char *plural(const cJSON *o, const char *name)
{
  return amo_json_get(o, name) == 1 ? "" : "s";
}

static bool impulses(const cJSON *result)
{
  const cJSON *e = NULL;
  cJSON_ArrayForEach(e, get(result, "events")) if (get(e, "impulse")) return true;
  return false;
}

static void print_audit(const cJSON *result, FILE *out)
{
  const cJSON *a = get(result, "audit"), *s = get(result, "stats");
  bool ok = cJSON_IsTrue(get(a, "ok"));
  amo_audit_print(result, out);
  amo_proof_print(a, out);
  fprintf(out, "energy %.9g now, %.9g supplied, %.9g dissipated by %s\n", amo_json_get(a, "energy"),
          amo_json_get(a, "supplied"), amo_json_get(a, "dissipated"),
          impulses(result) ? "friction and impacts" : "friction");
  fprintf(out, "stats  %.0f step%s (", amo_json_get(s, "steps"), plural(s, "steps"));
  if (amo_json_get(s, "implicit") > 0.0) fprintf(out, "%.0f implicit, ", amo_json_get(s, "implicit"));
  fprintf(out, "%.0f rejected), %.0f right-hand side%s, %.0f event%s", amo_json_get(s, "rejected"),
          amo_json_get(s, "rhs"), plural(s, "rhs"), amo_json_get(s, "events"), plural(s, "events"));
  if (isfinite(amo_json_get(s, "min_event_gap")))
    fprintf(out, ", smallest gap %.3g", amo_json_get(s, "min_event_gap"));
  fprintf(out, "\n");
  if (!ok) fprintf(out, "This result failed its audit: do not trust it. A smaller --tol may help.\n");
}

void amo_run_print(const cJSON *result, FILE *out, int wide)
{
  fprintf(out, "%s, %.6g <= t <= %.6g, method %s, tol %g\n", amo_json_text(result, "model"),
          amo_json_get(result, "start"), amo_json_get(get(result, "final"), "t"),
          amo_json_text(result, "method"), amo_json_get(result, "tol"));
  if (get(result, "reason")) fprintf(out, "ended early: %s\n", amo_json_text(result, "reason"));
  fprintf(out, "\n");
  print_events(result, out, wide);
  fprintf(out, "\n");
  print_extrema(result, out, wide);
  fprintf(out, "\n");
  print_contacts(result, out);
  print_final(result, out);
  print_audit(result, out);
}
