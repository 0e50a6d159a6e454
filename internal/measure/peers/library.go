package peers

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"ocr/apps/trial"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/cbuild"
)

//go:embed src
var sources embed.FS

// A Library is another runtime, and the program for it.
type Library struct {
	Name     string
	Packages []string // Debian's packages with compiler and library

	program cbuild.Program
	env     []string // of the program, NAME=VALUE
	ranks   bool     // the program has a process for each thread, which mpirun starts
	home    string   // variable that names the directory of the library's files; "" if it keeps none
}

// flags returns the compiler and its arguments, as in a command line.
func (l *Library) flags() string {
	p := l.program
	words := append([]string{p.Compiler}, p.Flags...)
	return strings.Join(append(words, p.Libraries...), " ")
}

// TBB has task groups, and flow graphs.
var TBB = &Library{
	Name: "oneTBB", Packages: []string{"g++", "libtbb-dev"},
	program: compiled("tbb", "g++", nil, "-ltbb"),
}

// OpenMP has tasks, with and without depend, and doacross loops.
var OpenMP = &Library{
	Name: "LLVM OpenMP", Packages: []string{"clang", "libomp-dev"},
	program: compiled("omp", "clang++", []string{"-fopenmp"}),
	env:     []string{"OMP_PROC_BIND=false", "KMP_AFFINITY=disabled"}, // the program pins its threads
}

// GOMP is OpenMP's program with gcc's compiler and library.
var GOMP = &Library{
	Name: "GNU OpenMP", Packages: []string{"g++"},
	program: compiled("omp", "g++", []string{"-fopenmp"}),
	env:     []string{"OMP_PROC_BIND=false"},
}

// StarPU has tasks that use data handles.
var StarPU = &Library{
	Name: "StarPU", Packages: []string{"g++", "libstarpu-dev"},
	program: compiled("starpu", "g++", []string{"-I/usr/include/starpu/1.3"}, "-lstarpu-1.3"),
	env:     []string{"STARPU_SILENT=1", "STARPU_WORKERS_NOBIND=1"},
	home:    "STARPU_HOME",
}

// MPI has a process for each thread.
var MPI = &Library{
	Name: "Open MPI", Packages: []string{"g++", "libopenmpi-dev", "openmpi-bin"},
	program: compiled("mpi", "mpicxx", []string{"-DOMPI_SKIP_MPICXX"}),
	env: []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_mpi_yield_when_idle=0"}, // --oversubscribe would set 1
	ranks: true,
}

func compiled(name, compiler string, flags []string, libraries ...string) cbuild.Program {
	return cbuild.Program{
		Name: name, Files: sources, Main: "src/" + name + ".cpp",
		Compiler: compiler, Flags: append([]string{"-std=c++17", "-O3"}, flags...), Libraries: libraries,
	}
}

// Missing says why a library's program cannot run here.
type Missing struct {
	Library *Library
	Err     error
	Threads int // with which it did not start; 0 if it could not be compiled
}

func (m *Missing) Error() string {
	if m.Threads > 0 && !errors.Is(m.Err, exec.ErrNotFound) {
		return fmt.Sprintf("%s: started with threads=%d: %v", m.Library.Name, m.Threads, m.Err)
	}
	packages := strings.Join(m.Library.Packages, ", ")
	return fmt.Sprintf("%s: %v (needs Debian's packages %s)", m.Library.Name, m.Err, packages)
}

func (m *Missing) Unwrap() error { return m.Err }

// LeftOut turns the error of a program into the error of its side, for [bench.Plan]. If the program cannot run here, or
// fails, the side takes no more samples, and note gets the reason. A wrong answer, or the end of ctx, ends the
// measurement.
func LeftOut(ctx context.Context, note func(...string), result string, err error) error {
	var missing *Missing
	var wrong *trial.VerifyError
	switch {
	case err == nil || ctx.Err() != nil || errors.As(err, &wrong):
		return err
	case errors.As(err, &missing):
		note("left out: " + missing.Error())
	default:
		note(fmt.Sprintf("%s: no more samples: %v", result, err))
	}
	return bench.ErrOver
}
