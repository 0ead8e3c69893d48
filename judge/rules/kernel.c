/* Movement phases by numbers: positions and orders as arrays in, outcomes and positions out.

   The equations are those of judge/rules/equations.py, under the same names, for the rulebook of
   2023 and boards without rules of their own; what stands in arrays, judge/rules/kernel.py tells.
   Whatever is left out here (a convoy that decides about itself, half-strength borders, orders not
   written as the unit stands) makes a phase odd: the pure engine adjudicates it. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 256, PLACES = 256 };
enum { FAILS, SUCCEEDS, OPEN };
enum { HOLD, MOVE, VIA, SUPPORT, AID, CONVOY, IDLE, VOID };
enum { WENT, BOUNCED, DISLODGED, CUT, UNMATCHED, NO_CONVOY, DISRUPTED, OWN_UNIT, IMPOSSIBLE };
enum { AFLOAT = 1, CARRIED = 2, CARRIES = 4, SUPPORTED = 8, RETREATS = 16 };
enum { NO, YES, DOUBT };
enum { STAYS = -2, BY_SEA = -1 };

typedef struct {
    int places, locations, kinds;
    const int16_t *place;   /* of each location */
    const uint8_t *coastal; /* places */
    const int8_t *water;    /* the number of each water, -1 for other places */
    const uint64_t *near;   /* the waters that touch each place, a bit for each */
    const uint8_t *traits;  /* of each kind */
    const uint8_t *step;    /* kind, location, location: 1 where it can go, 2 across a weak border */
    const uint8_t *reach;   /* kind, location, place: whether it can support there */
    const int32_t *first;   /* kind, location: where its exits begin */
    const int16_t *exits;   /* locations, in alphabetical order of their names */
    uint8_t port[64];       /* the place of each water */
} Board;

typedef struct {
    const Board *board;
    int count, odd, open, crowds;
    uint64_t sea, asked;
    int unit[UNITS], column[UNITS];
    int16_t where[UNITS], owner[UNITS], kind[UNITS];
    int16_t dest[UNITS], to[UNITS], aim[UNITS];
    uint8_t order[UNITS], sails[UNITS], outcome[UNITS];
    uint8_t state[2 * UNITS]; /* MOVE or SUPPORT of u, CARRY of u at UNITS + u */
    uint8_t number[2 * UNITS];
    int16_t list[2 * UNITS];
    /* Chains of units, -1 at their ends: who arrives at a place, supports a unit, carries it. */
    int16_t at[PLACES], arriving[PLACES], crowd[PLACES], entered[PLACES];
    int16_t crowded[PLACES];
    int16_t rival[UNITS], helpers[UNITS], helper[UNITS], fleets[UNITS], fleet[UNITS];
} Phase;

/* -- waters -- */

static uint64_t around(const Board *b, uint64_t waters)
{
    uint64_t found = 0;
    for (; waters; waters &= waters - 1)
        found |= b->near[b->port[__builtin_ctzll(waters)]];
    return found;
}

static uint64_t flood(const Board *b, uint64_t waters, uint64_t open)
{
    uint64_t reached = waters, ahead = waters;
    while (ahead) {
        ahead = around(b, ahead) & open & ~reached;
        reached |= ahead;
    }
    return reached;
}

static int linked(const Board *b, int start, int end, uint64_t fleets)
{
    uint64_t starts = b->near[start] & fleets, ends = b->near[end] & fleets;
    if ((starts & ends) || !starts || !ends)
        return (starts & ends) != 0;
    return (flood(b, starts, fleets) & ends) != 0;
}

/* A shortest way from a water to one of `goal`, itself not counted; 0 if there is none. */
static uint64_t way(const Board *b, uint64_t here, uint64_t goal, uint64_t open)
{
    uint64_t layers[65], ahead = here, found, step;
    int depth = 0;
    for (;;) {
        ahead = around(b, ahead) & open;
        if (!ahead)
            return 0;
        if (ahead & goal)
            break;
        layers[depth++] = ahead;
        open &= ~ahead;
    }
    ahead &= goal;
    found = step = ahead & -ahead;
    while (depth--) {
        ahead = around(b, step) & layers[depth];
        step = ahead & -ahead;
        found |= step;
    }
    return found;
}

/* Whether some route from coast to coast needs the fleet in a water (convoy_routes.needed). */
static int needed(const Board *b, int water, int start, int end, uint64_t fleets)
{
    uint64_t here = 1ULL << b->water[water];
    uint64_t starts = b->near[start] & fleets, ends = b->near[end] & fleets, part, open, back;
    if (here & starts & ends)
        return YES;
    part = flood(b, here, fleets);
    starts &= part;
    ends &= part;
    if (!starts || !ends)
        return NO;
    open = part & ~here;
    if (here & starts)
        return way(b, here, ends, open & ~starts) ? YES : NO;
    if (here & ends)
        return way(b, here, starts, open & ~ends) ? YES : NO;
    for (int turn = 0; turn < 2; turn++) {
        back = way(b, here, starts, open & ~ends);
        if (!back)
            return NO;
        if (way(b, here, ends, open & ~starts & ~around(b, back) & ~back))
            return YES;
        part = starts, starts = ends, ends = part;
    }
    return DOUBT;
}

/* -- the equations -- */

typedef struct {
    int low, high;
} Range;

static int ask(Phase *p, int d)
{
    if (p->state[d] == OPEN)
        p->asked |= 1ULL << p->number[d];
    return p->state[d];
}

static int path(Phase *p, int army)
{
    uint64_t sure = 0, hoped = 0, bit;
    const Board *b = p->board;
    for (int f = p->fleets[army]; f >= 0; f = p->fleet[f]) {
        bit = 1ULL << b->water[p->where[f]];
        switch (ask(p, UNITS + f)) {
        case SUCCEEDS:
            sure |= bit;
            break;
        case OPEN:
            hoped |= bit;
        }
    }
    if (linked(b, p->where[army], p->dest[army], sure))
        return SUCCEEDS;
    return hoped && linked(b, p->where[army], p->dest[army], sure | hoped) ? OPEN
                                                                                           : FAILS;
}

static Range supported(Phase *p, int u, int foe)
{
    Range found = {1, 1};
    for (int s = p->helpers[u]; s >= 0; s = p->helper[s]) {
        if (p->owner[s] == foe)
            continue;
        int given = ask(p, s);
        found.low += given == SUCCEEDS;
        found.high += given != FAILS;
    }
    return found;
}

static int head_on(const Phase *p, int u, int facing)
{
    return p->dest[facing] == p->where[u] && !p->sails[u] && !p->sails[facing];
}

static Range prevents(Phase *p, int rival, int facing, int leaves)
{
    static const Range nothing = {-1, -1};
    Range found = supported(p, rival, -1);
    if (p->sails[rival]) {
        int open = path(p, rival);
        if (open == FAILS)
            return nothing;
        if (open == OPEN)
            found.low = -1;
    }
    if (leaves == SUCCEEDS && facing >= 0 && head_on(p, rival, facing))
        return nothing;
    return found;
}

static int outcome(Phase *p, int u, int facing, int leaves, int met)
{
    if (leaves == OPEN) {
        int gone = outcome(p, u, facing, SUCCEEDS, met), stayed = outcome(p, u, facing, FAILS, met);
        return gone == stayed ? gone : OPEN;
    }
    int alone = p->crowd[p->dest[u]] == 1;
    Range own, against = {-1, -1};
    if (leaves == SUCCEEDS) {
        if (alone)
            return SUCCEEDS;
        own = supported(p, u, -1);
    } else {
        if (p->owner[facing] == p->owner[u])
            return FAILS;
        own = supported(p, u, p->owner[facing]);
        if (met || p->dest[facing] < 0)
            against = supported(p, facing, -1);
        else
            against.low = against.high = 1;
    }
    if (own.high <= against.low)
        return FAILS;
    if (!alone)
        for (int r = p->arriving[p->dest[u]]; r >= 0; r = p->rival[r]) {
            if (r == u)
                continue;
            Range other = prevents(p, r, facing, leaves);
            if (other.low > against.low) {
                if (own.high <= other.low)
                    return FAILS;
                against.low = other.low;
            }
            if (other.high > against.high)
                against.high = other.high;
        }
    return own.low > against.high ? SUCCEEDS : OPEN;
}

static int arrives(Phase *p, int u)
{
    int open = SUCCEEDS, found, facing = p->at[p->dest[u]];
    if (p->sails[u] && (open = path(p, u)) == FAILS)
        return FAILS;
    if (facing < 0)
        found = outcome(p, u, facing, SUCCEEDS, 0);
    else if (p->dest[facing] < 0)
        found = outcome(p, u, facing, FAILS, 0);
    else if (head_on(p, u, facing))
        found = outcome(p, u, facing, FAILS, 1);
    else
        found = outcome(p, u, facing, ask(p, facing), 0);
    return open == OPEN && found == SUCCEEDS ? OPEN : found;
}

static int cuts(Phase *p, int s, int a)
{
    int open, landing;
    if (!p->sails[a])
        return p->where[a] != p->aim[s] ? SUCCEEDS : ask(p, a);
    open = path(p, a);
    if (open == FAILS)
        return FAILS;
    landing = p->where[a] != p->aim[s] ? SUCCEEDS : ask(p, a);
    return open == SUCCEEDS || landing == FAILS ? landing : OPEN;
}

static int given(Phase *p, int s)
{
    int found = SUCCEEDS;
    for (int a = p->arriving[p->where[s]]; a >= 0; a = p->rival[a]) {
        if (p->owner[a] == p->owner[s])
            continue;
        int cut = cuts(p, s, a);
        if (cut == SUCCEEDS)
            return FAILS;
        if (cut == OPEN)
            found = OPEN;
    }
    return found;
}

static int stands(Phase *p, int fleet)
{
    int found = SUCCEEDS;
    for (int a = p->arriving[p->where[fleet]]; a >= 0; a = p->rival[a]) {
        int enters = ask(p, a);
        if (enters == SUCCEEDS)
            return FAILS;
        if (enters == OPEN)
            found = OPEN;
    }
    return found;
}

static int work_out(Phase *p, int d)
{
    if (d >= UNITS)
        return stands(p, d - UNITS);
    return p->dest[d] >= 0 ? arrives(p, d) : given(p, d);
}

/* Decide on the open decisions that wait for each other and for nothing else: a circular movement,
   all of which succeeds. With a convoy in it the phase is odd. */
static void untangle(Phase *p)
{
    uint64_t needs[64], core = ~0ULL;
    int n = p->open;
    if (n > 64) {
        p->odd = 1;
        return;
    }
    for (int i = 0; i < n; i++)
        p->number[p->list[i]] = (uint8_t)i;
    for (int i = 0; i < n; i++) {
        p->asked = 0;
        work_out(p, p->list[i]);
        needs[i] = p->asked;
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (needs[i] >> k & 1)
                needs[i] |= needs[k];
    for (int i = 0; i < n; i++)
        if (__builtin_popcountll(needs[i]) < __builtin_popcountll(core))
            core = needs[i];
    if (!core || core == ~0ULL)
        p->odd = 1;
    for (; core && !p->odd; core &= core - 1) {
        int d = p->list[__builtin_ctzll(core)];
        if (d >= UNITS)
            p->odd = 1;
        p->state[d] = SUCCEEDS;
    }
}

static void resolve(Phase *p)
{
    while (p->open && !p->odd) {
        int left = 0, before = p->open;
        for (int i = 0; i < before; i++) {
            int d = p->list[i];
            if (p->state[d] == OPEN && (p->state[d] = (uint8_t)work_out(p, d)) == OPEN)
                p->list[left++] = (int16_t)d;
        }
        p->open = left;
        if (left == before)
            untangle(p);
    }
}

/* -- from numbers to what the equations are about -- */

static void stay(Phase *p, int u, int why)
{
    p->outcome[u] = (uint8_t)why;
    p->order[u] = IDLE;
    p->dest[u] = -1;
}

static int exit_to(const Board *b, int kind, int location, int to)
{
    int here = kind * b->locations + location;
    for (int i = b->first[here]; i < b->first[here + 1]; i++)
        if (b->exits[i] == to || b->place[b->exits[i]] == to)
            return 1;
    return 0;
}

static void read_units(Phase *p, const int32_t *units, int width)
{
    const Board *b = p->board;
    memset(p->at, -1, sizeof(int16_t) * (size_t)b->places);
    memset(p->arriving, -1, sizeof(int16_t) * (size_t)b->places);
    memset(p->entered, -1, sizeof(int16_t) * (size_t)b->places);
    memset(p->crowd, 0, sizeof(int16_t) * (size_t)b->places);
    p->count = p->odd = p->open = p->crowds = 0;
    p->sea = 0;
    for (int column = 0; column < width; column++) {
        int unit = units[column], u = p->count, location = unit & 1023, kind = unit >> 10 & 15;
        if (unit < 0)
            continue;
        if (u == UNITS || location >= b->locations || kind >= b->kinds ||
            p->at[b->place[location]] >= 0) {
            p->odd = 1;
            return;
        }
        p->unit[u] = unit;
        p->column[u] = column;
        p->kind[u] = (int16_t)kind;
        p->owner[u] = (int16_t)(unit >> 14);
        p->where[u] = b->place[location];
        p->at[p->where[u]] = (int16_t)u;
        p->dest[u] = p->to[u] = p->aim[u] = -1;
        p->helpers[u] = p->fleets[u] = -1;
        p->sails[u] = p->outcome[u] = 0;
        p->state[u] = p->state[UNITS + u] = OPEN;
        if (b->traits[kind] & CARRIES && b->water[p->where[u]] >= 0)
            p->sea |= 1ULL << b->water[p->where[u]];
        p->count++;
    }
}

static void read_move(Phase *p, int u, int to)
{
    const Board *b = p->board;
    int kind = p->kind[u], here = p->where[u], goal = b->place[to];
    int near = b->step[(kind * b->locations + (p->unit[u] & 1023)) * b->locations + to];
    int may_sail = b->traits[kind] & CARRIED && to < b->places && b->coastal[here] &&
                   b->coastal[goal] && here != goal;
    if (near == 2 || (!near && !may_sail) || (p->order[u] == VIA && !may_sail)) {
        p->odd = 1;
        return;
    }
    p->to[u] = (int16_t)to;
    p->dest[u] = (int16_t)goal;
    if (!near || p->order[u] == VIA) {
        if (!linked(b, here, goal, p->sea)) {
            stay(p, u, IMPOSSIBLE);
            return;
        }
        p->sails[u] = 1;
    }
    p->order[u] = MOVE;
}

static void read_convoy(Phase *p, int u, int order)
{
    const Board *b = p->board;
    int what = order >> 3 & 16383, to = order >> 17 & 1023;
    int at = b->place[what & 1023], army = p->at[at], found;
    if (army < 0) {
        stay(p, u, IMPOSSIBLE);
        return;
    }
    if ((p->unit[army] & 16383) != what || to >= b->places || at == to || !b->coastal[at] ||
        !b->coastal[to] || !(b->traits[p->kind[u]] & CARRIES) || b->water[p->where[u]] < 0) {
        p->odd = 1;
        return;
    }
    found = NO;
    if (b->traits[p->kind[army]] & CARRIED)
        found = needed(b, p->where[u], at, to, p->sea);
    if (found == DOUBT)
        p->odd = 1;
    else if (found == NO)
        stay(p, u, IMPOSSIBLE);
    else if (p->dest[army] != to)
        stay(p, u, UNMATCHED);
    else {
        p->fleet[u] = p->fleets[army];
        p->fleets[army] = (int16_t)u;
        if (p->owner[u] == p->owner[army])
            p->sails[army] = 1;
    }
}

static void read_support(Phase *p, int u, int order)
{
    const Board *b = p->board;
    int what = order >> 3 & 16383, to = order >> 17 & 1023;
    int at = b->place[what & 1023], target = p->at[at], goal, kind, location = p->unit[u] & 1023;
    int aids = p->order[u] == AID, fits;
    if (target < 0) {
        stay(p, u, IMPOSSIBLE);
        return;
    }
    kind = p->kind[target];
    goal = aids ? b->place[to] : at;
    if ((p->unit[target] & 16383) != what || target == u || !(b->traits[kind] & SUPPORTED) ||
        !b->reach[(p->kind[u] * b->locations + location) * b->places + goal] ||
        (aids && goal == at)) {
        p->odd = 1;
        return;
    }
    if (!aids) {
        fits = p->dest[target] < 0;
    } else {
        if (!exit_to(b, kind, what & 1023, to)) {
            uint64_t without = p->sea;
            if (!(b->traits[kind] & CARRIED) || to >= b->places || !b->coastal[at] ||
                !b->coastal[to]) {
                p->odd = 1;
                return;
            }
            if (b->water[p->where[u]] >= 0)
                without &= ~(1ULL << b->water[p->where[u]]);
            if (!linked(b, at, to, without)) {
                stay(p, u, IMPOSSIBLE);
                return;
            }
        } else if (to >= b->places && !(b->traits[kind] & AFLOAT)) {
            p->odd = 1;
            return;
        }
        fits = p->dest[target] == goal && (p->to[target] == to || to < b->places);
    }
    if (!fits) {
        stay(p, u, UNMATCHED);
        return;
    }
    p->aim[u] = (int16_t)goal;
    p->helper[u] = p->helpers[target];
    p->helpers[target] = (int16_t)u;
    p->list[p->open++] = (int16_t)u;
}

static void read_orders(Phase *p, const int32_t *orders)
{
    const Board *b = p->board;
    int other = 0;
    for (int u = 0; u < p->count; u++) {
        int order = orders[p->column[u]], to = order >> 17 & 1023;
        int kind = order < 0 ? HOLD : order & 7;
        p->order[u] = (uint8_t)kind;
        if (kind == HOLD)
            continue;
        if (to >= b->locations || (order >> 3 & 1023) >= b->locations)
            p->odd = 1;
        else if (kind == MOVE || kind == VIA)
            read_move(p, u, to);
        else if (kind == VOID)
            stay(p, u, IMPOSSIBLE);
        else
            other = 1;
        if (p->odd)
            return;
    }
    if (other)
        for (int u = 0; u < p->count && !p->odd; u++)
            if (p->order[u] == CONVOY)
                read_convoy(p, u, orders[p->column[u]]);
    for (int u = 0; u < p->count; u++)
        if (p->dest[u] >= 0) {
            p->rival[u] = p->arriving[p->dest[u]];
            p->arriving[p->dest[u]] = (int16_t)u;
            if (++p->crowd[p->dest[u]] == 2)
                p->crowded[p->crowds++] = p->dest[u];
        }
    if (other)
        for (int u = 0; u < p->count && !p->odd; u++)
            if (p->order[u] == SUPPORT || p->order[u] == AID)
                read_support(p, u, orders[p->column[u]]);
    for (int u = 0; u < p->count; u++)
        if (p->dest[u] >= 0)
            p->list[p->open++] = (int16_t)u;
        else if (p->order[u] == CONVOY)
            p->list[p->open++] = (int16_t)(UNITS + u);
}

/* -- what came of it -- */

static int moved(const Phase *p, int u)
{
    return p->dest[u] >= 0 && p->state[u] == SUCCEEDS;
}

/* The strength that a move of u had to beat (equations.blocker). */
static int blocked_by(Phase *p, int u)
{
    int most = -1, facing = p->at[p->dest[u]];
    if (facing >= 0) {
        if (p->dest[facing] < 0 || head_on(p, u, facing))
            most = supported(p, facing, -1).low;
        else
            most = p->state[facing] == SUCCEEDS ? -1 : 1;
    }
    for (int r = p->arriving[p->dest[u]]; r >= 0; r = p->rival[r])
        if (r != u) {
            int leaves = facing >= 0 && p->state[facing] != SUCCEEDS ? FAILS : SUCCEEDS;
            int other = prevents(p, r, facing, leaves).low;
            if (other > most)
                most = other;
        }
    return most;
}

static int why_not_moved(Phase *p, int u)
{
    const Board *b = p->board;
    int facing = p->at[p->dest[u]];
    if (p->sails[u] && path(p, u) != SUCCEEDS) {
        uint64_t fleets = 0;
        for (int f = p->fleets[u]; f >= 0; f = p->fleet[f])
            fleets |= 1ULL << b->water[p->where[f]];
        return linked(b, p->where[u], p->dest[u], fleets) ? DISRUPTED : NO_CONVOY;
    }
    if (facing < 0 || p->owner[facing] != p->owner[u] || p->helpers[u] < 0 || moved(p, facing))
        return BOUNCED;
    return supported(p, u, -1).low > blocked_by(p, u) ? OWN_UNIT : BOUNCED;
}

static int stood_off(Phase *p, int place)
{
    int occupant = p->at[place], rivals = 0;
    if (p->entered[place] >= 0 || (occupant >= 0 && !moved(p, occupant)))
        return 0;
    for (int r = p->arriving[place]; r >= 0; r = p->rival[r])
        rivals += prevents(p, r, occupant, SUCCEEDS).low > 0;
    return rivals > 1;
}

typedef struct {
    int32_t *values;
    size_t count, room;
} Rows;

static int append(Rows *rows, int first, int second, int third)
{
    if (rows->count + 3 > rows->room) {
        size_t room = rows->room ? 2 * rows->room : 768;
        int32_t *larger = realloc(rows->values, room * sizeof(int32_t));
        if (!larger)
            return 0;
        rows->values = larger;
        rows->room = room;
    }
    rows->values[rows->count++] = first;
    rows->values[rows->count++] = second;
    if (third >= 0)
        rows->values[rows->count++] = third;
    return 1;
}

static int write_down(Phase *p, int number, int8_t *outcomes, int32_t *after, int32_t *attackers,
                      Rows *standoffs, Rows *retreats)
{
    const Board *b = p->board;
    uint8_t barred[PLACES];
    int driven = 0;
    for (int u = 0; u < p->count; u++) {
        after[p->column[u]] = p->unit[u];
        if (moved(p, u)) {
            p->entered[p->dest[u]] = (int16_t)u;
            after[p->column[u]] = (p->unit[u] & ~1023) | p->to[u];
        }
    }
    memset(barred, 0, sizeof barred);
    for (int i = 0; i < p->crowds; i++)
        if (stood_off(p, p->crowded[i])) {
            barred[p->crowded[i]] = 1;
            if (!append(standoffs, number, p->crowded[i], -1))
                return 0;
        }
    for (int u = 0; u < p->count; u++) {
        int out = !moved(p, u) && p->entered[p->where[u]] >= 0, why = p->outcome[u];
        if (p->dest[u] >= 0)
            why = p->state[u] == SUCCEEDS ? WENT : why_not_moved(p, u);
        else if (p->aim[u] >= 0 && p->state[u] != SUCCEEDS)
            why = out ? DISLODGED : CUT;
        else if (out && p->aim[u] < 0 && !why)
            why = DISLODGED;
        outcomes[p->column[u]] = (int8_t)why;
        driven += out;
    }
    for (int u = 0; driven && u < p->count; u++) {
        int attacker = p->entered[p->where[u]], column = p->column[u], here;
        if (moved(p, u) || attacker < 0)
            continue;
        int origin = p->sails[attacker] ? BY_SEA : p->where[attacker];
        after[column] = -1;
        attackers[column] = origin;
        here = p->kind[u] * b->locations + (p->unit[u] & 1023);
        if (!(b->traits[p->kind[u]] & RETREATS))
            continue;
        for (int i = b->first[here]; i < b->first[here + 1]; i++) {
            int place = b->place[b->exits[i]];
            if (p->entered[place] >= 0 || place == origin || barred[place] ||
                (p->at[place] >= 0 && !moved(p, p->at[place])))
                continue;
            if (!append(retreats, number, column, b->exits[i]))
                return 0;
        }
    }
    return 1;
}

/* -- the door -- */

static const char *const MOVEMENTS =
    "movements(board, width, units, orders, outcomes, after, attackers, odd) -> (standoffs, retreats)";

static PyObject *movements(PyObject *module, PyObject *arguments)
{
    Board b;
    PyObject *table[9], *answer = NULL;
    Py_buffer in[2], out[4];
    Rows standoffs = {0}, retreats = {0};
    int width, fine = 1;
    Py_ssize_t count;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(iiiSSSSSSSSS)iy*y*w*w*w*w*", &b.places, &b.locations, &b.kinds,
                          &table[0], &table[1], &table[2], &table[3], &table[4], &table[5],
                          &table[6], &table[7], &table[8], &width, &in[0], &in[1], &out[0],
                          &out[1], &out[2], &out[3]))
        return NULL;
    b.place = (const void *)PyBytes_AsString(table[0]);
    b.coastal = (const void *)PyBytes_AsString(table[1]);
    b.water = (const void *)PyBytes_AsString(table[2]);
    b.near = (const void *)PyBytes_AsString(table[3]);
    b.traits = (const void *)PyBytes_AsString(table[4]);
    b.step = (const void *)PyBytes_AsString(table[5]);
    b.reach = (const void *)PyBytes_AsString(table[6]);
    b.first = (const void *)PyBytes_AsString(table[7]);
    b.exits = (const void *)PyBytes_AsString(table[8]);
    count = out[3].len;
    if (width < 1 || b.places > PLACES || in[0].len != count * width * 4 ||
        in[1].len != in[0].len || out[0].len != count * width || out[1].len != in[0].len ||
        out[2].len != in[0].len) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not have the same number of rows");
    } else {
        Py_BEGIN_ALLOW_THREADS
        Phase p;
        p.board = &b;
        p.asked = 0;
        memset(p.number, 0, sizeof p.number);
        for (int place = 0; place < b.places; place++)
            if (b.water[place] >= 0)
                b.port[b.water[place]] = (uint8_t)place;
        memset(out[0].buf, -1, (size_t)out[0].len);
        memset(out[1].buf, -1, (size_t)out[1].len);
        for (Py_ssize_t i = 0; i < count * width; i++)
            ((int32_t *)out[2].buf)[i] = STAYS;
        for (Py_ssize_t i = 0; i < count && fine; i++) {
            Py_ssize_t row = i * width;
            read_units(&p, (const int32_t *)in[0].buf + row, width);
            if (!p.odd)
                read_orders(&p, (const int32_t *)in[1].buf + row);
            if (!p.odd)
                resolve(&p);
            ((int8_t *)out[3].buf)[i] = (int8_t)p.odd;
            if (!p.odd)
                fine = write_down(&p, (int)i, (int8_t *)out[0].buf + row, (int32_t *)out[1].buf + row,
                                  (int32_t *)out[2].buf + row, &standoffs, &retreats);
        }
        Py_END_ALLOW_THREADS
        if (fine)
            answer = Py_BuildValue("y#y#", standoffs.count ? (const char *)standoffs.values : "",
                                   (Py_ssize_t)(standoffs.count * sizeof(int32_t)),
                                   retreats.count ? (const char *)retreats.values : "",
                                   (Py_ssize_t)(retreats.count * sizeof(int32_t)));
        else
            PyErr_NoMemory();
    }
    free(standoffs.values);
    free(retreats.values);
    for (int i = 0; i < 2; i++)
        PyBuffer_Release(&in[i]);
    for (int i = 0; i < 4; i++)
        PyBuffer_Release(&out[i]);
    return answer;
}

static PyMethodDef functions[] = {{"movements", movements, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "Movement phases by numbers.", 0, functions, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel(void)
{
    functions[0].ml_doc = MOVEMENTS;
    return PyModuleDef_Init(&definition);
}
