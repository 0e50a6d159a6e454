package remote

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

const (
	programVariable = "OCR_TEST_RANKS"
	socketVariable  = "OCR_TEST_SOCKET" // in a process that mpirun has started: the socket of its rank
)

// ServeIfAsked serves a rank and then exits, if this process was started for it. join returns the engine, and a
// function to call after the engine is closed.
func ServeIfAsked(join func() (e rank.Engine, end func(), err error)) {
	socket := os.Getenv(socketVariable)
	if socket == "" {
		return
	}
	e, end, err := join()
	if err != nil {
		fail(err)
	}
	home, err := net.Dial("unix", fmt.Sprint(socket, e.Rank()))
	if err != nil {
		fail(err)
	}
	serve(e, newEnd(home))
	end()
	os.Exit(0)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "remote:", err)
	os.Exit(1)
}

// A job is the processes of the ranks of a run.
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
	socket := filepath.Join(dir, "rank")
	listeners := make([]net.Listener, ranks)
	for k := range ranks {
		if listeners[k], err = net.Listen("unix", fmt.Sprint(socket, k)); err != nil {
			return nil, err
		}
		defer listeners[k].Close()
	}
	command := testrun.Mpirun(ranks, program)
	j := &job{dir: dir, mpirun: exec.Command(command[0], command[1:]...)}
	j.mpirun.Env = append(os.Environ(), socketVariable+"="+socket)
	j.mpirun.Stdout, j.mpirun.Stderr = os.Stdout, os.Stderr
	if err := j.mpirun.Start(); err != nil {
		return nil, err
	}
	for k, l := range listeners {
		c, err := l.Accept()
		if err != nil {
			return nil, err
		}
		j.engines = append(j.engines, newEngine(k, ranks, newEnd(c)))
	}
	return j, nil
}

func (j *job) end() error {
	for _, e := range j.engines {
		e.Close()
	}
	return errors.Join(j.mpirun.Wait(), os.RemoveAll(j.dir))
}

// Asked reports whether OCR_TEST_RANKS asks for tests over processes of MPI.
func Asked() bool { return os.Getenv(programVariable) != "" }

// Main runs tests over processes of MPI, for their TestMain, and returns the exit code. The runs of all tests use the
// same processes, one after the other.
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
