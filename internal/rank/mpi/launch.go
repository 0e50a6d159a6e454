package mpi

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
)

// A launch is what mpirun or srun has put into the environment of this process.
type launch struct {
	rank, ranks   int
	local, locals int // this rank's number among the ranks of its machine, and how many these are
	bound         bool
}

// MaxRanks is the largest number of ranks of a job.
const MaxRanks = 4096

var launched = readLaunch(os.Getenv)

// readLaunch returns nil if neither mpirun nor srun has started the process.
func readLaunch(getenv func(string) string) *launch {
	number := func(missing int, names ...string) int {
		for _, name := range names {
			n := 0
			if _, err := fmt.Sscanf(getenv(name), "%d", &n); err == nil {
				return n
			}
		}
		return missing
	}
	l := &launch{rank: number(-1, "OMPI_COMM_WORLD_RANK"), ranks: number(1, "OMPI_COMM_WORLD_SIZE")}
	if l.rank < 0 { // srun --mpi=pmix
		l.rank, l.ranks = number(-1, "PMIX_RANK"), number(1, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS")
	}
	if l.rank < 0 || l.ranks < 1 {
		return nil
	}
	l.local = number(l.rank, "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID")
	l.locals = number(l.ranks, "OMPI_COMM_WORLD_LOCAL_SIZE")
	if tasks := getenv("SLURM_STEP_TASKS_PER_NODE"); getenv("OMPI_COMM_WORLD_LOCAL_SIZE") == "" && tasks != "" {
		l.locals = tasksOf(tasks, number(0, "SLURM_NODEID"))
	}
	l.locals = max(l.locals, l.local+1)
	l.bound = number(0, "OMPI_MCA_orte_bound_at_launch") != 0 || getenv("SLURM_CPU_BIND_TYPE") != "" &&
		getenv("SLURM_CPU_BIND_TYPE") != "none"
	return l
}

// tasksOf returns the number of tasks of a node, from a list of Slurm's: "2(x3),1" is two on each of the first three
// nodes, and one on the fourth.
func tasksOf(list string, node int) int {
	tasks := 0
	for entry := range strings.SplitSeq(list, ",") {
		nodes := 1
		if n, _ := fmt.Sscanf(entry, "%d(x%d)", &tasks, &nodes); n == 0 || node < nodes {
			break
		}
		node -= nodes
	}
	return tasks
}

// Launched reports whether mpirun or srun has started this process.
func Launched() bool { return launched != nil }

// Command returns the command line that starts a program with its arguments as this many ranks on this machine.
func Command(ranks int, program ...string) []string {
	command := []string{"mpirun", "--oversubscribe", "--bind-to", "none", "-n", strconv.Itoa(ranks)}
	if os.Geteuid() == 0 {
		command = append(command, "--allow-run-as-root")
	}
	return append(command, program...)
}

// FindMpirun returns the path of Open MPI's mpirun. The mpirun of another MPI would start processes that are not ranks.
func FindMpirun() (string, error) {
	path, err := exec.LookPath("mpirun")
	if err != nil {
		return "", fmt.Errorf("%w: apt-get install openmpi-bin", err)
	}
	if version, err := exec.Command(path, "--version").CombinedOutput(); !strings.Contains(string(version), "Open MPI") {
		said, _, _ := strings.Cut(string(version), "\n")
		if err != nil {
			said = err.Error()
		}
		return "", fmt.Errorf("%s is not Open MPI's: --version says %q; apt-get install openmpi-bin, and put its mpirun "+
			"first in $PATH", path, said)
	}
	return path, nil
}

// Refusal says why this process cannot take part in a run over n ranks, n above 1; "" if it can.
func Refusal(n int) string {
	switch {
	case !Built:
		return notBuilt
	case !Launched():
		return "must be started by mpirun or srun: " + strings.Join(Command(n, os.Args...), " ")
	case n != Ranks():
		return fmt.Sprintf("must be %d, as many processes as were started", Ranks())
	}
	return ""
}

// notBuilt says how to get MPI.
var notBuilt = "this program was built without MPI: apt-get install libopenmpi-dev openmpi-bin, then " +
	"CC=mpicc go install -tags mpi " + mainPackage()

// mainPackage returns the path of the program's package, relative to its module, as the go command accepts it.
func mainPackage() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "."
	}
	if below, inside := strings.CutPrefix(build.Path, build.Main.Path); inside && build.Main.Path != "" {
		return "." + below
	}
	return "."
}

// Ranks returns how many processes mpirun or srun has started, 1 if neither has started this process.
func Ranks() int {
	if launched == nil {
		return 1
	}
	return launched.ranks
}

// IsChild reports whether this process is a rank of MPI other than 0.
func IsChild() bool { return launched != nil && launched.rank > 0 }

// Local returns the number of this rank among the ranks of its machine, the number of these, and whether this process
// was bound to processors when it started.
func Local() (k, n int, bound bool) {
	if launched == nil {
		return 0, 1, false
	}
	return launched.local, launched.locals, launched.bound
}
