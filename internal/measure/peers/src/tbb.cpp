// oneTBB: tasks of a task_group, and flow graphs that are built once or for each round.
#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1 // a task may return the one that its thread runs next
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>
#include <tbb/version.h>

#include <deque>
#include <memory>

#include "peer.hpp"

using namespace peer;
using Message = tbb::flow::continue_msg;
using tbb::task_group;
using tbb::task_handle;

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
		task_group group;
		for (long k = 0; k < n; k++)
			group.run([k] { tally(k + 1); });
		group.wait();
		return take_tally();
	});
}

// The same tasks, which a loop of the library makes.
static Round independent_loop(const Sizes &s) {
	return within([n = s[0]] {
		tbb::parallel_for(tbb::blocked_range<long>(0, n, 1), [](const tbb::blocked_range<long> &r) {
			for (long k = r.begin(); k < r.end(); k++)
				tally(k + 1);
		}, tbb::simple_partitioner());
		return take_tally();
	});
}

static task_handle step(task_group &group, long left) {
	tally(left);
	if (left == 1)
		return {};
	return group.defer([&group, left] { return step(group, left - 1); });
}

// A chain for each thread: every task returns the next.
static Round chain(const Sizes &s) {
	return within([n = s[0]] {
		task_group group;
		for (size_t k = 0; k < cpus.size(); k++)
			group.run(group.defer([&group, n] { return step(group, n); }));
		group.wait();
		return take_tally();
	});
}

static uint64_t fib_call(long n) {
	if (n < 2)
		return n;
	uint64_t a, b;
	task_group group;
	group.run([&] { a = fib_call(n - 1); });
	group.run([&] { b = fib_call(n - 2); });
	group.wait();
	return a + b;
}

static Round fib(const Sizes &s) {
	return within([n = s[0]] { return fib_call(n); });
}

// One of the two calls is a task.
static uint64_t fib_half(long n) {
	if (n < 2)
		return n;
	uint64_t a;
	task_group group;
	group.run([&] { a = fib_half(n - 1); });
	uint64_t b = fib_half(n - 2);
	group.wait();
	return a + b;
}

static Round fib_inline(const Sizes &s) {
	return within([n = s[0]] { return fib_half(n); });
}

// Counted is a grid of tasks with counters by hand, which runs again and again. A task counts down those below and to
// the right of it, and makes each whose counter reaches 0. It returns the one in its own row if rows is set, else that
// in its own column; the counters of this row or column lie side by side.
template <typename F> struct Counted {
	long down, across;
	bool rows;
	F body;
	std::vector<std::atomic<int8_t>> waits;
	Counted(long down, long across, bool rows, F body) : down(down), across(across), rows(rows), body(body), waits(down * across) {
		for (long i = 0; i < down; i++)
			for (long j = 0; j < across; j++)
				arm(i, j);
	}
	std::atomic<int8_t> &wait(long i, long j) { return waits[rows ? i * across + j : j * down + i]; }
	void arm(long i, long j) { wait(i, j).store((i > 0) + (j > 0), std::memory_order_relaxed); }
	task_handle ready(task_group &group, long i, long j) {
		if (i == down || j == across || wait(i, j).fetch_sub(1, std::memory_order_acq_rel) != 1)
			return {};
		return task(group, i, j);
	}
	task_handle task(task_group &group, long i, long j) {
		return group.defer([this, &group, i, j] {
			arm(i, j);
			body(i, j);
			task_handle below = ready(group, i + 1, j), right = ready(group, i, j + 1);
			task_handle &next = rows ? right : below, &other = rows ? below : right;
			if (next && other)
				group.run(std::move(other));
			return std::move(next ? next : other);
		});
	}
	void run() {
		task_group group;
		group.run(task(group, 0, 0));
		group.wait();
	}
};

template <typename F> static std::shared_ptr<Counted<F>> counted(long down, long across, bool rows, F body) {
	return std::make_shared<Counted<F>>(down, across, rows, body);
}

static Round wavefront_counted(const Sizes &s) {
	auto w = std::make_shared<Wave>(s[0]);
	auto tasks = counted(s[0], s[0], true, [&w = *w](long i, long j) { w.cell(i, j); });
	return within([w, tasks] {
		tasks->run();
		return w->checksum();
	});
}

// Flow is a graph of down x across nodes, each behind those above and to the left.
template <typename Policy> struct Flow {
	using Node = tbb::flow::continue_node<Message, Policy>;
	tbb::flow::graph graph;
	std::deque<Node> nodes;
	template <typename F> Flow(long down, long across, F body) {
		for (long i = 0; i < down; i++)
			for (long j = 0; j < across; j++) {
				nodes.emplace_back(graph, [=](const Message &) noexcept { body(i, j); });
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
using Tasks = tbb::flow::queueing;    // a node's body is a task
using Light = tbb::flow::lightweight; // or runs where its last input comes from

// A chain for each thread: each node tallies how many are left, itself included.
template <typename Policy> static std::unique_ptr<Flow<Policy>> chain_flow(long n) {
	return std::make_unique<Flow<Policy>>(n, 1, [n](long i, long) { tally(n - i); });
}

template <typename Policy> static Round chain_once(const Sizes &s) {
	auto flows = std::make_shared<std::vector<std::unique_ptr<Flow<Policy>>>>();
	arena->execute([&] {
		for (size_t k = 0; k < cpus.size(); k++)
			flows->push_back(chain_flow<Policy>(s[0]));
	});
	return within([flows] {
		task_group group;
		for (auto &flow : *flows)
			group.run([&flow] { flow->run(); });
		group.wait();
		return take_tally();
	});
}

static Round chain_each(const Sizes &s) {
	return within([n = s[0]] {
		task_group group;
		for (size_t k = 0; k < cpus.size(); k++)
			group.run([n] { chain_flow<Tasks>(n)->run(); });
		group.wait();
		return take_tally();
	});
}

template <typename Policy> static Round wavefront_once(const Sizes &s) {
	auto w = std::make_shared<Wave>(s[0]);
	auto flow = arena->execute([&] { return std::make_shared<Flow<Policy>>(w->n, w->n, [&w = *w](long i, long j) { w.cell(i, j); }); });
	return within([w, flow] {
		flow->run();
		return w->checksum();
	});
}

static Round wavefront_each(const Sizes &s) {
	auto w = std::make_shared<Wave>(s[0]);
	return within([w] {
		Flow<Tasks>(w->n, w->n, [&w = *w](long i, long j) { w.cell(i, j); }).run();
		return w->checksum();
	});
}

// Sizes: rows and columns of the grid, rows and columns of a tile, sweeps. The last tile of a sweep starts the next.
static Round sweep_once(const Sizes &s) {
	struct Sweeps {
		Grid grid;
		long sweeps, left = 0;
		std::unique_ptr<Flow<Tasks>> flow;
		explicit Sweeps(const Sizes &s) : grid(s), sweeps(s[4]) {
			flow = std::make_unique<Flow<Tasks>>(grid.down, grid.across, [this](long i, long j) {
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

// The same without tasks: the calls of a sweep are nested, so the next sweep begins after they have returned.
static Round sweep_light(const Sizes &s) {
	auto grid = std::make_shared<Grid>(s);
	auto flow = arena->execute(
	    [&] { return std::make_shared<Flow<Light>>(grid->down, grid->across, [&g = *grid](long i, long j) { g.tile(i, j); }); });
	return within([grid, flow, sweeps = s[4]] {
		for (long t = 0; t < sweeps; t++) {
			flow->run();
			grid->feed_back();
		}
		return grid->checksum();
	});
}

static Round sweep_counted(const Sizes &s) {
	auto grid = std::make_shared<Grid>(s);
	auto tasks = counted(grid->down, grid->across, false, [&g = *grid](long i, long j) { g.tile(i, j); });
	return within([grid, tasks, sweeps = s[4]] {
		for (long t = 0; t < sweeps; t++) {
			tasks->run();
			grid->feed_back();
		}
		return grid->checksum();
	});
}

static Round sweep_each(const Sizes &s) {
	auto grid = std::make_shared<Grid>(s);
	return within([grid, sweeps = s[4]] {
		for (long t = 0; t < sweeps; t++) {
			Flow<Tasks>(grid->down, grid->across, [&grid = *grid](long i, long j) { grid.tile(i, j); }).run();
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
	          {"independent-loop", independent_loop},
	          {"chain", chain},
	          {"chain-once", chain_once<Tasks>},
	          {"chain-light", chain_once<Light>},
	          {"chain-each", chain_each},
	          {"fib", fib},
	          {"fib-inline", fib_inline},
	          {"wavefront-counted", wavefront_counted},
	          {"wavefront-once", wavefront_once<Tasks>},
	          {"wavefront-light", wavefront_once<Light>},
	          {"wavefront-each", wavefront_each},
	          {"sweep-counted", sweep_counted},
	          {"sweep-once", sweep_once},
	          {"sweep-light", sweep_light},
	          {"sweep-each", sweep_each},
	      });
}
