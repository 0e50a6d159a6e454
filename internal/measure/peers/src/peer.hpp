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

// Answers requests. rest puts threads to sleep that would not do so by themselves.
inline void serve(const std::string &about, const std::map<std::string, Bench> &benches, const std::function<void()> &rest = [] {}) {
	rest();
	printf("ready %s\n", about.c_str());
	for (std::string line; std::getline(std::cin, line);) {
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

// Grid is PRK's synch_p2p: tiles of a grid of rows x columns, as the sweep EDTs have them: rows above the first tiles
// are not computed, nor is the first column.
struct Grid {
	long rows, columns, high, wide; // of the grid; of a tile
	long down, across;              // tiles
	std::vector<double> a;
	double last = 0;
	Grid(const Sizes &s) : rows(s[0]), columns(s[1]), high(s[2]), wide(s[3]), down((rows - 1) / high), across(columns / wide), a(rows * columns) {
		for (long j = 0; j < columns; j++)
			a[j] = double(j);
		for (long i = 0; i < rows; i++)
			a[i * columns] = double(i);
	}
	// R rows below and to the right of p, side by side, as our kernel does.
	template <int R> void sweep(double *p, long width) {
		double diagonal = p[0], left[R];
		for (int r = 0; r < R; r++)
			left[r] = p[(r + 1) * columns];
		for (long j = 1; j <= width; j++) {
			double up = p[j], upleft = diagonal;
			diagonal = up;
			for (int r = 0; r < R; r++) {
				double value = left[r] + (up - upleft);
				p[(r + 1) * columns + j] = value;
				upleft = left[r];
				left[r] = up = value;
			}
		}
	}
	void tile(long i, long j) {
		long from = j == 0 ? 1 : j * wide, width = (j + 1) * wide - from, left = high;
		double *p = &a[i * high * columns + from - 1];
		for (; left >= 4; left -= 4, p += 4 * columns)
			sweep<4>(p, width);
		if (left == 3)
			sweep<3>(p, width);
		if (left == 2)
			sweep<2>(p, width);
		if (left == 1)
			sweep<1>(p, width);
	}
	void feed_back() { a[0] = -a.back(); }
	uint64_t checksum() {
		double grown = a.back() - last;
		last = a.back();
		return uint64_t(grown);
	}
};

// Output is the output of a task of Task Bench's graphs: its step and its column.
struct Output {
	int64_t step, column;
	bool is(int64_t t, int64_t i) const { return step == t && column == i; }
};

} // namespace peer
