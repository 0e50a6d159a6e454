// MPI: allreduce, put-put through a shared window, and Task Bench's stencil_1d and PRK's synch_p2p by ranks. Rank 0 reads the
// requests; for each round it wakes the others by semaphores in the shared window, so that none polls in between.
#include <mpi.h>
#include <semaphore.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "peer.hpp"

using namespace peer;

enum { segment = 1 << 23 };

// Shared is the part of a rank in the shared window.
struct Shared {
	alignas(128) sem_t wake;
	int bench; // of rank 0: what the others run next; -1: nothing more
	int sizes;
	long size[1 << 14];
	alignas(128) char data[segment];
};

static int rank, ranks, partner;
static MPI_Win win;
static std::vector<Shared *> shared;

// The sum over all ranks, on rank 0.
static uint64_t summed(uint64_t value) {
	uint64_t sum = 0;
	MPI_Reduce(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	return sum;
}

// Every rank runs loop. The time is rank 0's, until all have ended. check gives each rank's part of the checksum, off
// the clock.
template <typename F, typename G> static Took together(F loop, G check) {
	MPI_Barrier(MPI_COMM_WORLD);
	int64_t begin = now();
	loop();
	MPI_Barrier(MPI_COMM_WORLD);
	int64_t ns = now() - begin;
	return {ns, summed(check())};
}

static void meet_all() { MPI_Barrier(MPI_COMM_WORLD); }

static void meet_partner() {
	MPI_Sendrecv(nullptr, 0, MPI_BYTE, partner, 0, nullptr, 0, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Sizes: iterations, bytes.
static Took allreduce(const Sizes &s) {
	int n = int(s[1] / sizeof(int));
	std::vector<int> from(n), to(n);
	for (int k = 0; k < n; k++)
		from[k] = (rank + 1) * (k % 1000 + 1);
	return together(
	    [&] {
		    for (long k = 0; k < s[0]; k++)
			    MPI_Allreduce(from.data(), to.data(), n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	    },
	    [&] {
		    uint64_t sum = 0;
		    for (int v : to)
			    sum += uint64_t(v);
		    return sum;
	    });
}

// Put-put: the first of a pair puts, and has the message put back. The last word of a message is the number of the
// iteration. Sizes: iterations, bytes.
template <typename P, typename S> static Took putput(const Sizes &s, P put, S sync) {
	long words = s[1] / 8;
	auto here = reinterpret_cast<int64_t *>(shared[rank]->data);
	std::vector<int64_t> message(words);
	for (long k = 0; k < words; k++) {
		message[k] = k;
		here[k] = 0;
	}
	bool first = rank < partner;
	return together(
	    [&] {
		    for (long k = 1; k <= s[0]; k++) {
			    message[words - 1] = k;
			    if (first)
				    put(message.data(), words);
			    sync(k, first, here + words - 1);
			    if (!first)
				    put(message.data(), words);
			    sync(k, !first, here + words - 1);
		    }
	    },
	    [&] {
		    uint64_t sum = 0;
		    for (long k = 0; k < words; k++)
			    sum += uint64_t(here[k]);
		    return sum;
	    });
}

static void put_window(const int64_t *message, long words) {
	MPI_Put(message, int(words), MPI_INT64_T, partner, offsetof(Shared, data), int(words), MPI_INT64_T, win);
	MPI_Win_flush(partner, win);
}

static void store_flagged(const int64_t *message, long words) {
	auto there = reinterpret_cast<int64_t *>(shared[partner]->data);
	memcpy(there, message, (words - 1) * sizeof *message);
	__atomic_store_n(there + words - 1, message[words - 1], __ATOMIC_RELEASE);
}

static Took putput_barrier(const Sizes &s) {
	return putput(s, put_window, [](long, bool, int64_t *) { meet_all(); });
}

static Took putput_p2p(const Sizes &s) {
	return putput(s, put_window, [](long, bool, int64_t *) { meet_partner(); });
}

static Took putput_flag(const Sizes &s) {
	return putput(s, store_flagged, [](long k, bool sent, int64_t *flag) {
		for (long polls = 1; !sent && __atomic_load_n(flag, __ATOMIC_ACQUIRE) != k; polls++)
			if (polls % 1024 == 0)
				sched_yield();
	});
}

// Sizes: columns, steps. A rank has a run of columns beside each other, and exchanges those at its ends.
static Took stencil(const Sizes &s) {
	long width = s[0], steps = s[1];
	long first = width * rank / ranks, last = width * (rank + 1) / ranks;
	std::vector<Output> kept(2 * (width + 2));
	int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, after = last < width ? rank + 1 : MPI_PROC_NULL;
	uint64_t right = 0;
	return together(
	    [&] {
		    Output *in = &kept[1], *out = in + width + 2;
		    for (long t = 0; t < steps; t++, std::swap(in, out)) {
			    if (t > 0) {
				    MPI_Request all[4];
				    MPI_Irecv(&in[first - 1], sizeof *in, MPI_BYTE, before, 0, MPI_COMM_WORLD, &all[0]);
				    MPI_Irecv(&in[last], sizeof *in, MPI_BYTE, after, 0, MPI_COMM_WORLD, &all[1]);
				    MPI_Isend(&in[first], sizeof *in, MPI_BYTE, before, 0, MPI_COMM_WORLD, &all[2]);
				    MPI_Isend(&in[last - 1], sizeof *in, MPI_BYTE, after, 0, MPI_COMM_WORLD, &all[3]);
				    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
			    }
			    for (long i = first; i < last; i++) {
				    if (t > 0)
					    for (long k = i > 0 ? i - 1 : 0; k <= i + 1 && k < width; k++)
						    right += in[k].is(t - 1, k);
				    out[i] = {t, i};
			    }
		    }
	    },
	    [&] { return right; });
}

// Any graph of Task Bench, with its kernel, as its own program for MPI: a rank has a run of columns beside each other,
// and in each step messages for the outputs that others need.
static Took graph(const Sizes &s) {
	struct Link {
		long column;
		int rank;
		bool operator==(const Link &o) const { return column == o.column && rank == o.rank; }
	};
	Graph g(s);
	std::vector<int> owner(g.width);
	for (int r = 0; r < ranks; r++)
		for (long i = g.width * r / ranks; i < g.width * (r + 1) / ranks; i++)
			owner[i] = r;
	std::vector<std::vector<Link>> takes(g.sets), gives(g.sets); // by set
	auto add = [](std::vector<Link> &to, Link l) {
		if (std::find(to.begin(), to.end(), l) == to.end())
			to.push_back(l);
	};
	for (long set = 0; set < g.sets; set++)
		for (long i = 0; i < g.width; i++)
			for (long k : g.inputs[set * g.width + i]) {
				if (owner[i] == rank && owner[k] != rank)
					add(takes[set], {k, owner[k]});
				if (owner[k] == rank && owner[i] != rank)
					add(gives[set], {k, owner[i]});
			}
	std::vector<Output> kept(2 * g.width);
	std::vector<MPI_Request> open;
	uint64_t right = 0;
	return together(
	    [&] {
		    Output *in = &kept[0], *out = &kept[g.width];
		    for (long t = 0; t < g.steps; t++, std::swap(in, out)) {
			    open.clear();
			    for (const Link &l : takes[t % g.sets])
				    if (t > 0)
					    MPI_Irecv(&in[l.column], sizeof *in, MPI_BYTE, l.rank, int(l.column), MPI_COMM_WORLD, &open.emplace_back());
			    for (const Link &l : gives[t % g.sets])
				    if (t > 0)
					    MPI_Isend(&in[l.column], sizeof *in, MPI_BYTE, l.rank, int(l.column), MPI_COMM_WORLD, &open.emplace_back());
			    MPI_Waitall(int(open.size()), open.data(), MPI_STATUSES_IGNORE);
			    for (long i = g.width * rank / ranks; i < g.width * (rank + 1) / ranks; i++)
				    right += g.task(t, i, in, &out[i]);
		    }
	    },
	    [&] { return right; });
}

// PRK's synch_p2p: a rank has strips beside each other, takes the column left of a row of tiles from one rank, and sends
// its last column to the other. The last rank's corner lets the first begin the next sweep. Sizes: rows and columns of
// the grid, rows and columns of a tile, sweeps. The grid is kept from round to round.
static Took sweep(const Sizes &s) {
	static std::unique_ptr<Grid> kept;
	static Sizes of;
	Sizes shape(s.begin(), s.begin() + 4);
	if (shape != of)
		kept = std::make_unique<Grid>(of = shape);
	Grid &grid = *kept;
	long high = grid.high, wide = grid.wide, first = grid.across * rank / ranks, last = grid.across * (rank + 1) / ranks;
	std::vector<double> left(high + 1), right(high);
	double before = -grid.first[0], corner = before;
	return together(
	    [&] {
		    for (long t = 0; t < s[4]; t++) {
			    if (rank > 0)
				    left[high] = double(first * wide - 1); // of the row above the tiles
			    for (long i = 0; i < grid.down; i++) {
				    if (rank > 0) {
					    left[0] = left[high];
					    MPI_Recv(&left[1], int(high), MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
					    grid.tile(i, first, left.data(), 1);
				    } else {
					    grid.tile(i, 0);
				    }
				    for (long j = first + 1; j < last; j++)
					    grid.tile(i, j);
				    if (rank + 1 < ranks) {
					    for (long k = 0; k < high; k++)
						    right[k] = grid.strip(last - 1)[(i * high + k + 2) * wide - 1];
					    MPI_Send(right.data(), int(high), MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
				    }
			    }
			    if (rank + 1 == ranks)
				    corner = grid.corner();
			    if (ranks > 1 && rank + 1 == ranks)
				    MPI_Send(&corner, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
			    if (ranks > 1 && rank == 0)
				    MPI_Recv(&corner, 1, MPI_DOUBLE, ranks - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			    if (rank == 0)
				    grid.first[0] = -corner;
		    }
	    },
	    [&] { return rank == 0 ? uint64_t(corner - before) : 0; });
}

using Part = Took (*)(const Sizes &);
static const std::vector<std::pair<std::string, Part>> parts = {
    {"allreduce", allreduce},
    {"putput-barrier", putput_barrier},
    {"putput-p2p", putput_p2p},
    {"putput-flag", putput_flag},
    {"stencil", stencil},
    {"sweep", sweep},
    {"graph", graph},
};

static void wake(int bench, const Sizes &s) {
	Shared *job = shared[0];
	job->bench = bench;
	job->sizes = int(s.size());
	std::copy(s.begin(), s.end(), job->size);
	for (int r = 1; r < ranks; r++)
		sem_post(&shared[r]->wake);
}

int main(int argc, char **argv) {
	start(argc, argv);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	partner = (rank + ranks / 2) % ranks;
	pin(rank);
	Shared *mine;
	MPI_Win_allocate_shared(sizeof *mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
	sem_init(&mine->wake, 1, 0);
	for (int r = 0; r < ranks; r++) {
		MPI_Aint size;
		int unit;
		Shared *there;
		MPI_Win_shared_query(win, r, &size, &unit, &there);
		shared.push_back(there);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank > 0) {
		Shared *job = shared[0];
		for (sem_wait(&mine->wake); job->bench >= 0; sem_wait(&mine->wake))
			parts[job->bench].second(Sizes(job->size, job->size + job->sizes));
	} else {
		std::map<std::string, Bench> benches;
		for (size_t k = 0; k < parts.size(); k++)
			benches[parts[k].first] = [k](const Sizes &s) -> Round {
				Part part = parts[k].second;
				if (part == stencil && s[0] < ranks)
					throw std::runtime_error("a rank needs a column");
				if (part == sweep && s[1] / s[3] < ranks)
					throw std::runtime_error("a rank needs a column of tiles");
				if (s.size() > sizeof Shared::size / sizeof(long))
					throw std::runtime_error("too many sizes");
				bool paired = part == putput_barrier || part == putput_p2p || part == putput_flag;
				if (paired && (ranks % 2 != 0 || (s.size() > 1 && s[1] > segment)))
					throw std::runtime_error("pairs need an even number of ranks, and messages of 8 MiB at most");
				return [k, part, s] {
					wake(int(k), s);
					return part(s);
				};
			};
		char library[MPI_MAX_LIBRARY_VERSION_STRING];
		int length;
		MPI_Get_library_version(library, &length);
		serve(std::string(library).substr(0, std::string(library).find(',')), benches);
		wake(-1, {});
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	MPI_Finalize();
}
