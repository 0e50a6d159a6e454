// StarPU: tasks that are ordered by what they do to data handles. The thread that submits them is none of the workers.
#include <starpu.h>

#include <memory>

#include "peer.hpp"

using namespace peer;

// Work is what tasks do, each with a part of its own, which stays where it is. Handles have no memory of StarPU's behind
// them: they only order tasks.
template <typename F> struct Work {
	struct Part {
		Work *work;
		long i, j;
	};
	F body;
	std::vector<Part> parts;
	starpu_codelet codelets[4]; // by the number of handles
	static void run(void **, void *arg) {
		Part *part = static_cast<Part *>(arg);
		part->work->body(part->i, part->j);
	}
	Work(long n, F body) : body(body), parts(n) {
		for (int uses = 0; uses < 4; uses++) {
			starpu_codelet_init(&codelets[uses]);
			codelets[uses].cpu_funcs[0] = run;
			codelets[uses].nbuffers = uses;
			for (int k = 0; k < uses; k++)
				codelets[uses].modes[k] = k == 0 ? STARPU_RW : STARPU_R;
		}
	}
	// Submits part k, which changes the first handle and reads the others.
	void submit(long k, long i, long j, std::initializer_list<starpu_data_handle_t> uses) {
		parts[k] = {this, i, j};
		starpu_task *task = starpu_task_create();
		task->cl = &codelets[uses.size()];
		task->cl_arg = &parts[k];
		task->cl_arg_size = sizeof(Part);
		std::copy(uses.begin(), uses.end(), task->handles);
		if (starpu_task_submit(task) != 0)
			throw std::runtime_error("StarPU takes no task");
	}
};

template <typename F> static std::shared_ptr<Work<F>> work_of(long n, F body) { return std::make_shared<Work<F>>(n, body); }

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
	auto work = work_of(s[0], [](long i, long) { tally(i); });
	return timed([work, n = s[0]] {
		for (long k = n; k > 0; k--)
			work->submit(k - 1, k, 0, {});
		starpu_task_wait_for_all();
		return take_tally();
	});
}

// A chain for each thread, by a handle that all its tasks change.
static Round chain(const Sizes &s) {
	auto work = work_of(s[0], [](long i, long) { tally(i); });
	auto links = std::make_shared<Handles>(cpus.size());
	return timed([work, links, n = s[0]] {
		for (long k = n; k > 0; k--)
			for (auto link : links->all)
				work->submit(k - 1, k, 0, {link});
		starpu_task_wait_for_all();
		return take_tally();
	});
}

// Submits a task for each of down x across places, behind those above and to the left.
template <typename F> static void submit_grid(Work<F> &work, const Handles &at, long down, long across) {
	for (long i = 0; i < down; i++)
		for (long j = 0; j < across; j++) {
			long k = i * across + j;
			auto here = &at.all[k];
			if (i > 0 && j > 0)
				work.submit(k, i, j, {*here, here[-across], here[-1]});
			else if (i > 0 || j > 0)
				work.submit(k, i, j, {*here, i > 0 ? here[-across] : here[-1]});
			else
				work.submit(k, i, j, {*here});
		}
	starpu_task_wait_for_all();
}

static Round wavefront(const Sizes &s) {
	auto wave = std::make_shared<Wave>(s[0]);
	auto work = work_of(s[0] * s[0], [wave](long i, long j) { wave->cell(i, j); });
	auto at = std::make_shared<Handles>(s[0] * s[0]);
	return timed([=] {
		submit_grid(*work, *at, wave->n, wave->n);
		return wave->checksum();
	});
}

// Sizes: rows and columns of the grid, rows and columns of a tile, sweeps.
static Round sweep(const Sizes &s) {
	auto grid = std::make_shared<Grid>(s);
	auto work = work_of(grid->down * grid->across, [grid](long i, long j) { grid->tile(i, j); });
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
	serve("StarPU " + std::to_string(version[0]) + "." + std::to_string(version[1]) + "." + std::to_string(version[2]) + ", scheduler lws",
	      {
	          {"independent", independent},
	          {"chain", chain},
	          {"wavefront", wavefront},
	          {"sweep", sweep},
	      },
	      starpu_pause, starpu_resume);
	starpu_resume();
	starpu_shutdown();
}
