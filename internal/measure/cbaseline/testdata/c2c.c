/*
 * The core-to-core suite in C: two threads on two CPUs exchange words and arrays
 * through memory that both poll. It is what the suite's Go kernels are compared
 * with.
 *
 *   c2c <cpu A> <cpu B> <time limit in seconds> trial <test> <width> <length> <line> <warmup> <transfers>
 *   ok <nsA> <nsB> <cpuA0> <cpuA1> <cpuB0> <cpuB1> <nivcswA> <nivcswB>
 *   error <text>          (error timeout: ... where the time limit ended the trial)
 *   c2c ... where ...     as for trial
 *   at <address that A writes> <address that B writes>
 *
 * Thread A is the server: it writes transfer 1, 2 is B's answer.
 *
 * Time is each thread's own CLOCK_MONOTONIC, from the end of the warm-up to the
 * end of the last transfer. CPUs are read, and involuntary context switches
 * counted, from near the end of the warm-up to the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
	LINES = 64,         /* places for a trial's words */
	LINE_STRIDE = 256,  /* bytes from one to the next */
	APART = 128,        /* what shall not share a line, nor the pair of lines fetched together */
	PAGE = 4096,
	MAX_LENGTH = 1 << 16,
	MEMORY = 1 << 20,
};
#ifndef POLLS
#define POLLS (1u << 14) /* fruitless polls between two looks at the clock */
#endif

struct side;
/* A kernel does its side's part of transfers from..to; false: out of time. */
typedef bool kernel(struct side *s, uint64_t from, uint64_t to);

/* One thread's view of a trial. A fills in both before it starts B; then each
 * thread writes only its own until A has joined B. */
struct side {
	_Alignas(APART) _Atomic uint64_t here; /* 1: this thread is running; the peer polls it */
	_Alignas(APART) const void *in;        /* the word or array that the peer writes */
	void *out;                             /* the one that the peer polls */
	uint64_t length;
	uint64_t writes;                       /* parity of the transfers that this side writes */
	kernel *run;

	bool finished;
	int64_t ns;
	int cpu[2];
	long switches;
};

static struct side side_a, side_b;
static struct { uint64_t warmup, transfers; } trial;

static int64_t limit_ns;
static int64_t deadline;    /* of the trial */
static _Atomic bool stop;   /* a side ran out of time */

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Ends both sides once the deadline has passed. */
static __attribute__((noinline)) bool expired(void)
{
	if (now() > deadline)
		atomic_store_explicit(&stop, true, memory_order_relaxed);
	return atomic_load_explicit(&stop, memory_order_relaxed);
}

/* Counts a fruitless poll; true when the trial is out of time. polls stays in a
 * register and counts on from one wait to the next. */
static inline __attribute__((always_inline)) bool give_up(unsigned *polls)
{
	if (--*polls != 0)
		return false;
	*polls = POLLS;
	return expired();
}

#define JOIN2(name, bits) name##_##bits
#define JOIN(name, bits) JOIN2(name, bits)
#define NAME(name) JOIN(name, BITS)

#define BITS 8
#define T uint8_t
#include "kernels.h"
#undef BITS
#undef T
#define BITS 16
#define T uint16_t
#include "kernels.h"
#undef BITS
#undef T
#define BITS 32
#define T uint32_t
#include "kernels.h"
#undef BITS
#undef T
#define BITS 64
#define T uint64_t
#include "kernels.h"

enum test { SINGLE, DUAL, ARRAY, TESTS };
static const char *const test_names[TESTS] = { "single", "dual", "array" };

#define KERNELS(bits) { words_##bits, words_##bits, arrays_##bits }
static kernel *const kernels[4][TESTS] = { KERNELS(8), KERNELS(16), KERNELS(32), KERNELS(64) };

struct request {
	bool trial; /* else only where its words lie */
	enum test test;
	long long width, length, line, warmup, transfers;
};

static _Noreturn void refuse(const char *what, const char *text, const char *allowed)
{
	printf("error %s %s (allowed: %s)\n", what, text, allowed);
	exit(1);
}

/* 0 to 3 for 1, 2, 4 and 8 bytes, else -1 */
static int width_index(long long width)
{
	switch (width) {
	case 1: return 0;
	case 2: return 1;
	case 4: return 2;
	case 8: return 3;
	default: return -1;
	}
}

/* Reads a request. Numbers are those of a valid configuration, but for what has no room here. */
static void parse(char **words, struct request *r)
{
	int test = 0;
	while (test < TESTS && strcmp(words[1], test_names[test]) != 0)
		test++;
	if (test == TESTS)
		refuse("test", words[1], "single, dual, array");
	r->test = (enum test)test;
	r->trial = strcmp(words[0], "trial") == 0;
	r->width = atoll(words[2]);
	if (width_index(r->width) < 0)
		refuse("width", words[2], "1, 2, 4, 8");
	r->length = atoll(words[3]);
	if (r->length < 1 || r->length > MAX_LENGTH)
		refuse("length", words[3], "1 to 65536");
	r->line = atoll(words[4]);
	if (r->line < 0 || r->line >= LINES)
		refuse("line", words[4], "0 to 63");
	r->warmup = atoll(words[5]);
	r->transfers = atoll(words[6]);
}

static size_t round_up(size_t bytes) { return (bytes + APART - 1) / APART * APART; }

static void join(void *a_out, void *b_out)
{
	side_a.out = a_out;
	side_b.in = a_out;
	side_b.out = b_out;
	side_a.in = b_out;
}

/* Lays the trial out at base and returns the bytes it takes. */
static size_t place(char *base, const struct request *r)
{
	switch (r->test) {
	case SINGLE:
		join(base, base);
		return APART;
	case DUAL:
		join(base, base + APART);
		return 2 * APART;
	case ARRAY:
		join(base, base);
		return round_up((size_t)(r->width * r->length));
	default:
		return 0;
	}
}

static void prepare(char *memory, const struct request *r)
{
	char *base = memory + r->line * LINE_STRIDE;
	memset(base, 0, place(base, r));
	side_a.run = side_b.run = kernels[width_index(r->width)][r->test];
	side_a.writes = 1;
	side_b.writes = 0;
	side_a.length = side_b.length = (uint64_t)r->length;
	trial.warmup = (uint64_t)r->warmup;
	trial.transfers = (uint64_t)r->transfers;
	atomic_store_explicit(&stop, false, memory_order_relaxed);
	deadline = now() + limit_ns;
}

/* Both threads are running once this returns true. */
static bool meet(struct side *s, struct side *peer)
{
	unsigned polls = POLLS;
	atomic_store_explicit(&s->here, 1, memory_order_release);
	return await_64(&peer->here, 1, &polls);
}

static long involuntary_switches(void)
{
	struct rusage u;
	getrusage(RUSAGE_THREAD, &u);
	return u.ru_nivcsw;
}

/* The end of the warm-up, after the look at the thread: both are in step again
 * when the clocks begin. */
#define RESUME 64

static void take_part(struct side *s, struct side *peer)
{
	bool going = meet(s, peer);
	uint64_t apart = trial.warmup > RESUME ? trial.warmup - RESUME : 0;
	if (apart > 0)
		going = going && s->run(s, 1, apart);
	long before = involuntary_switches();
	s->cpu[0] = sched_getcpu();
	if (trial.warmup > apart)
		going = going && s->run(s, apart + 1, trial.warmup);
	int64_t begin = now();
	s->finished = going && s->run(s, trial.warmup + 1, trial.warmup + trial.transfers);
	s->ns = now() - begin;
	s->cpu[1] = sched_getcpu();
	s->switches = involuntary_switches() - before;
}

static void answer(void)
{
	if (!side_a.finished || !side_b.finished) {
		printf("error timeout: not finished within %.3g s\n", (double)limit_ns / 1e9);
		return;
	}
	printf("ok %lld %lld %d %d %d %d %ld %ld\n", (long long)side_a.ns, (long long)side_b.ns,
	       side_a.cpu[0], side_a.cpu[1], side_b.cpu[0], side_b.cpu[1], side_a.switches, side_b.switches);
}

static _Noreturn void fail(const char *what, int err)
{
	printf("error %s: %s\n", what, strerror(err));
	exit(1);
}

/* Pins the calling thread. */
static void pin(int cpu, const char *name)
{
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	if (set == NULL)
		fail("CPU set", ENOMEM);
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	int err = pthread_setaffinity_np(pthread_self(), size, set);
	CPU_FREE(set);
	if (err != 0) {
		char what[64];
		snprintf(what, sizeof what, "cannot pin a thread to CPU %d", cpu);
		fail(what, err);
	}
	pthread_setname_np(pthread_self(), name);
}

static void *thread_b(void *cpu)
{
	pin(*(int *)cpu, "c2c-b");
	take_part(&side_b, &side_a);
	return NULL;
}

static int cpu_number(const char *text)
{
	int cpu = atoi(text);
	if (cpu < 0 || cpu >= 1 << 20)
		refuse("CPU", text, "0 to 1048575");
	return cpu;
}

int main(int argc, char **argv)
{
	if (argc != 11) {
		printf("error usage: c2c cpuA cpuB seconds trial|where test width length line warmup transfers\n");
		return 1;
	}
	int cpu_a = cpu_number(argv[1]), cpu_b = cpu_number(argv[2]);
	limit_ns = (int64_t)(atof(argv[3]) * 1e9);
	struct request r;
	parse(argv + 4, &r);
	/* An interrupt at the terminal is for the program that started this one. */
	signal(SIGINT, SIG_IGN);
	pin(cpu_a, "c2c-a");
	char *memory = aligned_alloc(PAGE, MEMORY);
	if (memory == NULL)
		fail("memory", ENOMEM);
	prepare(memory, &r);
	if (!r.trial) {
		printf("at %#jx %#jx\n", (uintmax_t)(uintptr_t)side_a.out, (uintmax_t)(uintptr_t)side_b.out);
		return 0;
	}
	pthread_t b;
	int err = pthread_create(&b, NULL, thread_b, &cpu_b);
	if (err != 0)
		fail("start a thread", err);
	take_part(&side_a, &side_b);
	pthread_join(b, NULL);
	answer();
	return 0;
}
