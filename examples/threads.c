// SPDX-License-Identifier: Apache-2.0
/// A pool of threads that share one model: each takes the next speed of the belt, with values, a simulation and diagnostics of
/// its own. Nothing is locked but the counter, since a model never changes.
///
///   cc -std=c17 threads.c $(pkg-config --cflags --libs amontons) -lpthread -o threads && ./threads
#include <amontons/amontons.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char belt[] =
    "amontons: 1\n"
    "parameters: {v: 0.2}\n"
    "coordinates: [x]\n"
    "particles: {block: {mass: 1, at: [x, 0]}}\n"
    "springs: {spring: {along: x, stiffness: 1}}\n"
    "contacts: {belt: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}}\n"
    "initial: {x: 1.1}\n";

enum { JOBS = 24, THREADS = 4 };

typedef struct pool {
  const amo_model *model;
  pthread_mutex_t lock;
  int next;
  double x[JOBS];  // where each motion ends; every job writes its own
  amo_status status[JOBS];
} pool;

static amo_status run(const amo_model *m, double speed, double *x)
{
  amo_values *v = NULL;
  amo_sim *s = NULL;
  amo_sim_opts o = amo_sim_opts_default();
  amo_status st = amo_values_new(m, &v);
  if (st == AMO_OK) st = amo_values_set(v, 0, speed);
  o.values = v;
  if (st == AMO_OK) st = amo_sim_new(m, &o, NULL, &s);
  if (st == AMO_OK) st = amo_sim_run(s, 40.0, NULL, NULL);
  if (st == AMO_OK) *x = amo_sim_state(s)[0];
  amo_sim_free(s);
  amo_values_free(v);
  return st;
}

static void *work(void *ctx)
{
  pool *p = ctx;
  for (;;) {
    pthread_mutex_lock(&p->lock);
    const int i = p->next < JOBS ? p->next++ : -1;
    pthread_mutex_unlock(&p->lock);
    if (i < 0) return NULL;
    p->status[i] = run(p->model, 0.1 + 0.05 * i, &p->x[i]);
  }
}

int main(void)
{
  amo_model *m = NULL;
  if (amo_model_parse("belt", belt, strlen(belt), NULL, 0, NULL, &m) != AMO_OK) return 1;
  pool p = {.model = m};
  pthread_t id[THREADS];
  int started = 0, bad = 0;
  pthread_mutex_init(&p.lock, NULL);
  while (started < THREADS && pthread_create(&id[started], NULL, work, &p) == 0) started++;
  if (started == 0) work(&p);
  for (int i = 0; i < started; i++) pthread_join(id[i], NULL);
  for (int i = 0; i < JOBS; i++) {
    double alone;
    bad += p.status[i] != AMO_OK || run(m, 0.1 + 0.05 * i, &alone) != AMO_OK ||
           alone != p.x[i];  // to the last bit
    if (i % 6 == 0) printf("v = %.2f: x(40) = %.15g\n", 0.1 + 0.05 * i, p.x[i]);
  }
  pthread_mutex_destroy(&p.lock);
  amo_model_free(m);
  printf("%d motions on %d threads, %d differ from a single thread\n", JOBS, started, bad);
  return bad;
}
