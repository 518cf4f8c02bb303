// SPDX-License-Identifier: Apache-2.0
/// The inside of the model loader: what its files share while a model is being built.
///
/// Order of work: sizes, then names of everything (so that leaves can be numbered), then parameters,
/// then expressions of each section into the mechanics, then assembly, programs and validation.
/// Every stage goes on after a mistake; `status` keeps the first failure and nothing is compiled
/// once it is set.
#ifndef AMO_MODEL_LOADER_H
#define AMO_MODEL_LOADER_H

#include "base/mem.h"
#include "expr/map.h"
#include "expr/parse.h"
#include "law/law.h"
#include "model/compiled.h"
#include "model/mechanics.h"
#include "model/schematic.h"
#include "model/yaml.h"

#define AMO_MAX_ELEMENTS 200000   // of all families together
#define AMO_MOST_SIZE    4000000  // a caller who sets a size himself means it: so many, and for each of them
#define AMO_SIZE_SHARE   100      // so many elements and, many times over, nodes of expressions
#define AMO_LAZY_DEPTH   200      // definitions that use definitions
#define AMO_MAX_NAME     100      // characters of a name; with an index and a quantity it fits into 128
#define AMO_WHAT         256      // characters that say what a mistake is about

typedef enum amo_name_kind {
  AMO_NAME_SIZE,
  AMO_NAME_PARAMETER,
  AMO_NAME_DEFINITION,
  AMO_NAME_COORDINATE,
  AMO_NAME_STATE,
} amo_name_kind;

/// A name of the model: single, or a family x[lo..lo+count-1] with consecutive elements.
typedef struct amo_entry_name {
  const char *name;
  amo_name_kind kind;
  bool indexed;
  long lo, count;
  uint32_t first;  // number of the first element within its kind
  amo_at at;
} amo_entry_name;

typedef struct amo_names {  // hash table, plus order of declaration
  amo_entry_name *item;
  size_t count, cap;
  uint32_t *slot;
  size_t slots;
} amo_names;

/// A key of a section: `m`, `m[2]`, `m[1..N]`, `m[i=1..N]`, with primes in `initial`.
typedef struct amo_key {
  const char *base;
  const char *index;  // name of the index, NULL if none
  bool indexed, ranged;
  long lo, hi;  // inclusive; hi < lo is an empty family
  int primes;
} amo_key;

/// One element of a section after expansion of families.
typedef struct amo_item {
  const amo_yaml *node;  // the value; its ->key is the key as written
  const char *name;      // "block[2]"
  const char *index;     // bound index or NULL
  long i;
  bool again;  // a member of its family has been read before: its keys are in order
} amo_item;

/// An expression that is parsed when first needed (parameters, definitions).
typedef struct amo_lazy {
  const amo_yaml *node;
  const char *text;  // overrides the node: a setting
  size_t length;
  amo_at at;
  const char *name, *index;
  long i;
  amo_node value;
  unsigned char stage;     // 0 untouched, 1 being parsed, 2 done, 3 failed
  const amo_yaml *bounds;  // parameter: mapping with min, max, positive
} amo_lazy;

typedef struct amo_coord {
  const char *name, *unit, *doc;
  amo_at at;
  const amo_yaml *prescribed;  // expression of time, NULL if free
  bool massless;               // without inertia: a state, whose rate friction decides
  amo_node begins;             // massless: initial speed, where it is stated
  uint32_t state;              // massless: number of that state
  const char *p_index;
  long p_i;
  uint32_t number;     // among the free ones, or among those that are not (prescribed ones first)
  amo_node motion[3];  // of those: position, velocity, acceleration
} amo_coord;

/// Does its velocity follow from time or state, so that it is none of the unknowns?
static inline bool amo_is_given(const amo_coord *c)
{
  return c->prescribed || c->massless;
}

/// Row of a contact or constraint over all coordinates.
typedef struct amo_row {
  uint32_t *coord, count;
  amo_node *value, zeta;
} amo_row;

/// What the stick of a contact gives way before it breaks: expressions of the friction on it.
typedef struct amo_preliminary_law {
  bool is_there;
  amo_node reversible, irreversible, above, creep;  // NONE: not given
} amo_preliminary_law;

/// A state, contact or constraint whose expressions are read later.
typedef struct amo_decl {
  amo_item item;
  const amo_law *law;               // contact: its friction law, NULL if that was a mistake
  size_t first_state, nstates;      // contact: states of its law
  long contact;                     // state, constraint: number of the owning contact, else -1
  const char *local;                // state of a law: its name inside the law
  const amo_coord *moves;           // state: the coordinate without mass that it is, else NULL
  amo_preliminary_law preliminary;  // contact
  size_t pause;                     // contact: number of the state that is its memory of interruptions
  size_t elements,
      first_element;  // contact: how many elements share its friction, and the first as a contact
  size_t part_of;     // element: number of the contact whose part it is, plus 1; 0: it is none
  amo_node speed;     // contact on such a coordinate: slip velocity as its law has it; NONE: it may stick
  amo_row row;        // contact, constraint
  amo_row normal;     // guide, support
  amo_row axis[2];    // spatial contact: its two slip velocities
} amo_decl;

typedef struct amo_part {  // particle or body
  const char *name;
  bool body;
  bool load;  // only the point of a load: not to be named by others
  int dims;
  amo_node mass, r[3], angle, inertia;
} amo_part;

/// Names that mean something in one place only (s and the states of a law).
typedef struct amo_local {
  const char *name;
  amo_node node;
} amo_local;

typedef enum amo_relation {
  AMO_IS_FINITE,
  AMO_IS_POSITIVE,
  AMO_IS_NONNEGATIVE,
  AMO_IS_AT_LEAST_ONE,
  AMO_IS_FRACTION,
  AMO_IS_ABOVE_KINETIC,  // static minus kinetic friction at rest
} amo_relation;

typedef struct amo_check {  // evaluated at the initial state once everything is built
  amo_node node;
  amo_relation relation;
  amo_at at;
  const char *what, *hint;
  bool warning;
} amo_check;

typedef struct amo_read {  // a text that has been read, and is the same for all of a family
  const amo_yaml *node;
  unsigned on;
  amo_node local;  // its first local name
  amo_node value;
} amo_read;

typedef struct amo_demand {  // a condition of `require`
  amo_node node;             // as written
  amo_node start;            // at the initial state: of parameters only
  const char *text, *why;    // why: the user's message, or NULL
  amo_at at;
} amo_demand;

/// Things read so far, in order.
#define AMO_LIST(type) \
  struct {             \
    type *item;        \
    size_t count, cap; \
  }

typedef struct amo_decls {  // of one section
  amo_decl *item;
  size_t count, cap;
} amo_decls;

typedef struct amo_lazies {  // parameters or definitions
  amo_lazy *item;
  size_t count, cap;
} amo_lazies;

typedef struct amo_settings {  // of the caller: --set
  const amo_setting *item;
  size_t count;
  bool *used;  // [count] by a name of the model
} amo_settings;

/// Definitions that are being worked out, each for the one before it: a circle is told with its names.
typedef struct amo_asking {
  const amo_lazy *chain[AMO_LAZY_DEPTH];
  int depth;
} amo_asking;

typedef struct amo_coords {  // free and prescribed ones as written
  amo_coord *item;
  size_t count, cap;
  uint32_t given;  // how many of them are prescribed or without mass
  bool *
      massless;  // [count] those found to be so when the model was read for the first time; NULL: not known yet
} amo_coords;

typedef struct amo_parts {  // particles, bodies, points
  amo_part *item;
  size_t count, cap;
  amo_map by_name;  // hash of a name -> number of the part + 1
} amo_parts;

/// Leaves that only expressions under construction have; numbered after those of the model.
typedef struct amo_inner_leaves {
  uint32_t q, u, acc;  // of prescribed and massless coordinates; gone after assembly
  uint32_t drag;       // one a contact: friction that a coordinate without mass asks for; gone after assembly
  uint32_t loading;    // one a contact: rate at which its force at rest grows; gone before programs are made
  uint32_t sliding;    // for s where a derivative by s is needed
  uint32_t place;      // three, for X, Y, Z of the curve of a guide
  uint32_t count;      // all leaves, those of the model included
} amo_inner_leaves;

/// What leaves become under d/dt and where motion is prescribed; each [inner.count].
typedef struct amo_rules {
  amo_node *time;        // d/dt with accelerations left out: q -> u, t -> 1
  amo_node *full;        // ... and u -> acc, z -> its rate
  amo_node *zeta;        // ... and prescribed u -> acc, z -> its rate, free u left out
  amo_node *substitute;  // scratch for amo_subst: prescribed motion, s
} amo_rules;

typedef struct amo_beginning {
  bool *given;    // [2 nq + nz] initial values that are stated, not left open
  amo_node time;  // of parameters
} amo_beginning;

typedef struct amo_loader {
  amo_diags *diags;
  amo_arena arena;    // everything that dies with the loader
  amo_status status;  // the first failure
  const amo_yaml *root;
  amo_model *m;  // the result
  amo_dag *dag;  // its expressions
  amo_settings settings;
  amo_names names;
  AMO_LIST(long) sizes;  // values, by number
  amo_lazies params, defs;
  amo_asking asking;
  amo_coords coords;
  amo_inner_leaves inner;
  amo_parts parts;
  amo_decls states, contacts, constraints;  // states: own ones first, then those of laws
  struct {
    amo_check *item;
    size_t count, cap;
    amo_map known;  // by what is looked at, and where it stands
  } checks;
  struct {
    amo_read *item;
    size_t count, cap;
    amo_map known;
    size_t own;  // how often a text has read its index, or what is its member's own
  } texts;
  AMO_LIST(amo_demand) demands;
  AMO_LIST(amo_drawn) drawn;
  AMO_LIST(amo_shape) shapes;
  size_t elements, most_elements;  // of families, expanded so far, and how many there may be
  amo_mech mech;
  amo_rules rules;
  amo_beginning initial;
  bool loading;  // the law of some contact asks for a rate of loading
  bool again;    // coordinates without mass were found: the model is to be read once more
  size_t output_cap;
  bool outputs;  // contact quantities may be named
} amo_loader;

// ---- names.c ----
amo_entry_name *amo_names_find(const amo_names *t, const char *name, size_t length);
/// Adds a name; reports if it is taken or reserved.
amo_status amo_names_add(amo_loader *ld, amo_entry_name e);
void amo_names_free(amo_names *t);
amo_status amo_key_parse(amo_loader *ld, const amo_yaml *key, amo_key *out);
const char *amo_element_name(amo_loader *ld, const amo_key *k, long i);

// ---- loader.c ----
void amo_load_fail(amo_loader *ld, amo_status st);
/// "mass", " of particle ", "block[2]" in one (printf takes its time where there are many blocks). Cut where it is too long.
#define amo_say(to, ...) amo_say_((to), (const char *const[]){__VA_ARGS__, NULL})
void amo_say_(char to[AMO_WHAT], const char *const *part);
/// Out of memory or over a limit: going on to find more mistakes makes no sense.
bool amo_load_hopeless(const amo_loader *ld);
/// Calls fn for each element of mapping `section`; `what` for messages ("spring").
typedef amo_status (*amo_item_fn)(amo_loader *ld, const amo_item *it, void *ctx);
void amo_load_each(amo_loader *ld, const char *section, amo_item_fn fn, void *ctx);
/// The same of a mapping that is none of the sections.
void amo_load_each_of(amo_loader *ld, const amo_yaml *map, const char *section, amo_item_fn fn, void *ctx);
const char *amo_setting_for(amo_loader *ld, const char *name, const char *base);

// ---- scope.c ----
enum {  // what an expression may depend on
  AMO_ON_T = 1,
  AMO_ON_Q = 2,
  AMO_ON_U = 4,
  AMO_ON_Z = 8,
  AMO_ON_RESULTS = 16,
  AMO_ON_POSITION = AMO_ON_T | AMO_ON_Q,
  AMO_ON_STATE = AMO_ON_POSITION | AMO_ON_U | AMO_ON_Z,
  AMO_ON_ALL = AMO_ON_STATE | AMO_ON_RESULTS,
};
typedef struct amo_expr_in {
  const char *what;  // "mass of particle block"
  unsigned on;
  const char *index;  // bound index
  long i;
  const amo_local *local;
  size_t locals;
  bool quiet;  // mistakes were reported already
} amo_expr_in;
/// Parse the scalar n. On failure reports, fails the loader and returns NONE.
amo_node amo_load_expr(amo_loader *ld, const amo_yaml *n, const amo_expr_in *in);
amo_node amo_load_text(amo_loader *ld, const char *text, size_t length, amo_at at, const amo_expr_in *in);
amo_status amo_load_integer(amo_loader *ld, const char *text, size_t length, amo_at at, long *out);
amo_node amo_lazy_value(amo_loader *ld, amo_lazy *l);
uint32_t amo_leaf_q(const amo_loader *ld, uint32_t coord);
uint32_t amo_leaf_u(const amo_loader *ld, uint32_t coord);
uint32_t amo_leaf_acc(const amo_loader *ld, uint32_t coord);
amo_node amo_load_motion(amo_loader *ld, uint32_t coord, int primes);
/// Where the expression of element `it` under `key` stands: binds its index.
amo_expr_in amo_item_scope(const amo_item *it, const char *what, unsigned on);

// ---- declare.c ----
amo_status amo_add_decl(amo_decls *to, amo_decl d);
/// The coordinate a key element names; reports if there is none. UINT32_MAX then.
uint32_t amo_load_coordinate(amo_loader *ld, const char *base, bool indexed, long i, amo_at at);

// ---- preliminary.c ----
typedef struct amo_give_way {  // a slider without mass, at rest but for this
  amo_node drag, rate, slope;  // friction it asks for; its rate with the slider held, and by its slip
  amo_node rest;               // slip with the slider held
  uint32_t contact;            // whose preliminary displacement it is
  uint32_t mode;               // contact that sticks or slips: the same, or its element
  bool alone;                  // no other slider acts on it
} amo_give_way;
typedef struct amo_preliminary_way {
  amo_node compliance,
      speed;  // slip = compliance * d(drag)/dt + speed; compliance counts d(drag)/dt of other sliders, too
} amo_preliminary_way;
/// The name of its memory, where a contact has one; NULL else.
const char *amo_preliminary_state(const amo_decl *c);
void amo_load_preliminary(amo_loader *ld, amo_decl *c, const amo_contact *k);
amo_preliminary_way amo_preliminary(amo_loader *ld, const amo_give_way *g);
/// Those that have found no slider without mass, and no stick that gives.
void amo_preliminary_check(amo_loader *ld);

// ---- the sections ----
void amo_load_sizes(amo_loader *ld);
void amo_load_declare(amo_loader *ld);  // names of parameters .. contacts; numbers the leaves
void amo_load_parameters(amo_loader *ld);
void amo_load_prescribed(amo_loader *ld);
void amo_load_states(amo_loader *ld);
void amo_load_definitions(amo_loader *ld);
/// A record read at `of` (tables.c); NONE: something is wrong, and told.
amo_node amo_load_table(amo_loader *ld, const amo_yaml *node, amo_node of);
void amo_load_parts(amo_loader *ld);
void amo_load_springs(amo_loader *ld);
void amo_load_forces(amo_loader *ld);
void amo_load_constraints(amo_loader *ld);
void amo_load_contacts(amo_loader *ld);
void amo_load_drawings(amo_loader *ld);
void amo_load_assemble(amo_loader *ld);
void amo_load_outputs(amo_loader *ld);
void amo_load_initial(amo_loader *ld);
/// Is the model plain? Rates of loading, where laws ask for them (loading.c).
void amo_load_loading(amo_loader *ld);
void amo_load_require(amo_loader *ld);
void amo_load_programs(amo_loader *ld);
void amo_load_demands(amo_loader *ld);  // are the conditions of `require` met?
void amo_load_validate(amo_loader *ld);
void amo_load_shares(amo_loader *ld);
amo_status amo_load_check_inertia(amo_loader *ld, const double *reg);  // reg: step program at the start

// ---- parts.c ----
/// A point: the name of a part, [x, y(, z)], or {on: body, at: [a, b]}. Fills r[3] (0 where not given).
amo_status amo_load_point(amo_loader *ld, const amo_yaml *n, const amo_item *it, amo_node r[3],
                          const amo_part **part);
/// The point of a part that `at` (in the axes of a body; may be NULL) describes.
amo_status amo_load_point_on(amo_loader *ld, const amo_part *p, const amo_yaml *at, const amo_item *it,
                             amo_node r[3]);
const amo_part *amo_load_part(amo_loader *ld, const amo_yaml *n, const amo_item *it);
/// `name` or `name[i+1]`, with the index of a family worked out.
amo_status amo_load_indexed_name(amo_loader *ld, const amo_yaml *n, const char *what, const amo_item *it,
                                 char *name, size_t size);
/// A vector of 2 or 3 expressions.
amo_status amo_load_vector(amo_loader *ld, const amo_yaml *n, const amo_expr_in *in, amo_node v[3],
                           int *dims);
const amo_part *amo_find_part(amo_loader *ld, const char *name);  // NULL if there is none
amo_status amo_add_part(amo_loader *ld, const amo_part *p);
void amo_load_draw(amo_loader *ld, amo_drawn item, const char *name, const char *label);
/// A range that is to be checked when all is loaded; NULL without memory. What several members of a family share is checked once, with
/// the words of the first: whoever has long words to write asks before.
amo_check *amo_load_check(amo_loader *ld, amo_node node, amo_relation relation, amo_at at, const char *what,
                          const char *hint);
amo_check *amo_load_find_check(const amo_loader *ld, amo_node node, amo_relation relation, amo_at at);

// ---- contacts.c ----
void amo_load_draw_contact(amo_loader *ld, const amo_decl *c, const amo_yaml *slip);

// ---- elements.c ----
/// The elements of contact `number` as contacts of their own, each with its deflection as a state.
void amo_declare_elements(amo_loader *ld, size_t number);
typedef struct amo_shared_friction {  // of all elements of a contact
  amo_node friction, shares;          // along the slip, in the units of the law; sum of the shares
  amo_node attraction;                // NONE: friction of an element that slips is that of the law at once
  amo_node scale;                     // times that: friction in N
} amo_shared_friction;
/// What the elements of a contact share, as far as it is known before them.
amo_shared_friction amo_load_shares_of(amo_loader *ld, const amo_decl *c);
/// Element i of a contact: bound and kinetic of its contact are those of the law, which it takes a share of.
void amo_load_element(amo_loader *ld, const amo_decl *c, size_t i, amo_shared_friction *sum);
/// Power of elements, which do no work of their own, is taken back from what the audit adds up.
void amo_elements_work(amo_loader *ld);

// ---- points.c ----
void amo_load_points(amo_loader *ld);  // the section `points`
/// A load acts on this point, which belongs to no part: kept, if the name is free.
void amo_load_loaded(amo_loader *ld, const char *name, int dims, const amo_node r[3]);
void amo_load_materials(amo_loader *ld);  // what the finished model keeps of all parts

// ---- constraints.c ----
/// The expression that an equation says is zero: `e`, or `a - b` where it reads a = b.
amo_node amo_load_equation(amo_loader *ld, const amo_yaml *n, const amo_expr_in *in);

// ---- guides.c ----
/// The gap of a guide or support (`key`) and its derivatives; where it is geometry and no slip is given, the slip
/// too.
amo_status amo_load_guide(amo_loader *ld, amo_decl *c, const char *key, amo_contact *k);
/// Is the slip of a guide nothing but the rate of its gap (for every state)? Both rows are made.
bool amo_slip_along_normal(const amo_loader *ld, const amo_decl *c);

// ---- wires.c ----
/// Is this contact a guide along a curve in space?
bool amo_is_wire(const amo_yaml *contact);
/// Its two constraints, where it is one: contact `number`.
amo_status amo_declare_wire(amo_loader *ld, const amo_decl *c, long number);
amo_status amo_load_wire(amo_loader *ld, amo_decl *c, amo_contact *k);

// ---- joints.c ----
/// What a joint names: reactions of constraints, guides and supports, or the given normal force of a contact.
amo_status amo_load_joint(amo_loader *ld, const amo_item *it, amo_contact *k);
/// The law of a joint, read as coefficients, times its normal force.
void amo_joint_law(amo_loader *ld, amo_contact *k);

// ---- supports.c ----
/// Supports: gap >= 0, also written `a >= b`, and the coefficient of restitution.
amo_status amo_load_support(amo_loader *ld, amo_decl *c, amo_contact *k);
/// The surfaces of a support face each other only where there is room >= 0, too.
void amo_load_end(amo_loader *ld, amo_contact *k, amo_node room);
amo_status amo_load_compliance(amo_loader *ld, amo_decl *c,
                               amo_contact *k);  // stiffness and damping of a guide or support
/// Two slip velocities: their rows, and the row of the sliding speed.
amo_status amo_load_slip_pair(amo_loader *ld, amo_decl *c, const amo_yaml *slip, amo_contact *k);

// ---- assemble.c ----
/// n with prescribed coordinates replaced by their functions of time.
amo_node amo_load_sub(amo_loader *ld, amo_node n);

// ---- massless.c ----
/// The coordinate without mass that this contact rubs on; reports what cannot be.
amo_status amo_massless_of(amo_loader *ld, const amo_decl *c, const amo_contact *k, long *coordinate);
/// Velocities of coordinates without mass from the balance of forces on them.
void amo_load_massless(amo_loader *ld);
/// a x = b [n][n] in expressions, the solution in b: elimination without exchange of rows. What is not there is NONE.
void amo_eliminate(amo_dag *d, uint32_t n, amo_node *a, amo_node *b);
/// Switches whose sides may both point at them join the contacts, as the last ones.
void amo_load_switches(amo_loader *ld);

// ---- drawings.c ----
amo_status amo_assemble_schematic(amo_loader *ld);
void amo_drawings_free(amo_loader *ld);

// ---- evaluate.c ----
/// Values of expressions for given leaf values (one throw-away program).
amo_status amo_constant_values(const amo_dag *d, const amo_node *root, size_t n, const double *leaf,
                               uint32_t nleaf, double *out);

#endif
