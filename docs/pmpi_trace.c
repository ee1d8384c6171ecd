/* A real run's messages, for `snapset messages --messages trace.jsonl`:
 *
 *     mpicc -shared -fPIC -o libtrace.so pmpi_trace.c
 *     SNAPSET_TRACE=trace.jsonl mpiexec -n 4 env LD_PRELOAD=./libtrace.so ./model
 *
 * Each rank writes trace.jsonl.RANK, a JSON object a line: rank, seq (the order on that rank), call (isend, wait-recv
 * ...: a blocking call is a start and a completion), peer (of MPI_COMM_WORLD; of a collective the first member), tag,
 * communicator, bytes, request (the seq of the start). The program marks a checkpointed part as the report names it:
 * `call mpi_pcontrol(23)` where model@23 begins, `call mpi_pcontrol(-23)` behind it; 1, 0 and -1 mean nothing here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { MPI_Request handle; long seq; int kind, peer, tag, persistent, used; MPI_Comm comm; int bytes; } Open;
enum { RECV, SEND, ALL, MOST = 1 << 14 };
static const char *STARTS[] = {"irecv", "isend", "icollective"};
static const char *ENDS[] = {"wait-recv", "wait-send", "wait-collective"};
static Open open_[MOST];
static FILE *out;
static int me = -1, number_, made, inside, said;
static long seq;
/* mpi_f08 calls PMPI_Wait and its like: both names are caught. `inside`: what the library itself calls is left out. */
static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    return found ? found : (fprintf(stderr, "snapset trace: no %s: link dynamically\n", name), abort(), NULL); }
#define BOTH_(F, ARGS) int PMPI_##F ARGS __attribute__((alias("MPI_" #F))); int MPI_##F ARGS
#define BOTH(F, ...) BOTH_(F, (__VA_ARGS__))
#define CALL(F, GIVEN) ({ inside++; int e_ = ((__typeof__(&MPI_##F))real("PMPI_" #F)) GIVEN; inside--; e_; })
static int begin(int e) {
    const char *name = getenv("SNAPSET_TRACE");
    char path[4096];
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &number_, NULL);
    snprintf(path, sizeof path, "%s.%d", name ? name : "trace.jsonl", me);
    if (!(out = fopen(path, "w"))) { perror(path); PMPI_Abort(MPI_COMM_WORLD, 1); }
    return e; }
static int world_rank(MPI_Comm comm, int rank) {
    MPI_Group ours, all; int found = rank;
    if (comm == MPI_COMM_WORLD || rank < 0) return rank;
    PMPI_Comm_group(comm, &ours), PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(ours, 1, &rank, all, &found);
    return PMPI_Group_free(&ours), PMPI_Group_free(&all), found; }
/* Handles are each rank's own: the first member of a new communicator gives it a number that all its members know. */
static int named(int e, MPI_Comm comm) {
    int own[1] = {1000 * (me + 1) + ++made};
    if (comm == MPI_COMM_NULL) return e;
    CALL(Bcast, (own, 1, MPI_INT, 0, comm));
    return PMPI_Comm_set_attr(comm, number_, (void *)(long)own[0]), e; }
static int number(MPI_Comm comm) {
    void *found; int known = 0;
    if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) PMPI_Comm_get_attr(comm, number_, &found, &known);
    return known ? (int)(long)found : comm == MPI_COMM_SELF ? -1 - me : (int)PMPI_Comm_c2f(comm); }
static int size_of(int count, MPI_Datatype type) {
    int size = 0;
    return PMPI_Type_size(type, &size), count * size; }
static long line(const char *call, int peer, int tag, MPI_Comm comm, int bytes, long request) {
    if (!out || inside || peer == MPI_PROC_NULL) return -1;
    fprintf(out, "{\"rank\": %d, \"seq\": %ld, \"call\": \"%s\", \"peer\": %d, \"tag\": %d, \"communicator\": %d, "
            "\"bytes\": %d, \"request\": %ld}\n", me, seq, call, world_rank(comm, peer), tag, number(comm), bytes,
            request < 0 ? seq : request);
    return said += *call != 'b' && strcmp(call, "end"), seq++; }
static Open start(int kind, int peer, int tag, MPI_Comm comm, int bytes) {
    long now = line(STARTS[kind], peer, tag, comm, bytes, -1);
    return (Open){MPI_REQUEST_NULL, now, kind, peer, tag, 0, 1, comm, bytes}; }
static void keep(MPI_Request handle, Open one) {
    if (handle == MPI_REQUEST_NULL || one.peer == MPI_PROC_NULL) return;
    one.handle = handle;
    for (int k = 0; k < MOST; k++)
        if (!open_[k].used) { open_[k] = one; return; }
    fprintf(stderr, "snapset trace: too many requests\n"), PMPI_Abort(MPI_COMM_WORLD, 1); }
static void prepared(MPI_Request handle, int kind, int peer, int tag, MPI_Comm comm, int bytes) {
    keep(handle, (Open){handle, -1, kind, peer, tag, 1, 1, comm, bytes}); }
static Open *find(MPI_Request handle) {
    for (int k = 0; handle != MPI_REQUEST_NULL && k < MOST; k++)
        if (open_[k].used && open_[k].handle == handle) return &open_[k];
    return NULL; }
static void end(Open one, MPI_Status *status) {
    int count = one.bytes;
    if (one.seq < 0) return;
    if (one.kind == RECV) {
        PMPI_Get_count(status, MPI_BYTE, &count);
        one.peer = status->MPI_SOURCE, one.tag = status->MPI_TAG;
    }
    line(ENDS[one.kind], one.peer, one.tag, one.comm, count, one.seq); }
static void ended(MPI_Request handle, MPI_Status *status) {
    Open *found = find(handle);
    if (!found) return;
    end(*found, status);
    if (found->persistent) found->seq = -1; else found->used = 0; }
BOTH(Init, int *argc, char ***argv) { return begin(CALL(Init, (argc, argv))); }
BOTH(Init_thread, int *c, char ***v, int want, int *got) { return begin(CALL(Init_thread, (c, v, want, got))); }
BOTH(Finalize, void) {
    if (out && !said) fprintf(stderr, "snapset trace: rank %d has called nothing that is recorded\n", me);
    if (out) fclose(out);
    return out = NULL, CALL(Finalize, ()); }
BOTH(Pcontrol, const int level, ...) {
    if (abs(level) > 1) line(level > 0 ? "begin" : "end", abs(level), 0, MPI_COMM_WORLD, 0, -1);
    return MPI_SUCCESS; }
#define TO const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c
#define SENDS(NAME, STARTED, INIT) \
BOTH(NAME, TO) { \
    Open one = start(SEND, to, tag, c, size_of(n, t)); \
    int e = CALL(NAME, (b, n, t, to, tag, c)); return end(one, NULL), e; } \
BOTH(STARTED, TO, MPI_Request *r) { \
    Open one = start(SEND, to, tag, c, size_of(n, t)); \
    int e = CALL(STARTED, (b, n, t, to, tag, c, r)); return keep(*r, one), e; } \
BOTH(INIT, TO, MPI_Request *r) { \
    int e = CALL(INIT, (b, n, t, to, tag, c, r)); return prepared(*r, SEND, to, tag, c, size_of(n, t)), e; }
SENDS(Send, Isend, Send_init) SENDS(Ssend, Issend, Ssend_init)
SENDS(Bsend, Ibsend, Bsend_init) SENDS(Rsend, Irsend, Rsend_init)
#define FROM void *b, int n, MPI_Datatype t, int s, int tag, MPI_Comm c
BOTH(Irecv, FROM, MPI_Request *r) {
    Open one = start(RECV, s, tag, c, size_of(n, t));
    int e = CALL(Irecv, (b, n, t, s, tag, c, r)); return keep(*r, one), e; }
BOTH(Recv_init, FROM, MPI_Request *r) {
    int e = CALL(Recv_init, (b, n, t, s, tag, c, r)); return prepared(*r, RECV, s, tag, c, size_of(n, t)), e; }
BOTH(Recv, FROM, MPI_Status *status) {
    MPI_Status own;
    Open one = start(RECV, s, tag, c, size_of(n, t));
    if (status == MPI_STATUS_IGNORE) status = &own;
    int e = CALL(Recv, (b, n, t, s, tag, c, status));
    return end(one, status), e; }
BOTH(Sendrecv, const void *b, int n, MPI_Datatype t, int to, int tag, void *rb, int rn, MPI_Datatype rt, int s,
                 int rtag, MPI_Comm c, MPI_Status *status) {
    MPI_Status own;
    Open gone = start(SEND, to, tag, c, size_of(n, t)), come = start(RECV, s, rtag, c, size_of(rn, rt));
    if (status == MPI_STATUS_IGNORE) status = &own;
    int e = CALL(Sendrecv, (b, n, t, to, tag, rb, rn, rt, s, rtag, c, status));
    return end(come, status), end(gone, NULL), e; }
BOTH(Sendrecv_replace, void *b, int n, MPI_Datatype t, int to, int tag, int s, int rtag, MPI_Comm c, MPI_Status *st) {
    MPI_Status own;
    Open gone = start(SEND, to, tag, c, size_of(n, t)), come = start(RECV, s, rtag, c, size_of(n, t));
    if (st == MPI_STATUS_IGNORE) st = &own;
    int e = CALL(Sendrecv_replace, (b, n, t, to, tag, s, rtag, c, st));
    return end(come, st), end(gone, NULL), e; }
static void started(MPI_Request handle) {
    Open *one = find(handle);
    if (one) one->seq = line(STARTS[one->kind], one->peer, one->tag, one->comm, one->bytes, -1); }
BOTH(Start, MPI_Request *r) { started(*r); return CALL(Start, (r)); }
BOTH(Startall, int n, MPI_Request *r) { for (int k = 0; k < n; k++) started(r[k]); return CALL(Startall, (n, r)); }
/* One wait or test for n requests; what it completed stands in `at`, whose status are in `st`. */
#define COMPLETES(DONE, GOT, AT, TO) \
    MPI_Request *old = memcpy(malloc((n + 1) * sizeof *old), r, n * sizeof *old); \
    MPI_Status *st = malloc((n + 1) * sizeof *st); \
    int e = DONE, got = GOT; \
    for (int k = 0; k < got; k++) ended(old[AT], &st[k]); \
    if (TO) memcpy(s, st, (got > 0 ? got : n > 0) * sizeof *st); \
    return free(old), free(st), e;
#define WANTED (s != MPI_STATUSES_IGNORE && s != MPI_STATUS_IGNORE)
BOTH(Waitall, int n, MPI_Request r[], MPI_Status s[]) { COMPLETES(CALL(Waitall, (n, r, st)), n, k, WANTED) }
BOTH(Wait, MPI_Request *r, MPI_Status *s) { return MPI_Waitall(1, r, s); }
BOTH(Testall, int n, MPI_Request r[], int *f, MPI_Status s[]) {
    COMPLETES(CALL(Testall, (n, r, f, st)), *f ? n : 0, k, WANTED && *f) }
BOTH(Test, MPI_Request *r, int *f, MPI_Status *s) { return MPI_Testall(1, r, f, s); }
BOTH(Waitany, int n, MPI_Request r[], int *i, MPI_Status *s) {
    COMPLETES(CALL(Waitany, (n, r, i, st)), *i != MPI_UNDEFINED, *i, WANTED) }
BOTH(Testany, int n, MPI_Request r[], int *i, int *f, MPI_Status *s) {
    COMPLETES(CALL(Testany, (n, r, i, f, st)), *f && *i != MPI_UNDEFINED, *i, WANTED && *f) }
BOTH(Waitsome, int n, MPI_Request r[], int *c, int i[], MPI_Status s[]) {
    COMPLETES(CALL(Waitsome, (n, r, c, i, st)), *c == MPI_UNDEFINED ? 0 : *c, i[k], WANTED && got) }
BOTH(Testsome, int n, MPI_Request r[], int *c, int i[], MPI_Status s[]) {
    COMPLETES(CALL(Testsome, (n, r, c, i, st)), *c == MPI_UNDEFINED ? 0 : *c, i[k], WANTED && got) }
#define COLLECTIVE(NAME, ARGS, GIVEN, BYTES) \
BOTH_(NAME, ARGS) { line("collective", 0, 0, c, BYTES, -1); return CALL(NAME, GIVEN); }
#define PAIR const void *b, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u
#define EQUAL(NAME, GIVEN, ...) COLLECTIVE(NAME, (PAIR, __VA_ARGS__), GIVEN, size_of(m, u))
#define SAME(NAME) COLLECTIVE(NAME, (const void *b, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), \
    (b, r, n, t, o, c), size_of(n, t))
#define MANY const void *b, int n, MPI_Datatype t, void *r, const int m[], const int d[], MPI_Datatype u
COLLECTIVE(Barrier, (MPI_Comm c), (c), 0)
COLLECTIVE(Bcast, (void *b, int n, MPI_Datatype t, int z, MPI_Comm c), (b, n, t, z, c), size_of(n, t))
COLLECTIVE(Reduce, (const void *b, void *r, int n, MPI_Datatype t, MPI_Op o, int z, MPI_Comm c), (b, r, n, t, o, z, c),
           size_of(n, t))
SAME(Allreduce) SAME(Scan) SAME(Exscan) SAME(Reduce_scatter_block)
EQUAL(Allgather, (b, n, t, r, m, u, c), MPI_Comm c) EQUAL(Alltoall, (b, n, t, r, m, u, c), MPI_Comm c)
EQUAL(Gather, (b, n, t, r, m, u, z, c), int z, MPI_Comm c) EQUAL(Scatter, (b, n, t, r, m, u, z, c), int z, MPI_Comm c)
COLLECTIVE(Gatherv, (MANY, int z, MPI_Comm c), (b, n, t, r, m, d, u, z, c), size_of(n, t))
COLLECTIVE(Allgatherv, (MANY, MPI_Comm c), (b, n, t, r, m, d, u, c), size_of(n, t))
COLLECTIVE(Scatterv, (const void *b, const int n[], const int d[], MPI_Datatype t, void *r, int m, MPI_Datatype u,
           int z, MPI_Comm c), (b, n, d, t, r, m, u, z, c), size_of(m, u))
COLLECTIVE(Alltoallv, (const void *b, const int n[], const int p[], MPI_Datatype t, void *r, const int m[],
           const int d[], MPI_Datatype u, MPI_Comm c), (b, n, p, t, r, m, d, u, c), 0)
#define NEW(NAME, ARGS, GIVEN) \
BOTH_(NAME, ARGS) { line("collective", 0, 0, c, 0, -1); int e = CALL(NAME, GIVEN); return named(e, *r); }
NEW(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm *r), (c, color, key, r))
NEW(Comm_dup, (MPI_Comm c, MPI_Comm *r), (c, r))
NEW(Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm *r), (c, g, r))
NEW(Comm_split_type, (MPI_Comm c, int type, int key, MPI_Info i, MPI_Comm *r), (c, type, key, i, r))
NEW(Cart_create, (MPI_Comm c, int n, const int d[], const int p[], int o, MPI_Comm *r), (c, n, d, p, o, r))
NEW(Cart_sub, (MPI_Comm c, const int kept[], MPI_Comm *r), (c, kept, r))
#define BEGUN(NAME, ARGS, GIVEN, BYTES) \
BOTH_(NAME, ARGS) { Open one = start(ALL, 0, 0, c, BYTES); int e = CALL(NAME, GIVEN); return keep(*q, one), e; }
BEGUN(Iallreduce, (const void *b, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *q),
      (b, r, n, t, o, c, q), size_of(n, t))
BEGUN(Ibcast, (void *b, int n, MPI_Datatype t, int z, MPI_Comm c, MPI_Request *q), (b, n, t, z, c, q), size_of(n, t))
BEGUN(Ibarrier, (MPI_Comm c, MPI_Request *q), (c, q), 0)
