package remote

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
	"ocr/internal/rank/ring"
)

const (
	programVariable = "OCR_TEST_RANKS"
	memoryVariable  = "OCR_TEST_MEMORY" // of a process that mpirun has started: the file with the rings of all ranks
)

// ServeIfAsked serves a rank and then exits, if this process was started for that. join returns the engine, and a
// function to call after the engine is closed.
func ServeIfAsked(join func() (e rank.Engine, end func() error, err error)) {
	file := os.Getenv(memoryVariable)
	if file == "" {
		return
	}
	err := func() error {
		e, end, err := join()
		if err != nil {
			return err
		}
		homes, err := rings(file, e.Size(), 1)
		if err != nil {
			return err
		}
		return errors.Join(serve(e, homes[e.Rank()]), end())
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "remote:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// rings opens one end of each rank's ring in a file.
func rings(file string, ranks, end int) (all []*ring.Engine, err error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	each := ring.Bytes(2, ring.DefaultLines)
	memory, err := sys.MapShared(f, ranks*each)
	if err != nil {
		return nil, err
	}
	for k := range ranks {
		m, err := ring.NewMemory(memory[k*each:][:each], 2, ring.DefaultLines)
		if err != nil {
			return nil, err
		}
		all = append(all, ring.Open(m, end))
	}
	return all, nil
}

// A job is the processes of its ranks.
type job struct {
	engines []rank.Engine
	mpirun  *exec.Cmd
	dir     string
}

func start(program string, ranks int) (*job, error) {
	dir, err := os.MkdirTemp("", "ranks")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "rings")
	if err := os.WriteFile(file, make([]byte, ranks*ring.Bytes(2, ring.DefaultLines)), 0o600); err != nil {
		return nil, err
	}
	ends, err := rings(file, ranks, 0)
	if err != nil {
		return nil, err
	}
	command := testrun.Mpirun(ranks, program)
	j := &job{dir: dir, mpirun: exec.Command(command[0], command[1:]...)}
	j.mpirun.Env = append(os.Environ(), memoryVariable+"="+file)
	j.mpirun.Stdout, j.mpirun.Stderr = os.Stdout, os.Stderr
	for k, end := range ends {
		j.engines = append(j.engines, newEngine(k, ranks, end))
	}
	return j, j.mpirun.Start()
}

func (j *job) end() error {
	for _, e := range j.engines {
		_ = e.Close() // mpirun prints the error
	}
	return errors.Join(j.mpirun.Wait(), os.RemoveAll(j.dir))
}

// Asked reports whether OCR_TEST_RANKS asks for tests over such processes.
func Asked() bool { return os.Getenv(programVariable) != "" }

// Main runs tests over processes, for their TestMain, and returns the exit code. Ranks of all tests use the same
// processes, one run after the other.
func Main(m *testing.M) int {
	program := os.Getenv(programVariable)
	jobs := make(map[int]*job)
	rank.Elsewhere = func(ranks int) []rank.Engine {
		j := jobs[ranks]
		if j == nil {
			var err error
			if j, err = start(program, ranks); err != nil {
				panic(err)
			}
			jobs[ranks] = j
		}
		return j.engines
	}
	code := m.Run()
	for ranks, j := range jobs {
		if err := j.end(); err != nil {
			fmt.Fprintf(os.Stderr, "remote: %d ranks: %v\n", ranks, err)
			code = 1
		}
	}
	return code
}
