// StarPU: tasks that are ordered by what they do to data handles. The thread that submits them is none of the workers.
#include <starpu.h>

#include <memory>

#include "peer.hpp"

using namespace peer;

// Work is the work of a task. Handles have no memory of StarPU's behind them: they only order tasks.
struct Work {
	std::function<void(long, long)> body;
	starpu_codelet codelet;
	static void run(void **, void *arg) {
		Work *work;
		long i, j;
		starpu_codelet_unpack_args(arg, &work, &i, &j);
		work->body(i, j);
	}
	explicit Work(std::function<void(long, long)> body) : body(body) {
		starpu_codelet_init(&codelet);
		codelet.cpu_funcs[0] = run;
		codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
	}
	void submit(long i, long j, std::initializer_list<starpu_data_descr> uses) {
		Work *self = this;
		starpu_data_descr all[3];
		std::copy(uses.begin(), uses.end(), all);
		if (starpu_task_insert(&codelet, STARPU_DATA_MODE_ARRAY, all, int(uses.size()), STARPU_VALUE, &self, sizeof self,
		                       STARPU_VALUE, &i, sizeof i, STARPU_VALUE, &j, sizeof j, 0) != 0)
			throw std::runtime_error("StarPU takes no task");
	}
};

struct Handles {
	std::vector<starpu_data_handle_t> all;
	explicit Handles(long n) : all(n) {
		for (auto &h : all)
			starpu_void_data_register(&h);
	}
	~Handles() {
		for (auto &h : all)
			starpu_data_unregister(h);
	}
};

static Round independent(const Sizes &s) {
	auto work = std::make_shared<Work>([](long i, long) { tally(i); });
	return timed([work, n = s[0]] {
		for (long k = n; k > 0; k--)
			work->submit(k, 0, {});
		starpu_task_wait_for_all();
		return take_tally();
	});
}

// A chain for each thread, by a handle that all its tasks change.
static Round chain(const Sizes &s) {
	auto work = std::make_shared<Work>([](long i, long) { tally(i); });
	auto links = std::make_shared<Handles>(cpus.size());
	return timed([work, links, n = s[0]] {
		for (long k = n; k > 0; k--)
			for (auto link : links->all)
				work->submit(k, 0, {{link, STARPU_RW}});
		starpu_task_wait_for_all();
		return take_tally();
	});
}

// Submits a task for each of down x across places, behind those above and to the left.
static void submit_grid(Work &work, const Handles &at, long down, long across) {
	for (long i = 0; i < down; i++)
		for (long j = 0; j < across; j++) {
			starpu_data_descr here{at.all[i * across + j], STARPU_RW};
			starpu_data_descr up{i > 0 ? at.all[(i - 1) * across + j] : nullptr, STARPU_R};
			starpu_data_descr left{j > 0 ? at.all[i * across + j - 1] : nullptr, STARPU_R};
			if (i > 0 && j > 0)
				work.submit(i, j, {here, up, left});
			else if (i > 0 || j > 0)
				work.submit(i, j, {here, i > 0 ? up : left});
			else
				work.submit(i, j, {here});
		}
	starpu_task_wait_for_all();
}

static Round wavefront(const Sizes &s) {
	auto wave = std::make_shared<Wave>(s[0]);
	auto work = std::make_shared<Work>([wave](long i, long j) { wave->cell(i, j); });
	auto at = std::make_shared<Handles>(s[0] * s[0]);
	return timed([=] {
		submit_grid(*work, *at, wave->n, wave->n);
		return wave->checksum();
	});
}

// Sizes: rows and columns of the grid, rows and columns of a tile, sweeps.
static Round sweep(const Sizes &s) {
	auto grid = std::make_shared<Grid>(s);
	auto work = std::make_shared<Work>([grid](long i, long j) { grid->tile(i, j); });
	auto at = std::make_shared<Handles>(grid->down * grid->across);
	return timed([=, sweeps = s[4]] {
		for (long t = 0; t < sweeps; t++) {
			submit_grid(*work, *at, grid->down, grid->across);
			grid->feed_back();
		}
		return grid->checksum();
	});
}

int main(int argc, char **argv) {
	start(argc, argv);
	starpu_conf conf;
	starpu_conf_init(&conf);
	conf.ncpus = cpus.size();
	conf.ncuda = conf.nopencl = 0;
	conf.sched_policy_name = "lws";
	if (starpu_init(&conf) != 0 || starpu_cpu_worker_get_count() != cpus.size()) {
		printf("error StarPU does not start %zu workers here\n", cpus.size());
		return 1;
	}
	starpu_execute_on_each_worker([](void *) { pin(starpu_worker_get_id()); }, nullptr, STARPU_CPU);
	int version[3];
	starpu_get_version(&version[0], &version[1], &version[2]);
	bool asleep = false;
	auto awake = [&](Bench bench) {
		return [&asleep, bench](const Sizes &s) {
			if (asleep)
				starpu_resume();
			asleep = false;
			return bench(s);
		};
	};
	serve("StarPU " + std::to_string(version[0]) + "." + std::to_string(version[1]) + "." + std::to_string(version[2]) + ", scheduler lws",
	      {
	          {"independent", awake(independent)},
	          {"chain", awake(chain)},
	          {"wavefront", awake(wavefront)},
	          {"sweep", awake(sweep)},
	      },
	      [&] {
		      if (!asleep)
			      starpu_pause();
		      asleep = true;
	      });
	starpu_resume();
	starpu_shutdown();
}
