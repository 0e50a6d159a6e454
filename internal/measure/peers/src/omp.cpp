// LLVM's OpenMP: tasks, and tasks with depend.
#include <omp.h>

#include <memory>

#include "peer.hpp"

using namespace peer;

// A bench of which one thread makes the tasks, which all run.
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

// Makes a task for each of down x across places, behind those above and to the left. at has a byte for each, within
// an edge above and to the left.
template <typename F> static void grid_tasks(std::vector<char> &at, long down, long across, F body) {
	long stride = across + 1;
	for (long i = 0; i < down; i++)
		for (long j = 0; j < across; j++) {
			[[maybe_unused]] char *here = &at[(i + 1) * stride + j + 1];
#pragma omp task firstprivate(i, j) depend(in : here[-stride], here[-1]) depend(inout : here[0])
			body(i, j);
		}
#pragma omp taskwait
}

static Round wavefront(const Sizes &s) {
	auto w = std::make_shared<Wave>(s[0]);
	std::vector<char> at((s[0] + 1) * (s[0] + 1));
	return produced([w, at]() mutable {
		grid_tasks(at, w->n, w->n, [wave = w.get()](long i, long j) { wave->cell(i, j); });
		return w->checksum();
	});
}

// Sizes: rows and columns of the grid, rows and columns of a tile, sweeps.
static Round sweep(const Sizes &s) {
	auto grid = std::make_shared<Grid>(s);
	std::vector<char> at((grid->down + 1) * (grid->across + 1));
	return produced([grid, at, sweeps = s[4]]() mutable {
		for (long t = 0; t < sweeps; t++) {
			grid_tasks(at, grid->down, grid->across, [g = grid.get()](long i, long j) { g->tile(i, j); });
			grid->feed_back();
		}
		return grid->checksum();
	});
}

// Task Bench's stencil_1d: an output is the step and the column, and every task checks its inputs. Sizes: columns,
// steps. A column has two outputs in turn, as in Task Bench's own program; beyond the first and the last column lie
// outputs that no task writes.
static Round stencil(const Sizes &s) {
	long width = s[0], steps = s[1];
	auto kept = std::make_shared<std::vector<Output>>(2 * (width + 2));
	return produced([=] {
		Output *odd = kept->data() + 1, *even = odd + width + 2;
		for (long t = 0; t < steps; t++)
			for (long i = 0; i < width; i++) {
				Output *out = (t % 2 ? odd : even) + i, *in = (t % 2 ? even : odd) + i;
#pragma omp task firstprivate(t, i, out, in) depend(in : in[-1], in[0], in[1]) depend(inout : out[0])
				{
					if (t > 0)
						for (long k = i > 0 ? -1 : 0; k <= (i + 1 < width ? 1 : 0); k++)
							tally(in[k].is(t - 1, i + k));
					*out = {t, i};
				}
			}
#pragma omp taskwait
		return take_tally();
	});
}

int main(int argc, char **argv) {
	start(argc, argv);
	omp_set_dynamic(0);
	omp_set_num_threads(cpus.size());
#pragma omp parallel
	pin(omp_get_thread_num());
	serve("LLVM OpenMP (libomp), clang " __clang_version__,
	      {
	          {"independent", independent},
	          {"chain", chain},
	          {"fib", fib},
	          {"wavefront", wavefront},
	          {"sweep", sweep},
	          {"stencil", stencil},
	      },
	      [] { omp_pause_resource_all(omp_pause_soft); });
}
