/* A counting stack for generated adjoints: values go up and down, and every push is counted at its site. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 4096, ENTRIES = 1 << 20, REPEATS = 64 };
typedef struct { void *bytes; int size, counted; } Entry;

static Entry stack[ENTRIES];
static int top, site, repeats[REPEATS], depth;
static long height, peak, total[SITES];
static char is_control[SITES];
static long actions[8];

static void fail(const char *why) { fprintf(stderr, "adstack: %s\n", why); exit(3); }

static void push(const void *from, int size, int control) {
    if (top == ENTRIES) fail("too high");
    int counted = control || is_control[site] ? 0 : size;
    stack[top].bytes = malloc(size + 1);
    memcpy(stack[top].bytes, from, size);
    stack[top].size = size;
    stack[top++].counted = counted;
    total[site] += counted;
    height += counted;
    if (height > peak) peak = height;
    site = 0;
}

static void pop(void *to, int size) {
    if (!top) fail("empty");
    Entry *one = &stack[--top];
    if (one->size != size) fail("another size");
    memcpy(to, one->bytes, size);
    height -= one->counted;
    if (!depth) free(one->bytes);
}

void adsite_(int *number, int *control) { site = *number; is_control[site] = *control; }

void adaction_(int *kind) { actions[*kind & 7]++; }

void adstack_startrepeat_(void) { if (depth == REPEATS) fail("too deep"); repeats[depth++] = top; }
void adstack_resetrepeat_(void) {
    for (int i = top; i < repeats[depth - 1]; i++) height += stack[i].counted;
    top = repeats[depth - 1];
}
void adstack_endrepeat_(void) { depth--; }

void adreport_(void) {
    printf("peak %ld\n", peak);
    for (int i = 0; i < 8; i++) if (actions[i]) printf("action %d %ld\n", i, actions[i]);
    for (int i = 0; i < SITES; i++) if (total[i]) printf("site %d %ld\n", i, total[i]);
}

#define VALUES(NAME, TYPE) \
    void push##NAME##_(TYPE *p) { push(p, sizeof *p, 0); } \
    void pop##NAME##_(TYPE *p) { pop(p, sizeof *p); } \
    void push##NAME##array_(TYPE *p, int *n) { push(p, *n * (int)sizeof *p, 0); } \
    void pop##NAME##array_(TYPE *p, int *n) { pop(p, *n * (int)sizeof *p); }
VALUES(real8, double)
VALUES(real4, float)
VALUES(integer4, int)
VALUES(integer8, long)
VALUES(boolean, int)
VALUES(complex16, double _Complex)
VALUES(character, char)
VALUES(pointer8, void *)

#define CONTROL(BITS) \
    void pushcontrol##BITS##b_(int *p) { push(p, sizeof *p, 1); } \
    void popcontrol##BITS##b_(int *p) { pop(p, sizeof *p); }
CONTROL(1) CONTROL(2) CONTROL(3) CONTROL(4) CONTROL(5) CONTROL(6) CONTROL(7) CONTROL(8)
