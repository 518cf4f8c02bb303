// SPDX-License-Identifier: Apache-2.0
// Work in tiles: threads, slices, files, and ranks that talk through a post office in memory, one of whom may fall silent. The answer
// must be the same bits whoever computes it.
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
// after the others
#include <cmocka.h>

#include "base/file.h"
#include "tiles/tiles.h"

enum { TILES = 60, RANKS = 4 };

// ---- the work ----

typedef struct work {
  double value[TILES];
  bool done[TILES];
  int computed[TILES];  // how often, here
  int dawdle;           // ms for each tile
} work;

static double of(size_t k)
{
  return sin((double)k * 1.1) / 3.0;
}

static amo_status begin(void *ctx, void **worker)
{
  *worker = ctx;
  return AMO_OK;
}

static void end(void *worker)
{
  (void)worker;
}

static amo_status compute(void *ctx, size_t k)
{
  work *w = ctx;
  nanosleep(&(struct timespec){.tv_nsec = w->dawdle * 1000000L}, NULL);
  w->value[k] = of(k);
  w->computed[k]++;
  return AMO_OK;
}

static void write_tile(void *ctx, size_t k, amo_text *out)
{
  amo_text_printf(out, "%.17g", ((work *)ctx)->value[k]);
}

static bool read_tile(void *ctx, size_t k, char *text)
{
  char *rest = NULL;
  ((work *)ctx)->value[k] = strtod(text, &rest);
  return rest != text && !*rest;
}

static amo_tiles tiles_of(work *w)
{
  return (amo_tiles){.of = "test",
                     .piece = "tile",
                     .identity = 0x1234,
                     .count = TILES,
                     .done = w->done,
                     .ctx = w,
                     .begin = begin,
                     .end = end,
                     .compute = compute,
                     .write = write_tile,
                     .read = read_tile};
}

static void is_right(const work *w)
{
  for (size_t k = 0; k < TILES; k++) {
    assert_true(w->done[k]);
    const double expected = of(k);
    assert_memory_equal(&w->value[k], &expected, sizeof expected);
  }
}

static amo_status run(work *w, amo_tiles_how how, amo_tiles_end *e)
{
  const amo_tiles t = tiles_of(w);
  return amo_tiles_run(&t, &how, NULL, e);
}

// ---- threads, slices, files ----

static void threads_compute_each_tile_once(void **unused)
{
  (void)unused;
  for (int threads = 1; threads < 9; threads += 3) {
    work w = {0};
    amo_tiles_end e;
    assert_int_equal(run(&w, (amo_tiles_how){.threads = threads}, &e), AMO_OK);
    assert_true(e.whole && e.finished == TILES && e.kept == 0);
    is_right(&w);
    for (size_t k = 0; k < TILES; k++) assert_int_equal(w.computed[k], 1);
  }
}

static void slices_are_joined(void **unused)
{
  (void)unused;
  const char *const file[] = {"tiles.1", "tiles.2", "tiles.3"};
  for (size_t i = 0; i < 3; i++) {
    work w = {0};
    amo_tiles_end e;
    remove(file[i]);
    assert_int_equal(run(&w, (amo_tiles_how){.slice = {i, 3}, .kept = file[i]}, &e), AMO_OK);
    assert_true(!e.whole && e.finished == TILES / 3);
    for (size_t k = 0; k < TILES; k++) assert_int_equal(w.computed[k], k % 3 == i);
  }
  amo_merged m;
  assert_int_equal(amo_tiles_merge(file, 2, "tiles.all", NULL, &m), AMO_ENOANSWER);
  assert_int_equal(m.finished, 2 * TILES / 3);
  assert_int_equal(amo_tiles_merge(file, 3, "tiles.all", NULL, &m), AMO_OK);
  assert_int_equal(m.count, TILES);
  work w = {0};
  amo_tiles_end e;
  assert_int_equal(run(&w, (amo_tiles_how){.kept = "tiles.all"}, &e), AMO_OK);
  assert_true(e.whole && e.kept == TILES);
  is_right(&w);
  for (size_t k = 0; k < TILES; k++) assert_int_equal(w.computed[k], 0);
  for (size_t i = 0; i < 3; i++) remove(file[i]);
  remove("tiles.all");
}

// ---- ranks ----

typedef struct letter {
  struct letter *next;
  int from;
  size_t n;
  char bytes[];
} letter;

typedef struct office {
  pthread_mutex_t lock;
  letter *box[RANKS];  // last one first: messages need not come in order
} office;

typedef struct member {
  office *post;
  amo_ranks ranks;
  work w;
  amo_tiles_how how;
  amo_tiles_end end;
  amo_status status;
  volatile int stop;
  int mute_after;  // messages that it sends before it falls silent; 0: it never does
  int sent;
} member;

static bool post_send(void *ctx, int to, const char *bytes, size_t n)
{
  member *m = ctx;
  if (m->mute_after && ++m->sent > m->mute_after) return true;  // killed: nobody would know
  letter *l = malloc(sizeof *l + n);
  if (!l) return false;
  *l = (letter){.from = m->ranks.rank, .n = n};
  memcpy(l->bytes, bytes, n);
  pthread_mutex_lock(&m->post->lock);
  l->next = m->post->box[to];
  m->post->box[to] = l;
  pthread_mutex_unlock(&m->post->lock);
  return true;
}

static bool post_receive(void *ctx, int *from, char **bytes, size_t *n)
{
  member *m = ctx;
  pthread_mutex_lock(&m->post->lock);
  letter *l = m->post->box[m->ranks.rank];
  if (l) m->post->box[m->ranks.rank] = l->next;
  pthread_mutex_unlock(&m->post->lock);
  if (!l) return false;
  *from = l->from;
  *n = l->n;
  *bytes = calloc(1, l->n + 1);
  assert_non_null(*bytes);
  memcpy(*bytes, l->bytes, l->n);
  free(l);
  return true;
}

static void *live(void *ctx)
{
  member *m = ctx;
  m->status = run(&m->w, m->how, &m->end);
  return NULL;
}

static void make(member *m, int count, office *post)
{
  for (int i = 0; i < count; i++) {
    m[i] = (member){.post = post, .ranks = {i, count, &m[i], post_send, post_receive}, .w.dawdle = 4};
    m[i].how = (amo_tiles_how){.threads = i % 2 + 1, .ranks = &m[i].ranks, .stop = &m[i].stop};
  }
}

static void live_together(member *m, int count)
{
  pthread_t id[RANKS];
  for (int i = 0; i < count; i++) assert_int_equal(pthread_create(&id[i], NULL, live, &m[i]), 0);
  for (int i = 0; i < count; i++) pthread_join(id[i], NULL);
}

static void close_office(office *p)
{
  for (int i = 0; i < RANKS; i++)
    for (letter *l = p->box[i]; l; l = p->box[i]) {
      p->box[i] = l->next;
      free(l);
    }
  pthread_mutex_destroy(&p->lock);
}

static void ranks_share_tiles(void **unused)
{
  (void)unused;
  for (int count = 1; count <= RANKS; count++) {
    office post = {.lock = PTHREAD_MUTEX_INITIALIZER};
    member m[RANKS];
    int helped = 0;
    make(m, count, &post);
    live_together(m, count);
    assert_int_equal(m[0].status, AMO_OK);
    assert_true(m[0].end.whole);
    is_right(&m[0].w);
    for (int i = 1; i < count; i++) {
      assert_int_equal(m[i].status, AMO_OK);
      assert_false(m[i].end.whole);
      helped += m[i].end.finished > 0;
    }
    assert_true(count == 1 || helped > 0);  // all of them, unless the machine is very busy
    close_office(&post);
  }
}

/// A rank that is killed says nothing; what it had is computed by others, and nothing else is computed twice.
static void a_lost_rank_loses_its_tile(void **unused)
{
  (void)unused;
  office post = {.lock = PTHREAD_MUTEX_INITIALIZER};
  member m[3];
  make(m, 3, &post);
  m[0].w.dawdle = 20;   // so that there is something left for the others
  m[1].mute_after = 2;  // it asks for its two threads, and never answers
  pthread_t id[3];
  for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&id[i], NULL, live, &m[i]), 0);
  pthread_join(id[0], NULL);
  assert_true(m[0].status == AMO_OK && m[0].end.whole);
  is_right(&m[0].w);
  pthread_join(id[1], NULL);
  pthread_join(id[2], NULL);
  assert_true(m[1].end.finished > 0 && m[1].sent > 2);
  close_office(&post);
}

/// One who asks another question is sent away, and what is no message does no harm.
static void strangers_do_not_help(void **unused)
{
  (void)unused;
  static const char *const rubbish[] = {"",
                                        "ask",
                                        "answer 1234",
                                        "answer 1234 7 nonsense",
                                        "answer 1234 999 0.5",
                                        "tile 1234 0 0",
                                        "left zzz",
                                        "answer 5678 3 0.25",
                                        "ask 5678 0"};
  office post = {.lock = PTHREAD_MUTEX_INITIALIZER};
  member m[2];
  make(m, 2, &post);
  for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; i++)
    assert_true(post_send(&m[1], 0, rubbish[i], strlen(rubbish[i])));
  live(&m[0]);
  assert_true(m[0].status == AMO_OK && m[0].end.whole);
  is_right(&m[0].w);
  int sent_away = 0, from;
  char *bytes;
  size_t n;
  while (post_receive(&m[1], &from, &bytes, &n)) {
    sent_away += !strcmp(bytes, "end 0000000000005678");
    free(bytes);
  }
  assert_true(sent_away >= 1);
  close_office(&post);
}

static int stop_at_a_third(void *ctx, double fraction)
{
  (void)ctx;
  return fraction > 1.0 / 3.0;
}

/// Interrupted in the middle, the file has what was done, and another number of ranks goes on from it.
static void ranks_go_on_from_the_file(void **unused)
{
  (void)unused;
  remove("tiles.kept");
  office post = {.lock = PTHREAD_MUTEX_INITIALIZER};
  member m[3];
  make(m, 3, &post);
  m[0].how.kept = "tiles.kept";
  m[0].how.progress = stop_at_a_third;
  live_together(m, 3);
  assert_int_equal(m[0].status, AMO_EINTR);
  assert_false(m[0].end.whole);
  const size_t before = m[0].end.finished;
  assert_true(before > TILES / 3);
  close_office(&post);
  post = (office){.lock = PTHREAD_MUTEX_INITIALIZER};
  make(m, 2, &post);
  m[0].how.kept = "tiles.kept";
  live_together(m, 2);
  assert_true(m[0].status == AMO_OK && m[0].end.whole);
  assert_int_equal(m[0].end.kept, before);
  is_right(&m[0].w);
  close_office(&post);
  remove("tiles.kept");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_compute_each_tile_once),
      cmocka_unit_test(slices_are_joined),
      cmocka_unit_test(ranks_share_tiles),
      cmocka_unit_test(a_lost_rank_loses_its_tile),
      cmocka_unit_test(strangers_do_not_help),
      cmocka_unit_test(ranks_go_on_from_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
