// What the peers' programs have in common: the protocol, and the work that is the same in all.
//
//   PROGRAM CPU...                      a thread for each processor, pinned to it; -1: not pinned
//
// It answers "ready LIBRARY", or "error TEXT" and ends. Then one line per request, until its input ends:
//
//   run BENCH NS SIZE...                two rounds that are not timed, then rounds until they took NS
//   ok CHECKSUM NS...                   the sum of their checksums, and what each took
//   error TEXT
//
// Between requests all threads sleep.
#pragma once
#include <sched.h>
#include <time.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace peer {

inline std::vector<int> cpus; // of the threads

inline int64_t now() {
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

// Pins the calling thread to the processor of thread k.
inline void pin(int k) {
	if (k < 0 || k >= int(cpus.size()) || cpus[k] < 0)
		return;
	cpu_set_t *set = CPU_ALLOC(cpus[k] + 1);
	size_t size = CPU_ALLOC_SIZE(cpus[k] + 1);
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpus[k], size, set);
	if (sched_setaffinity(0, size, set) != 0) {
		printf("error cannot pin a thread to processor %d\n", cpus[k]);
		exit(1);
	}
	CPU_FREE(set);
}

// The result of a round.
struct Took {
	int64_t ns;
	uint64_t checksum;
};

using Round = std::function<Took()>;
using Sizes = std::vector<long>;
using Bench = std::function<Round(const Sizes &)>; // prepares what is not timed

// A round of which all is timed.
template <typename F> Round timed(F run) {
	return [run]() mutable -> Took {
		int64_t begin = now();
		uint64_t sum = run();
		return {now() - begin, sum};
	};
}

inline std::string answer(const std::string &line, const std::map<std::string, Bench> &benches) {
	std::istringstream in(line);
	std::string verb, name;
	int64_t target = 0;
	Sizes sizes;
	in >> verb >> name >> target;
	for (long n; in >> n;)
		sizes.push_back(n);
	auto bench = benches.find(name);
	if (verb != "run" || !in.eof() || bench == benches.end())
		return "error no such request: " + line;
	try {
		Round round = bench->second(sizes);
		round();
		round();
		int64_t ns = 0;
		uint64_t sum = 0;
		std::vector<int64_t> rounds;
		do {
			Took t = round();
			ns += t.ns;
			sum += t.checksum;
			rounds.push_back(t.ns);
		} while (ns < target);
		std::string text = "ok " + std::to_string(sum);
		for (int64_t took : rounds)
			text += " " + std::to_string(took);
		return text;
	} catch (const std::exception &e) {
		return std::string("error ") + e.what();
	}
}

// Reads the processors; an interrupt at the terminal is for the program that started this one.
inline void start(int argc, char **argv) {
	signal(SIGINT, SIG_IGN);
	setvbuf(stdout, nullptr, _IOLBF, 0);
	for (int k = 1; k < argc; k++)
		cpus.push_back(atoi(argv[k]));
	if (cpus.empty()) {
		printf("error usage: PROGRAM CPU...\n");
		exit(1);
	}
}

// Answers requests. rest puts threads to sleep that would not do so by themselves, wake readies them again.
inline void serve(
    const std::string &about, const std::map<std::string, Bench> &benches, const std::function<void()> &rest = [] {},
    const std::function<void()> &wake = [] {}) {
	rest();
	printf("ready %s\n", about.c_str());
	for (std::string line; std::getline(std::cin, line);) {
		wake();
		std::string text = answer(line, benches);
		rest();
		printf("%s\n", text.c_str());
	}
}

// Tally adds up what tasks have done, for each thread apart.
struct alignas(128) Tally {
	uint64_t sum;
};
inline Tally tallies[1024];
inline std::atomic<int> threads{0};
inline thread_local Tally *own = nullptr;

inline void tally(uint64_t value) {
	if (own == nullptr)
		own = &tallies[threads++ % 1024];
	own->sum += value;
}

// Takes what was added up since the last call.
inline uint64_t take_tally() {
	uint64_t sum = 0;
	for (int k = 0; k < threads; k++) {
		sum += tallies[k].sum;
		tallies[k].sum = 0;
	}
	return sum;
}

// Wave is a grid of n x n cells, each the sum of those above and to the left. The first cell grows by one in each
// round, so a cell that was not computed, or too early, shows in the last.
struct Wave {
	long n;
	std::vector<uint32_t> cells;
	uint32_t seed = 0, last = 0;
	explicit Wave(long n) : n(n), cells(n * n) {}
	void cell(long i, long j) {
		uint32_t sum = i > 0 ? cells[(i - 1) * n + j] : 0;
		if (j > 0)
			sum += cells[i * n + j - 1];
		cells[i * n + j] = i + j > 0 ? sum : ++seed;
	}
	uint64_t checksum() {
		uint32_t grown = cells.back() - last;
		last = cells.back();
		return grown;
	}
};

// Grid is PRK's synch_p2p: tiles of a grid of rows x columns, as the sweep EDTs have them. The row above the first
// tiles is not computed, nor is the first column. Tiles below each other are a strip. A strip has memory of its own, as
// ours have, so no two threads write to one cache line.
struct Grid {
	long rows, high, wide; // of the grid; of a tile
	long down, across;     // tiles
	long apart;            // words between strips
	std::vector<double> memory;
	double *first, last = 0;
	Grid(const Sizes &s)
	    : rows(s[0]), high(s[2]), wide(s[3]), down((rows - 1) / high), across(s[1] / wide), apart((rows * wide + 31) / 16 * 16),
	      memory(across * apart + 16), first(memory.data() + (128 - uintptr_t(memory.data()) % 128) / 8) {
		for (long j = 0; j < across * wide; j++)
			strip(j / wide)[j % wide] = double(j);
		for (long i = 0; i < rows; i++)
			first[i * wide] = double(i);
	}
	double *strip(long j) { return first + j * apart; }
	double corner() { return strip(across - 1)[rows * wide - 1]; }
	// Sweeps R rows of a tile from p on, side by side, as our kernel does. left is the value left of the row above these
	// rows; the values left of these rows follow it, step words apart.
	template <int R> void sweep(const double *left, long step, double *p, long width) {
		double diagonal = left[0], before[R];
		for (int r = 0; r < R; r++)
			before[r] = left[(r + 1) * step];
		for (long j = 0; j < width; j++) {
			double up = p[j], upleft = diagonal;
			diagonal = up;
			for (int r = 0; r < R; r++) {
				double value = before[r] + (up - upleft);
				p[(r + 1) * wide + j] = value;
				upleft = before[r];
				before[r] = up = value;
			}
		}
	}
	void tile(long i, long j, const double *left, long step) {
		long from = j == 0, width = wide - from, rest = high;
		double *p = strip(j) + i * high * wide + from;
		for (; rest >= 4; rest -= 4, p += 4 * wide, left += 4 * step)
			sweep<4>(left, step, p, width);
		if (rest == 3)
			sweep<3>(left, step, p, width);
		if (rest == 2)
			sweep<2>(left, step, p, width);
		if (rest == 1)
			sweep<1>(left, step, p, width);
	}
	// A tile whose left neighbour is in this grid.
	void tile(long i, long j) { tile(i, j, (j == 0 ? first : strip(j - 1) + wide - 1) + i * high * wide, wide); }
	void feed_back() { first[0] = -corner(); }
	uint64_t checksum() {
		double grown = corner() - last;
		last = corner();
		return uint64_t(grown);
	}
};

// Waits until another thread has set a flag to value or more.
inline void await(const std::atomic<long> &flag, long value) {
	for (long polls = 1; flag.load(std::memory_order_acquire) < value; polls++)
		if (polls % 1024 == 0)
			sched_yield();
}

// Output is the output of a task of Task Bench's graphs: its step and its column.
struct Output {
	int64_t step, column;
	bool is(int64_t t, int64_t i) const { return step == t && column == i; }
};

// squares is Task Bench's compute_bound as ours: 64 values that become v*v + v in each iteration, four at a time, and
// at the end are stored and multiplied one after the other. Both compilers fuse v*v + v; if one did not, the result
// would differ from ours.
using Four = double __attribute__((vector_size(32)));
#ifdef __x86_64__
#define FUSED __attribute__((target("avx2,fma"), noinline))
#else
#define FUSED __attribute__((noinline))
#endif
struct Start {
	Four a[16];
	Start() {
		for (int k = 0; k < 64; k++)
			a[k / 4][k % 4] = -0.2345 - k / 128.;
	}
};
inline const Start start_values;
FUSED inline double squares(long iterations) {
	const Four *a = start_values.a;
	Four b = a[0], c = a[1], d = a[2], e = a[3], f = a[4], g = a[5], h = a[6], i = a[7];
	Four j = a[8], l = a[9], m = a[10], n = a[11], o = a[12], p = a[13], q = a[14], r = a[15];
	for (; iterations > 0; iterations--) {
		b = b * b + b, c = c * c + c, d = d * d + d, e = e * e + e, f = f * f + f, g = g * g + g, h = h * h + h, i = i * i + i;
		j = j * j + j, l = l * l + l, m = m * m + m, n = n * n + n, o = o * o + o, p = p * p + p, q = q * q + q, r = r * r + r;
	}
	const Four last[] = {b, c, d, e, f, g, h, i, j, l, m, n, o, p, q, r};
	auto v = reinterpret_cast<const double *>(last);
	asm volatile("" : : "r"(v) : "memory"); // the values are in memory, and each call takes place
	double all = 1;
#pragma GCC unroll 64
	for (int k = 0; k < 64; k++)
		all *= v[k];
	return all;
}

// Graph is a graph of Task Bench whose columns have a task in every step. Sizes: columns, steps, iterations of the
// kernel, the bits of its result, and in how many sets the inputs of steps come in turn; of each set and column the
// number of its inputs, and the columns they come from.
struct Graph {
	long width, steps, iterations, sets;
	std::vector<std::vector<long>> inputs;
	double expected;
	explicit Graph(const Sizes &s) : width(s[0]), steps(s[1]), iterations(s[2]), sets(s[4]) {
		memcpy(&expected, &s[3], sizeof expected);
#ifdef __x86_64__
		if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
			throw std::runtime_error("the kernel needs a processor with AVX2 and FMA");
#endif
		for (size_t at = 5; at < s.size(); at += 1 + s[at])
			inputs.emplace_back(&s[at] + 1, &s[at] + 1 + s[at]);
	}
	const std::vector<long> &of(long t, long i) const {
		static const std::vector<long> none;
		return t > 0 ? inputs[t % sets * width + i] : none;
	}
	// Carries out a task. The result is how many inputs and results were right.
	template <typename O> uint64_t task(long t, long i, const O *in, O *out) const {
		uint64_t right = squares(iterations) == expected;
		for (long k : of(t, i))
			right += in[k].is(t - 1, k);
		out->step = t;
		out->column = i;
		return right;
	}
};

} // namespace peer
