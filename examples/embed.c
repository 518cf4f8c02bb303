// SPDX-License-Identifier: Apache-2.0
/// Amontons inside your own program: a model from a string, stepped event by event.
///
///   cc -std=c17 embed.c $(pkg-config --cflags --libs amontons) -o embed && ./embed
///
/// Three objects do all the work:
///   amo_diags  what the library has to say; it never prints by itself
///   amo_model  the mechanism; frozen after loading, to be shared by any number of threads
///   amo_sim    one motion of it; every thread has its own
#include <stdio.h>
#include <stdlib.h>

#include <amontons/amontons.h>

// A block on a moving belt, held by a spring. The friction falls with the sliding speed s, so the
// block sticks, is carried along, breaks away, slides back and sticks again, for ever.
static const char MODEL[] = "amontons: 1\n"
                            "name: block-on-belt\n"
                            "parameters: {m: 1, k: 1, Fs: 1, delta: 3, v: 0.2}\n"
                            "coordinates: [x]\n"
                            "particles: {block: {mass: m, at: [x, 0]}}\n"
                            "energy: {potential: k/2*x^2}\n"
                            "contacts:\n"
                            "  belt:\n"
                            "    pressed: 1\n"
                            "    slip: x' - v\n"
                            "    law: {type: curve, static: Fs, kinetic: Fs/(1 + delta*s)}\n"
                            "initial: {x: 1.1, x': 0}\n";

static const char *mode_name(int mode)
{
  return mode == AMO_STICK ? "stick" : mode == AMO_SLIP_FORWARD ? "slip forward" : "slip backward";
}

/// Everything that can go wrong with a model is a list of messages with positions.
static int complain(const amo_diags *diags, amo_status st)
{
  char *text = amo_diags_render(diags);
  fprintf(stderr, "%s%s\n", text ? text : "", amo_status_text(st));
  free(text);
  return EXIT_FAILURE;
}

/// The motion from one event to the next. A step ends where accuracy wants it to, at an event, or at
/// the given time; the state there is exact to the tolerance, not interpolated.
static amo_status run(const amo_model *model, amo_sim *sim, double until)
{
  long x = amo_model_find_state(model, "x");  // columns of the state are found by name
  amo_status st = AMO_OK;
  while (st == AMO_OK && amo_sim_time(sim) < until) {
    st = amo_sim_step(sim, until);
    for (size_t i = 0; i < amo_sim_new_events(sim); i++) {
      const amo_event *e = amo_sim_new_event(sim, i);
      if (e->kind != AMO_EVENT_MODE) continue;
      printf("t = %-14.10g x = %-14.10g %s: %s -> %s\n", e->t, amo_sim_state(sim)[x],
             amo_model_contact(model, (size_t)e->contact).name, mode_name(e->from), mode_name(e->to));
    }
  }
  if (st != AMO_OK) fprintf(stderr, "stopped at t = %g: %s\n", amo_sim_time(sim), amo_sim_message(sim));
  return st;
}

int main(void)
{
  amo_diags *diags = amo_diags_new();
  amo_model *model = NULL;
  amo_sim *sim = NULL;
  int exit_code = EXIT_FAILURE;

  // Settings override the file, as --set does on the command line.
  const amo_setting faster = {"v", "0.3"};
  amo_status st = amo_model_parse("embedded", MODEL, sizeof MODEL - 1, &faster, 1, diags, &model);
  if (st == AMO_OK) {
    amo_sim_opts options = amo_sim_opts_default();
    options.tol = 1e-12;
    options.audit = true;  // check the friction conditions and the energy balance on the way
    st = amo_sim_new(model, &options, diags, &sim);
  }
  if (st != AMO_OK) {
    exit_code = complain(diags, st);
  } else if (run(model, sim, 30.0) == AMO_OK) {
    const amo_audit *audit = amo_sim_audit(sim);
    printf("audit %s: friction conditions to %.0e, energy to %.0e\n", audit->ok ? "passed" : "FAILED",
           audit->contact_violation, audit->energy_error);
    exit_code = audit->ok ? EXIT_SUCCESS : EXIT_FAILURE;
  }

  amo_sim_free(sim);  // all of these accept NULL
  amo_model_free(model);
  amo_diags_free(diags);
  return exit_code;
}
