// oneTBB: tasks of a task_group, and flow graphs that are built once or for each round.
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>
#include <tbb/version.h>

#include <deque>
#include <memory>

#include "peer.hpp"

using namespace peer;
using Message = tbb::flow::continue_msg;
using Node = tbb::flow::continue_node<Message>;

struct Pinned : tbb::task_scheduler_observer {
	explicit Pinned(tbb::task_arena &a) : task_scheduler_observer(a) { observe(true); }
	void on_scheduler_entry(bool) override { pin(tbb::this_task_arena::current_thread_index()); }
};

static tbb::task_arena *arena;

// A bench whose rounds run in the arena.
template <typename F> static Round within(F run) {
	return timed([run]() mutable { return arena->execute([&] { return run(); }); });
}

static Round independent(const Sizes &s) {
	return within([n = s[0]] {
		tbb::task_group group;
		for (long k = 0; k < n; k++)
			group.run([k] { tally(k + 1); });
		group.wait();
		return take_tally();
	});
}

static void step(tbb::task_group &group, long left) {
	tally(left);
	if (left > 1)
		group.run([&group, left] { step(group, left - 1); });
}

// A chain for each thread: every task makes the next.
static Round chain(const Sizes &s) {
	return within([n = s[0]] {
		tbb::task_group group;
		for (size_t k = 0; k < cpus.size(); k++)
			group.run([&group, n] { step(group, n); });
		group.wait();
		return take_tally();
	});
}

static uint64_t fib_call(long n) {
	if (n < 2)
		return n;
	uint64_t a, b;
	tbb::task_group group;
	group.run([&] { a = fib_call(n - 1); });
	group.run([&] { b = fib_call(n - 2); });
	group.wait();
	return a + b;
}

static Round fib(const Sizes &s) {
	return within([n = s[0]] { return fib_call(n); });
}

// The wavefront with counters by hand: the task that counts a cell down to 0 spawns it.
struct Counted {
	Wave wave;
	std::vector<std::atomic<int8_t>> waits;
	explicit Counted(long n) : wave(n), waits(n * n) {}
	void ready(tbb::task_group &group, long i, long j) {
		if (i < wave.n && j < wave.n && --waits[i * wave.n + j] == 0)
			group.run([this, &group, i, j] { run(group, i, j); });
	}
	void run(tbb::task_group &group, long i, long j) {
		wave.cell(i, j);
		ready(group, i + 1, j);
		ready(group, i, j + 1);
	}
};

static Round wavefront_counted(const Sizes &s) {
	auto w = std::make_shared<Counted>(s[0]);
	return within([w] {
		long n = w->wave.n;
		for (long k = 0; k < n * n; k++)
			w->waits[k] = (k >= n) + (k % n > 0);
		tbb::task_group group;
		group.run([&] { w->run(group, 0, 0); });
		group.wait();
		return w->wave.checksum();
	});
}

// Flow is a graph of down x across nodes, each behind those above and to the left.
struct Flow {
	tbb::flow::graph graph;
	std::deque<Node> nodes;
	long across;
	template <typename F> Flow(long down, long across, F body) : across(across) {
		for (long i = 0; i < down; i++)
			for (long j = 0; j < across; j++) {
				nodes.emplace_back(graph, [=](const Message &) { body(i, j); });
				if (i > 0)
					tbb::flow::make_edge(nodes[(i - 1) * across + j], nodes.back());
				if (j > 0)
					tbb::flow::make_edge(nodes[i * across + j - 1], nodes.back());
			}
	}
	void run() {
		nodes.front().try_put(Message());
		graph.wait_for_all();
	}
};

// A chain for each thread: nodes that each tally how many are to come.
static std::unique_ptr<Flow> chain_flow(long n) {
	return std::make_unique<Flow>(n, 1, [n](long i, long) { tally(n - i); });
}

static Round chain_once(const Sizes &s) {
	auto flows = std::make_shared<std::vector<std::unique_ptr<Flow>>>();
	arena->execute([&] {
		for (size_t k = 0; k < cpus.size(); k++)
			flows->push_back(chain_flow(s[0]));
	});
	return within([flows] {
		tbb::task_group group;
		for (auto &flow : *flows)
			group.run([&flow] { flow->run(); });
		group.wait();
		return take_tally();
	});
}

static Round chain_each(const Sizes &s) {
	return within([n = s[0]] {
		tbb::task_group group;
		for (size_t k = 0; k < cpus.size(); k++)
			group.run([n] { chain_flow(n)->run(); });
		group.wait();
		return take_tally();
	});
}

static Round wavefront_once(const Sizes &s) {
	auto w = std::make_shared<Wave>(s[0]);
	auto flow = arena->execute([&] { return std::make_shared<Flow>(w->n, w->n, [&w = *w](long i, long j) { w.cell(i, j); }); });
	return within([w, flow] {
		flow->run();
		return w->checksum();
	});
}

static Round wavefront_each(const Sizes &s) {
	auto w = std::make_shared<Wave>(s[0]);
	return within([w] {
		Flow(w->n, w->n, [&w = *w](long i, long j) { w.cell(i, j); }).run();
		return w->checksum();
	});
}

// Sizes: rows and columns of the grid, rows and columns of a tile, sweeps. The last tile of a sweep starts the next.
static Round sweep_once(const Sizes &s) {
	struct Sweeps {
		Grid grid;
		long sweeps, left = 0;
		std::unique_ptr<Flow> flow;
		explicit Sweeps(const Sizes &s) : grid(s), sweeps(s[4]) {
			flow = std::make_unique<Flow>(grid.down, grid.across, [this](long i, long j) {
				grid.tile(i, j);
				if (i + 1 < grid.down || j + 1 < grid.across)
					return;
				grid.feed_back();
				if (--left > 0)
					flow->nodes.front().try_put(Message());
			});
		}
	};
	auto w = arena->execute([&] { return std::make_shared<Sweeps>(s); });
	return within([w] {
		w->left = w->sweeps;
		w->flow->run();
		return w->grid.checksum();
	});
}

static Round sweep_each(const Sizes &s) {
	auto grid = std::make_shared<Grid>(s);
	return within([grid, sweeps = s[4]] {
		for (long t = 0; t < sweeps; t++) {
			Flow(grid->down, grid->across, [&grid = *grid](long i, long j) { grid.tile(i, j); }).run();
			grid->feed_back();
		}
		return grid->checksum();
	});
}

int main(int argc, char **argv) {
	start(argc, argv);
	tbb::global_control limit(tbb::global_control::max_allowed_parallelism, cpus.size());
	tbb::task_arena a(cpus.size());
	Pinned pinned(a);
	arena = &a;
	serve(std::string("oneTBB ") + std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR),
	      {
	          {"independent", independent},
	          {"chain", chain},
	          {"chain-built-once", chain_once},
	          {"chain-built-each", chain_each},
	          {"fib", fib},
	          {"wavefront-counted", wavefront_counted},
	          {"wavefront-built-once", wavefront_once},
	          {"wavefront-built-each", wavefront_each},
	          {"sweep-built-once", sweep_once},
	          {"sweep-built-each", sweep_each},
	      });
}
