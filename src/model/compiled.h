// SPDX-License-Identifier: Apache-2.0
/// The compiled system behind amo_model: what the loader (model) hands to contact and flow.
///
///   M(q,t) u' = h(q,u,z,t) + sum_c W_c lambda_c + sum_g G_g^T Lambda_g
///   slip of contact c:   gamma_c = slip_c(q,u,t),  gamma_c' = W_c . u' + zeta_c
///   constraint g:        phi_g(q,t) = 0 (or a velocity relation), second/first derivative  G_g . u' + zeta_g = 0
///   z' = rate(q,u,z,t, modes)
///
/// `h` already contains the friction of slipping contacts: -sigma_c * kinetic_c * W_c with the leaf
/// sigma_c = +1/-1 (sign of slip) and 0 in stick (then the term is switched off and lambda_c is
/// an unknown). Prescribed coordinates are substituted by their functions of time everywhere.
///
/// A contact with two slip velocities (spatial) has, besides the two, the row of its sliding speed
///   |gamma| = xi . gamma,   xi = gamma/|gamma|,   |gamma|' = xi . gamma'   (since xi . xi' = 0)
/// with the direction xi in two leaves. In slip it is then a contact like any other with sigma = +1; in stick both
/// rows are ties.
#ifndef AMO_MODEL_COMPILED_H
#define AMO_MODEL_COMPILED_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/source.h"
#include "amontons/model.h"
#include "expr/dag.h"
#include "expr/program.h"
#include "law/law.h"
#include "num/rounding.h"

#define AMO_NO_REGISTER UINT32_MAX  // of an expression that is absent

typedef struct amo_entry {  // one structurally nonzero matrix or row entry
  uint32_t row, col;        // col: coordinate
  uint32_t reg;             // register in the step program
  amo_node node;
} amo_entry;

typedef struct amo_sym {  // owned strings
  char *name, *unit, *doc;
} amo_sym;

/// What decides the normal force of a contact.
typedef enum amo_contact_kind {
  AMO_PRESSED,  // given: `normal`
  AMO_GUIDE,    // two-sided constraint gap(q,t) = 0; reaction R of either sign, friction mu |R|
  AMO_SUPPORT   // one-sided: gap(q,t) >= 0, R >= 0, one of them zero; friction mu R
} amo_contact_kind;

/// Slip of a spatial contact: two velocities along orthogonal axes of the surface.
typedef struct amo_slip_axis {
  amo_node slip, zeta;
  amo_entry *w;
  uint32_t nw, r_slip, r_zeta;
} amo_slip_axis;

enum { AMO_MOST_PRESSING = 3, AMO_MOST_ENDS = 8, AMO_MOST_SWITCHES = 4 };

/// A reaction that presses a joint: the multiplier of a constraint, or R of a guide or support.
typedef struct amo_presser {
  bool of_contact;
  uint32_t item;  // constraint, or contact
} amo_presser;

typedef struct amo_contact {
  amo_sym sym;
  amo_contact_kind kind;
  char *law_type;  // "coulomb", "curve", ... for describe
  amo_at_rest rest;
  // bound: stick limit >= 0 [N]; kinetic: slip friction magnitude [N], of leaf sigma. For guides and supports both
  // are coefficients: to be multiplied by |R|, and not in h.
  amo_node slip, zeta, normal, bound, kinetic;  // normal: NONE for guides and supports
  amo_node slow;  // of a law that gives way: its friction in steady sliding; NONE else
  // on a coordinate without mass: the friction (against the slip) that the balance of forces on it asks for, whatever the mode. Such a
  // contact is no part of the balance of the others, its row is empty, and its slip velocity is what follows from its mode. NONE else
  amo_node drag, yield;      // yield: its derivative by that coordinate
  uint32_t slider, r_yield;  // slider: number of that coordinate among the states
  uint32_t part_of;  // an element (elements.c): number of the contact whose part it is, plus 1; 0: it is none
  uint32_t chain;    // first of the contacts on such coordinates whose velocities depend on each other
  // Where the normal force is given: with its sign, and 1, -1 as that is, 0 where the surfaces have parted. NONE: never.
  amo_node reaction, side;
  bool parts;  // its surfaces may part: there is a mode open
  // joints: the normal force is the size of these reactions, in the leaf `reaction` of this contact; bound and kinetic
  // are bound_by and kinetic_by (coefficients) times it. npressing 0: no joint.
  amo_presser pressing[AMO_MOST_PRESSING];
  uint32_t npressing;
  amo_node bound_by, kinetic_by;
  uint32_t r_bound_by, r_kinetic_by;
  amo_node spare;  // what static friction has over kinetic friction at rest; NONE: never negative
  amo_node gap, gap_rate, gap_zeta;  // guides, supports: g(q,t), dg/dt, d2g/dt2 without accelerations
  amo_node restitution;              // supports: Newton's coefficient, of parameters
  // supports with ends: room left before each of them, and 1 where the surfaces face each other (no room is negative), 0
  // beyond. nroom 0: there are none, and within is NONE
  amo_node room[AMO_MOST_ENDS], within;
  uint32_t nroom, r_room[AMO_MOST_ENDS];
  bool spatial;  // slip is the speed |gamma|; axis and leaf xi are set
  uint32_t xi;   // number of its first direction leaf, from leaf.xi
  amo_slip_axis axis[2];
  amo_entry *n;  // guides, supports: row dg/dq, nn entries
  uint32_t nn;
  amo_node
      kinetic_smooth;  // signed smoothed force on the body along +slip: -kinetic(|slip|)*(2/pi)*atan(eps*slip)
  amo_node kinetic_slope;  // d(signed slip force)/d(slip speed) along the branch sigma; for describe/evaluate
  amo_node kinetic_smooth_slope;
  amo_law_told told[AMO_LAW_TOLD];  // quantities of its law that outputs may name
  amo_node stick_force;             // where no solver is needed: lambda in stick; NONE otherwise
  amo_entry *w;                     // W_c, nw entries (row unused)
  uint32_t nw;
  uint32_t r_slip, r_zeta, r_reaction, r_side, r_bound, r_kinetic, r_stick, r_spare,
      r_slow;  // registers in the step program
  uint32_t r_gap, r_gap_rate, r_gap_zeta, r_restitution, r_within;
} amo_contact;

/// Is the normal force a reaction that belongs to a gap, to be found?
static inline bool amo_has_gap(const amo_contact *k)
{
  return k->kind != AMO_PRESSED;
}

/// Does it rub on a coordinate without mass? Its friction is a register, and its slip velocity may jump.
static inline bool amo_is_massless(const amo_contact *k)
{
  return k->drag != AMO_NODE_NONE;
}

/// Has it a mode of rest?
static inline bool amo_may_stick(const amo_contact *k)
{
  return k->rest == AMO_STICKS || k->rest == AMO_SWITCHES;
}

/// Such a contact that sticks and slips: in slip its friction stays at the bound.
static inline bool amo_is_slider(const amo_contact *k)
{
  return amo_is_massless(k) && k->rest == AMO_STICKS;
}

/// Is it no contact of two surfaces, but part of one, or a switch? It rubs on nothing and does no work of its own.
static inline bool amo_is_on_nothing(const amo_contact *k)
{
  return k->rest == AMO_SWITCHES || k->part_of > 0;
}

/// The contact whose surfaces it has: itself, or the one whose part it is.
static inline uint32_t amo_whole(const amo_contact *k, uint32_t c)
{
  return k->part_of ? k->part_of - 1 : c;
}

/// Does it slide at rest, too, or give way? It has one mode, slip+, and no condition on its slip.
static inline bool amo_never_sticks(const amo_contact *k)
{
  return k->rest == AMO_CREEPS || k->rest == AMO_YIELDS;
}

/// Is its friction a curve of a given normal force over the sliding speed, which must not be negative?
static inline bool amo_reads_speed(const amo_contact *k)
{
  return k->kind == AMO_PRESSED && k->npressing == 0 && (k->rest == AMO_STICKS || k->rest == AMO_UNKNOWN);
}

/// Does nothing of the motion depend on whether it sticks?
static inline bool amo_is_loose(const amo_contact *k)
{
  return k->nw == 0 && !amo_is_massless(k);
}

/// Can its surfaces part? Its reaction then pushes only.
static inline bool amo_can_open(const amo_contact *k)
{
  return k->kind == AMO_SUPPORT;
}

/// Does its gap stay closed whatever its mode, by a reaction of either sign?
static inline bool amo_is_two_sided(const amo_contact *k)
{
  return k->kind == AMO_GUIDE;
}

/// Is its slip a vector, whose direction turns? Along how many axes that is known: none, where it goes to and fro.
static inline bool amo_turns(const amo_contact *k)
{
  return k->spatial;
}

static inline uint32_t amo_axes(const amo_contact *k)
{
  return k->spatial ? 2 : 0;
}

/// The sign that its reaction must keep in a mode in which it is `reaction_sign`; 0: either will do.
static inline signed char amo_kept_sign(const amo_contact *k, int mode, signed char reaction_sign)
{
  return amo_can_open(k) ? 1 : amo_has_gap(k) && mode != 0 ? reaction_sign : 0;
}

/// Do its surfaces end somewhere? It then closes from above and within its ends only: beside it and under it there is nothing.
static inline bool amo_has_ends(const amo_contact *k)
{
  return k->nroom > 0;
}

/// Do its surfaces face each other, as registers that lie `stride` apart say?
static inline bool amo_is_within(const amo_contact *k, const double *reg, size_t stride)
{
  return !amo_has_ends(k) || reg[k->r_within * stride] > 0.0;
}

/// Are its surfaces apart, where the gap is known to `error`?
static inline bool amo_is_apart(const amo_contact *k, double gap, double error, bool within)
{
  return gap > error || !within || (gap < -error && amo_has_ends(k));
}

/// Is it a reaction, or the size of some? Its law then gives coefficients.
static inline bool amo_reacts(const amo_contact *k)
{
  return amo_has_gap(k) || k->npressing > 0;
}

/// Registers of the law without the normal force, where that is to be found.
static inline uint32_t amo_bound_register(const amo_contact *k)
{
  return k->npressing > 0 ? k->r_bound_by : k->r_bound;
}

static inline uint32_t amo_kinetic_register(const amo_contact *k)
{
  return k->npressing > 0 ? k->r_kinetic_by : k->r_kinetic;
}

/// The rows along which a contact slips: its own, or those along its two axes.
static inline uint32_t amo_slip_rows(const amo_contact *k)
{
  return k->spatial ? 2 : 1;
}

static inline amo_slip_axis amo_slip_row(const amo_contact *k, uint32_t a)
{
  return k->spatial ? k->axis[a] : (amo_slip_axis){k->slip, k->zeta, k->w, k->nw, k->r_slip, k->r_zeta};
}

/// The model as a question about rest sees it: laws that give way hold up to their bound, and slide as in steady sliding. *own is
/// NULL where m itself will do; otherwise it is the answer, shares everything with m but its contacts, and is freed by amo_held_free.
amo_status amo_model_held(const amo_model *m, amo_model **own, const amo_model **out);
void amo_held_free(amo_model *own);  // accepts NULL

bool amo_has_guides(const amo_model *m);
bool amo_has_supports(const amo_model *m);

enum { AMO_MODE_OPEN = 2 };  // of a contact whose surfaces are apart; see amontons/sim.h for the other modes

/// Does the gap of this contact tie the motion in this mode?
static inline bool amo_is_tied(const amo_contact *k, signed char mode)
{
  return amo_is_two_sided(k) || (amo_can_open(k) && mode != AMO_MODE_OPEN);
}

/// Have the surfaces of a contact whose normal force is given parted, by registers of values?
static inline bool amo_has_parted(const amo_contact *k, const double *reg)
{
  return k->r_side != AMO_NO_REGISTER && reg[k->r_side] == 0.0;
}

/// Value of the leaf sigma in a mode: an open contact has no friction.
static inline double amo_sigma(signed char mode)
{
  return mode == AMO_MODE_OPEN ? 0.0 : mode;
}

/// The mode of a contact that is closed, by its slip velocity; rests: that is zero.
static inline signed char amo_mode_of(const amo_contact *k, double slip, bool rests)
{
  if (amo_may_stick(k) && rests) return 0;
  return slip < 0.0 && !k->spatial && !amo_never_sticks(k) ? -1 : 1;
}

/// "pressed", "guide", "support", "joint"
const char *amo_contact_kind_name(const amo_contact *k);

typedef struct amo_constraint {
  amo_sym sym;
  bool velocity_level;  // stated in velocities (pure rolling); no position residual then
  amo_node residual;    // phi(q,t); NONE for velocity level
  amo_node rate;        // d phi/dt, or the stated velocity relation
  amo_node zeta;
  amo_entry *g;  // row of G
  uint32_t ng;
  uint32_t r_residual, r_rate, r_zeta;
} amo_constraint;

typedef struct amo_extra {  // first-order state z
  amo_sym sym;
  long contact;      // owning contact of a law state, else -1
  amo_node rate;     // may depend on the owning contact's sigma leaf (0 = stick)
  amo_node reset;    // value set when the owning contact begins to stick; NONE = keep
  amo_node initial;  // where the file states none, of the initial state; NONE = 0
  bool given;        // its course is told from outside: it has no rate (clusters.h)
  uint32_t r_rate, r_reset;
} amo_extra;

typedef struct amo_prescribed {
  amo_sym sym;
  amo_node position, velocity, acceleration;  // of time (and parameters)
  amo_node drive;  // force of the drive; depends on accelerations: see leaf_acc and leaf_lambda
} amo_prescribed;

typedef struct amo_output {
  amo_sym sym;
  amo_node node;  // may use leaves acc, lambda (accelerations, contact and constraint forces)
} amo_output;

/// Leaf numbers: parameters, then t, q, u, z, sigma (per contact), eps (smoothing), xi (two per spatial contact),
/// then result leaves (only in outputs and power): acc (per coordinate), lambda (per contact, signed friction
/// force along +slip), Lambda (per constraint), reaction (per contact: normal force, R of guides and supports; that
/// of joints is found with the balance and read by the step program too),
/// traction (friction force along the two axes of each spatial contact).
typedef struct amo_leaves {
  uint32_t param, t, q, u, z, sigma, eps, xi, acc, lambda, multiplier, reaction, traction, count;
} amo_leaves;

/// A particle or body: roots first.. of the program `shares` are the force (dims components) and the moment (bodies)
/// that it takes up of accelerations given in the leaves acc.
typedef struct amo_share {
  amo_sym sym;
  uint32_t first, dims;
  bool body;
} amo_share;

typedef struct amo_material {  // a particle, a body or a point without mass: where it is
  char *name;
  bool turns;            // it has axes of its own, at `angle` (planar)
  bool load;             // the point of a load that acts on no part
  int dims;              // 2 or 3
  amo_node r[3], angle;  // of coordinates, time and parameters
} amo_material;

typedef struct amo_parameter {
  amo_sym sym;
  amo_node expr;       // NONE for a plain number; else derived from other parameters
  double least, most;  // what the file allows (min, max, positive), with the values of the file
} amo_parameter;

/// Free flight (linear.c): numbers of roots of `prog`, whose registers are reg[root].
typedef struct amo_flight {
  bool linear;  // matrices are constant; otherwise nothing else is there
  amo_prog *prog;
  uint32_t *reg;
  size_t mass, stiffness, damping;  // [nq][nq]
  size_t force, force_rate;         // [nq]
  size_t normal;                    // [nc][nq]
  size_t gap, gap_rate;             // [nc]
} amo_flight;

/// What follows from parameters before anything moves.
typedef struct amo_start {
  amo_prog *prog;     // roots: derived parameters (in order), state, require, time; leaves: parameters
  amo_node *state;    // [2*nq + nz] initial state
  bool *stated;       // [2*nq + nz] given in the file, not left open or guessed
  amo_node time;      // of the initial state
  amo_node *require;  // [nrequire] conditions: false where the model makes no sense
  uint32_t nrequire;
} amo_start;

/// What is told of an instant beside the motion.
typedef struct amo_report {
  amo_prog *prog;      // roots: outputs, energies, supplied power; uses the result leaves
  uint32_t *r_output;  // [nout]
  amo_node kinetic, potential;
  amo_node
      supplied;  // power of all non-conservative forces except contacts and ideal constraints that do no work:
  // Q_nc.u - dissipation + explicit time dependence of the energy + drives of prescribed motion
  uint32_t r_kinetic, r_potential, r_supplied;
} amo_report;

typedef struct amo_shares {  // what parts take up of accelerations
  amo_share *item;           // [count] NULL for large models
  uint32_t count;
  amo_prog *prog;  // NULL if there are none
} amo_shares;

typedef struct amo_materials {  // particles, bodies, points
  amo_material *item;
  uint32_t count;
} amo_materials;

typedef struct amo_drives {  // prescribed coordinates
  amo_prescribed *item;
  uint32_t count;
} amo_drives;

typedef struct amo_drawing {        // how the file wants to be seen
  char *x, *y;                      // axes for plots; NULL if none
  struct amo_schematic *schematic;  // points, springs, bodies with position expressions; NULL if none
} amo_drawing;

struct amo_model {
  char *name, *title;
  amo_model_source source;  // empty in models that were made from others
  amo_dag *dag;
  amo_leaves leaf;
  uint32_t np, nq, nz, nc, ng, nout;
  uint32_t nxi;     // direction leaves: two per spatial contact
  uint32_t njoint;  // contacts whose normal force is the size of reactions
  amo_parameter *param;
  struct {
    amo_sym *q, *u;  // [nq]
  } sym;
  amo_extra *extra;            // [nz]
  amo_contact *contact;        // [nc]
  amo_constraint *constraint;  // [ng]
  amo_drives prescribed;
  amo_materials materials;
  amo_output *output;  // user's outputs first, then prescribed coordinates x, x'
  amo_start start;
  amo_values file;  // numbers of the file, for questions that bring none: see amo_model_values
  amo_entry *mass;  // lower triangle incl. diagonal, row >= col
  uint32_t nmass;
  amo_node *h;         // [nq]   with slip friction through sigma
  amo_node *h_smooth;  // [nq]   with smoothed friction through eps
  uint32_t *r_h;       // [nq] registers in step
  uint32_t
      *mechanism;  // [nq] the first coordinate that has to do with this one, by forces, inertia or contacts
  unsigned char stage;  // every root of step is needed at least at this stage (AMO_STAGE_...)
  bool light;           // M is only semidefinite: guides and constraints determine what has no inertia
  bool plain;           // the balance of forces needs no solver (plain.c)
  amo_node *acc;        // [nq] plain: accelerations, stick included through sigma
  uint32_t *r_acc;      // [nq] plain: registers in step
  bool *fixed;          // [leaf.count] parameters and eps
  amo_prog *step;       // roots: mass, h, contacts, constraints, rates
  amo_report report;
  amo_shares shares;
  struct amo_emitted
      *emitted;  // compiled code of its programs, with a lock of its own: makes no difference to any answer
  struct amo_expanded *expanded;  // see amo_model_expanded
  struct amo_kept *kept;          // see amo_model_keep
  amo_flight *flight;             // models of supports only; NULL otherwise
  amo_drawing drawing;
};

/// The same system compiled so that every register of `step` has derivatives, none is left out for speed, and the
/// balance always goes through the solver: what linearisation works with. Made on first use and kept by the model;
/// parameter values are not part of it. Safe in parallel.
amo_status amo_model_expanded(const amo_model *m, const amo_model **out);

/// Something that a room above makes of a model once and that lives as long as the model does. What cannot be made is not kept.
typedef struct amo_keeping {
  amo_status (*make)(const amo_model *m, const void *ctx, void **item);
  void (*free)(void *item);
  const void *ctx;
} amo_keeping;

/// What is kept under this key, made now if nothing is. Safe in parallel: others wait.
amo_status amo_model_keep(const amo_model *m, const char *key, const amo_keeping *how, void **out);

/// The values a question is asked with: its own, or those of the file. NULL: no model, or values of another one.
static inline const amo_values *amo_values_or_file(const amo_values *v, const amo_model *m)
{
  return !m || (v && v->model != m) ? NULL : v ? v : &m->file;
}

/// Recompute derived parameters in `value` [np] (plain entries are inputs).
void amo_model_derive(const amo_model *m, double *value);
/// Bring up to date what follows from the plain parameters in v->param: derived ones, the initial state (not if NULL;
/// as written, guides and constraints may ask for more: complete.h) and time. False: the model does not allow them.
/// Both allocate scratch; without memory the results are NaN.
bool amo_values_follow(amo_values *v);
/// The same for AMO_LANES values of one model at once, initial states wanted; allowed: what they return. reg: scratch, AMO_LANES doubles
/// for each register of the start program.
void amo_values_follow_lanes(amo_values *v, bool *allowed, double *reg);

/// The leaf of a state: coordinates, velocities, further states.
static inline uint32_t amo_state_leaf(const amo_model *m, uint32_t i)
{
  return m->leaf.q + i;  // q, u and z follow each other
}

/// The register of its rate, where that needs no balance.
static inline uint32_t amo_rate_register(const amo_model *m, uint32_t i)
{
  return i < m->nq ? m->leaf.u + i : i < 2 * m->nq ? m->r_acc[i - m->nq] : m->extra[i - 2 * m->nq].r_rate;
}

/// Size of the terms that make a gap, from registers `stride` apart, to tell a small one from rounding.
static inline double amo_gap_terms(const amo_model *m, const amo_contact *k, const double *reg, size_t stride)
{
  double size = 0.0;
  for (uint32_t e = 0; e < k->nn; e++)
    size += fabs(reg[k->n[e].reg * stride] * reg[(m->leaf.q + k->n[e].col) * stride]);
  return size;
}

/// How many of the first states show by their course that something moves: the coordinates, or in a model without any
/// all its states.
static inline uint32_t amo_places(const amo_model *m)
{
  return m->nq ? m->nq : m->nz;
}

/// Is a row the same at all times?
static inline bool amo_row_is_fixed(const amo_model *m, const amo_entry *e, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (!amo_prog_is_fixed(m->step, e[i].reg)) return false;
  return true;
}

/// Time and states into registers that lie `stride` apart; parameters too, unless NULL.
static inline void amo_load_leaves(const amo_model *m, double *reg, size_t stride, const double *param,
                                   double t, const double *state)
{
  for (uint32_t i = 0; param && i < m->np; i++) reg[(m->leaf.param + i) * stride] = param[i];
  reg[m->leaf.t * stride] = t;
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++) reg[amo_state_leaf(m, i) * stride] = state[i];
}

#endif
