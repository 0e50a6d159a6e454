// OpenMP, for LLVM's library and gcc's: tasks, tasks with depend, doacross loops, and threads with flags.
#include <omp.h>

#include <memory>

#include "peer.hpp"

using namespace peer;

// A bench in which one thread makes the tasks, and all threads run them.
template <typename F> static Round produced(F run) {
	return timed([run]() mutable {
		uint64_t sum = 0;
#pragma omp parallel
#pragma omp single
		sum = run();
		return sum;
	});
}

static Round independent(const Sizes &s) {
	return produced([n = s[0]] {
		for (long k = 0; k < n; k++)
#pragma omp task firstprivate(k)
			tally(k + 1);
#pragma omp taskwait
		return take_tally();
	});
}

// The same tasks, which a loop of the library makes.
static Round independent_loop(const Sizes &s) {
	return produced([n = s[0]] {
		long count = n; // clang 14 breaks on what a lambda has captured
#pragma omp taskloop grainsize(1)
		for (long k = 0; k < count; k++)
			tally(k + 1);
		return take_tally();
	});
}

// A chain for each thread, which makes all its tasks, each behind the one before.
static Round chain(const Sizes &s) {
	return timed([n = s[0]] {
#pragma omp parallel
		{
			[[maybe_unused]] char link;
			for (long k = n; k > 0; k--)
#pragma omp task firstprivate(k) depend(inout : link)
				tally(k);
#pragma omp taskwait
		}
		return take_tally();
	});
}

static uint64_t fib_call(long n) {
	if (n < 2)
		return n;
	uint64_t a, b;
#pragma omp task shared(a) firstprivate(n)
	a = fib_call(n - 1);
#pragma omp task shared(b) firstprivate(n)
	b = fib_call(n - 2);
#pragma omp taskwait
	return a + b;
}

static Round fib(const Sizes &s) {
	return produced([n = s[0]] { return fib_call(n); });
}

// One of the two calls is a task.
static uint64_t fib_half(long n) {
	if (n < 2)
		return n;
	uint64_t a, b;
#pragma omp task shared(a) firstprivate(n)
	a = fib_half(n - 1);
	b = fib_half(n - 2);
#pragma omp taskwait
	return a + b;
}

static Round fib_inline(const Sizes &s) {
	return produced([n = s[0]] { return fib_half(n); });
}

// Makes a task for each of down x across places, which waits for those above and to the left. at has a word for each
// place, and an edge above and to the left. It has words because both libraries' hash tables put bytes side by side
// into one bucket.
template <typename F> static void grid_tasks(std::vector<long> &at, long down, long across, F body) {
	long stride = across + 1;
	for (long i = 0; i < down; i++)
		for (long j = 0; j < across; j++) {
			[[maybe_unused]] long *here = &at[(i + 1) * stride + j + 1];
#pragma omp task firstprivate(i, j) depend(in : here[-stride], here[-1]) depend(inout : here[0])
			body(i, j);
		}
#pragma omp taskwait
}

static Round wavefront(const Sizes &s) {
	auto w = std::make_shared<Wave>(s[0]);
	std::vector<long> at((s[0] + 1) * (s[0] + 1));
	return produced([w, at]() mutable {
		grid_tasks(at, w->n, w->n, [wave = w.get()](long i, long j) { wave->cell(i, j); });
		return w->checksum();
	});
}

static Round wavefront_doacross(const Sizes &s) {
	auto w = std::make_shared<Wave>(s[0]);
	return timed([w] {
		Wave &wave = *w;
		long n = wave.n;
#pragma omp parallel for ordered(2) schedule(static, 1)
		for (long i = 0; i < n; i++)
			for (long j = 0; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j)
				wave.cell(i, j);
#pragma omp ordered depend(source)
			}
		return wave.checksum();
	});
}

// Sizes: rows and columns of the grid, rows and columns of a tile, sweeps.
static Round sweep(const Sizes &s) {
	auto grid = std::make_shared<Grid>(s);
	std::vector<long> at((grid->down + 1) * (grid->across + 1));
	return produced([grid, at, sweeps = s[4]]() mutable {
		for (long t = 0; t < sweeps; t++) {
			grid_tasks(at, grid->down, grid->across, [g = grid.get()](long i, long j) { g->tile(i, j); });
			grid->feed_back();
		}
		return grid->checksum();
	});
}

// The threads take strips in turn.
static Round sweep_doacross(const Sizes &s) {
	auto kept = std::make_shared<Grid>(s);
	return timed([kept, sweeps = s[4]] {
		Grid &grid = *kept;
		long down = grid.down, across = grid.across;
#pragma omp parallel
		for (long t = 0; t < sweeps; t++) {
#pragma omp for ordered(2) schedule(static, 1)
			for (long j = 0; j < across; j++)
				for (long i = 0; i < down; i++) {
#pragma omp ordered depend(sink : j - 1, i)
					grid.tile(i, j);
#pragma omp ordered depend(source)
				}
#pragma omp single
			grid.feed_back();
		}
		return grid.checksum();
	});
}

// As PRK's program for threads: a thread has strips side by side, and waits in each row of tiles for the thread with
// those to the left. The last thread's flag also lets the first one begin the next sweep.
static Round sweep_flags(const Sizes &s) {
	struct alignas(128) Flag {
		std::atomic<long> rows{0};
	};
	auto kept = std::make_shared<Grid>(s);
	auto flags = std::make_shared<std::vector<Flag>>(cpus.size() + 1);
	return timed([kept, flags, sweeps = s[4]] {
		Grid &grid = *kept;
		Flag *done = flags->data();
		for (auto &flag : *flags)
			flag.rows = 0;
#pragma omp parallel
		{
			long threads = omp_get_num_threads(), me = omp_get_thread_num();
			long first = grid.across * me / threads, last = grid.across * (me + 1) / threads;
			for (long t = 0; t < sweeps; t++) {
				if (me == 0)
					await(done[threads].rows, t);
				for (long i = 0; i < grid.down; i++) {
					if (me > 0)
						await(done[me - 1].rows, t * grid.down + i + 1);
					for (long j = first; j < last; j++)
						grid.tile(i, j);
					done[me].rows.store(t * grid.down + i + 1, std::memory_order_release);
				}
				if (me == threads - 1) {
					grid.feed_back();
					done[threads].rows.store(t + 1, std::memory_order_release);
				}
			}
		}
		return grid.checksum();
	});
}

// libgomp looks at all tasks that are open on an address. So it waits for all tasks after each window of steps.
#ifdef __clang__
constexpr long window = 1 << 30;
#else
constexpr long window = 16;
#endif

// Task Bench's stencil_1d: an output is the step and the column, and every task checks its inputs. Sizes: columns,
// steps. A column has two outputs in turn, as in Task Bench's own program; beyond the first and the last column lie
// outputs that no task writes.
static Round stencil(const Sizes &s) {
	long width = s[0], steps = s[1];
	struct alignas(128) Kept : Output {};
	auto kept = std::make_shared<std::vector<Kept>>(2 * (width + 2));
	return produced([=] {
		Kept *odd = kept->data() + 1, *even = odd + width + 2;
		for (long t = 0; t < steps; t++) {
			if (t % window == window - 1) {
#pragma omp taskwait
			}
			for (long i = 0; i < width; i++) {
				Kept *out = (t % 2 ? odd : even) + i, *in = (t % 2 ? even : odd) + i;
#pragma omp task firstprivate(t, i, out, in) depend(in : in[-1], in[0], in[1]) depend(inout : out[0])
				{
					if (t > 0)
						for (long k = i > 0 ? -1 : 0; k <= (i + 1 < width ? 1 : 0); k++)
							tally(in[k].is(t - 1, i + k));
					*out = {{t, i}};
				}
			}
		}
#pragma omp taskwait
		return take_tally();
	});
}

// Any graph of Task Bench, with its kernel.
static Round graph(const Sizes &s) {
	struct alignas(128) Kept : Output {};
	auto of = std::make_shared<Graph>(s);
	auto kept = std::make_shared<std::vector<Kept>>(2 * of->width);
	return produced([=] {
		const Graph *g = of.get();
		Kept *all = kept->data();
		for (long t = 0; t < g->steps; t++)
			for (long i = 0; i < g->width; i++) {
				Kept *in = all + (t + 1) % 2 * g->width, *out = all + t % 2 * g->width + i;
				const long *from = g->of(t, i).data();
				long n = g->of(t, i).size();
#pragma omp task firstprivate(t, i, g, in, out) depend(iterator(long k = 0 : n), in : in[from[k]]) depend(inout : out[0])
				tally(g->task(t, i, in, out));
			}
#pragma omp taskwait
		return take_tally();
	});
}

int main(int argc, char **argv) {
	start(argc, argv);
	omp_set_dynamic(0);
	omp_set_num_threads(cpus.size());
#ifdef __clang__
	const char *about = "LLVM OpenMP (libomp), clang " __clang_version__;
#else
	const char *about = "GNU OpenMP (libgomp), g++ " __VERSION__;
#endif
	serve(about,
	      {
	          {"independent", independent},
	          {"independent-loop", independent_loop},
	          {"chain", chain},
	          {"fib", fib},
	          {"fib-inline", fib_inline},
	          {"wavefront", wavefront},
	          {"wavefront-doacross", wavefront_doacross},
	          {"sweep", sweep},
	          {"sweep-doacross", sweep_doacross},
	          {"sweep-flags", sweep_flags},
	          {"stencil", stencil},
	          {"graph", graph},
	      },
	      [] { omp_pause_resource_all(omp_pause_soft); },
	      [] { // libgomp has new threads then
#pragma omp parallel
		      pin(omp_get_thread_num());
	      });
}
