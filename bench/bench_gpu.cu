// SPDX-License-Identifier: Apache-2.0
/// One graphics processor: the texts that `amontons emit` writes for three models, each compiled by nvcc and by cc, run from the same
/// starts. How long the kernel takes, what is not decided on the device, and whether both say the same. See gpu.sh.
///   nvcc -DTEXT='"valve.cuh"' -DCASE=VALVE bench_gpu.cu valve.o
#include TEXT

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

enum { BLOCK, KLARBRING, VALVE };
extern "C" int swarm_run_cpu(const swarm_job *job);  // of the same model, from the C text

struct question {
  const char *name, *unit;
  long few, many;  // places: to be compared with the other processor, to be timed
  double until, tol;
  int fate;
};
static const question questions[] = {{"block on the belt, 0.18 <= v <= 0.22", "periods", 20000, 4200000, 240, 1e-10, 0},
                               {"Klarbring's mass, final states over a plane of starts", "places", 250000, 16000000, 1000, 1e-10, 1},
                               {"relief valve, 0.2 <= q <= 9.8, until 1800", "returns", 960, 30720, 1800, 1e-10, 0}};
static const question &Q = questions[CASE];

static double part(long i, long n) { return n > 1 ? (double)i / (double)(n - 1) : 0.0; }

/// Start i of n.
static void place(long i, long n, double *y, double *p)
{
  if (CASE == BLOCK) {  // m k Fs delta v
    const double fixed[] = {1, 1, 1, 3, 0.18 + 0.04 * part(i, n)};
    memcpy(p, fixed, sizeof fixed);
    y[0] = 1.1, y[1] = 0.0;
  } else if (CASE == KLARBRING) {  // m k11 k12 k22 b11 b12 b22 mu C1 C2 F1 F2 e
    const double fixed[] = {1, 1, 1, 2, 0, 0, 0, 1.25, -0.7451280178851305, -0.6669214623646301, 0, 0, 0};
    const long side = (long)std::sqrt((double)n);
    memcpy(p, fixed, sizeof fixed);
    y[0] = y[1] = 0.0, y[2] = -24.0 + 32.0 * part(i % side, side), y[3] = 8.0 * part(i / side, side);
  } else {  // q kappa beta delta r
    const double fixed[] = {0.2 + 9.6 * part(i, n), 1.25, 20, 10, 0.8};
    memcpy(p, fixed, sizeof fixed);
    y[0] = 0.2, y[1] = 0.0, y[2] = 10.5;
  }
}

/// Free flight about the motion of the loads (flow/long_time.h): Klarbring's mass has one that lasts.
static const double *flight()
{
  static const double k11 = 1, k12 = 1, k22 = 2, C1 = -0.7451280178851305, C2 = -0.6669214623646301, det = k11 * k22 - k12 * k12;
  static const double numbers[] = {0, 0, (k22 * C1 - k12 * C2) / det, (k11 * C2 - k12 * C1) / det, k11 / det, 1, 0, 0, 1, k11, k12, k12, k22,
                                   0, 0, 0, 1};
  return CASE == KLARBRING ? numbers : nullptr;
}

struct answer {
  std::vector<double> state, time;
  std::vector<signed char> mode;
  std::vector<int64_t> events;
  std::vector<unsigned char> fate, status;
  double kernel, wall;
};

static int ask(int (*run)(const swarm_job *), long n, answer *a)
{
  std::vector<double> y(n * NS), p(n * NP);
  for (long i = 0; i < n; i++) place(i, n, &y[i * NS], &p[i * NP]);
  *a = answer{std::vector<double>(n * NS), std::vector<double>(n), std::vector<signed char>(n * ROOM(NC)), std::vector<int64_t>(n),
              std::vector<unsigned char>(n), std::vector<unsigned char>(n), 0, 0};
  swarm_job J = {};
  J.count = n, J.state = y.data(), J.parameter = p.data(), J.wants_fate = Q.fate, J.flight = flight(), J.t_end = Q.until, J.tol = Q.tol;
  J.most_steps = J.most_events = 1000000;
  J.final_state = a->state.data(), J.final_time = a->time.data(), J.final_mode = a->mode.data(), J.events = a->events.data();
  J.fate = a->fate.data(), J.status = a->status.data();
  const auto before = std::chrono::steady_clock::now();
  const int rc = run ? run(&J) : swarm_run_timed(&J, &a->kernel);
  a->wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  return rc;
}

/// Trajectories that both decide: how many differ in modes, events or fates, and the largest difference of a state.
static void compare(const answer &a, const answer &b, long n)
{
  long both = 0, here = 0, there = 0, differ = 0;
  double most = 0;
  for (long i = 0; i < n; i++) {
    here += a.status[i] != 0, there += b.status[i] != 0;
    if (a.status[i] || b.status[i]) continue;
    both++;
    differ += a.fate[i] != b.fate[i] || (!Q.fate && a.events[i] != b.events[i]) || memcmp(&a.mode[i * ROOM(NC)], &b.mode[i * ROOM(NC)], NC);
    for (int k = 0; k < NS && !Q.fate; k++) most = std::fmax(most, std::fabs(a.state[i * NS + k] - b.state[i * NS + k]));
  }
  printf("  both processors: %ld of %ld decided by both (left to the engine: %ld by the device, %ld by the CPU), %ld differ; states to %.1e\n",
         both, n, here, there, differ, most);
}

int main()
{
  answer device, cpu;
  if (ask(nullptr, Q.few, &device) || ask(swarm_run_cpu, Q.few, &cpu)) return 1;
  printf("%s\n", Q.name);
  compare(device, cpu, Q.few);
  for (int repeat = 0; repeat < 3; repeat++) {
    if (ask(nullptr, Q.many, &device)) return 1;
    long left = 0, events = 0;
    for (long i = 0; i < Q.many; i++) left += device.status[i] != 0, events += device.status[i] ? 0 : device.events[i];
    const double count = CASE == BLOCK ? 0.5 * events : CASE == KLARBRING ? Q.many : events;
    printf("  %ld motions: kernel %.4f s, with copies %.4f s; %.3g %s/s; %ld left to the engine\n", Q.many, device.kernel, device.wall,
           count / device.kernel, Q.unit, left);
  }
  return 0;
}
