//go:build mpi

package mpi

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"ocr/internal/core/sys"
	"ocr/internal/proof/chaos"
	"ocr/internal/proof/enginetest"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// A test that needs ranks has mpirun start this binary for each of them, to run the same test there.
const memoryVariable = "MPI_TEST_MEMORY" // the file that the ranks of a test have mapped

// mpirun runs the test that calls it as a job of ranks.
func mpirun(t *testing.T, ranks int) (string, error) {
	t.Helper()
	binary, err := os.Executable()
	testrun.OK(t, err)
	memory := filepath.Join(t.TempDir(), "memory")
	testrun.OK(t, os.WriteFile(memory, make([]byte, 8*enginetest.PlaceWords(ranks)), 0o600))
	args := append(testrun.Mpirun(ranks), binary, "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$", "-test.timeout=2m")
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), memoryVariable+"="+memory)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// overRanks has a test run as 2, 3 and 4 ranks.
func overRanks(t *testing.T, test func(t *testing.T, words []uint64, p *process)) {
	if words, p := asRank(t); p != nil {
		defer p.end()
		test(t, words, p)
		return
	}
	for _, ranks := range []int{2, 3, 4} {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			out, err := mpirun(t, ranks)
			if err != nil || strings.Count(out, "PASS\n") != ranks {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// asRank returns the words that the ranks have in common, and this process's part of MPI, nil if it is no rank.
func asRank(t *testing.T) ([]uint64, *process) {
	name := os.Getenv(memoryVariable)
	if name == "" {
		return nil, nil
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	testrun.OK(t, err)
	defer f.Close()
	info, err := f.Stat()
	testrun.OK(t, err)
	memory, err := sys.MapShared(f, int(info.Size()))
	testrun.OK(t, err)
	p, err := initialize()
	testrun.OK(t, err)
	return unsafe.Slice((*uint64)(unsafe.Pointer(&memory[0])), len(memory)/8), p
}

func open(t *testing.T, p *process) rank.Engine {
	e, err := p.open()
	testrun.OK(t, err)
	return e
}

func TestEngine(t *testing.T) {
	overRanks(t, func(t *testing.T, words []uint64, p *process) {
		enginetest.RunRank(t, words, p.ranks, func(t *testing.T) rank.Engine { return open(t, p) })
	})
}

func TestChaos(t *testing.T) {
	overRanks(t, func(t *testing.T, words []uint64, p *process) {
		enginetest.RunRank(t, words, p.ranks, func(t *testing.T) rank.Engine { return chaos.New(open(t, p), 1, 20) })
	})
}

// TestMixed has ranks 0 and 1 on one machine, and 2 and 3 on another: rings here, MPI there.
func TestMixed(t *testing.T) { onMachines(t, func(rank int) int { return rank / 2 }) }

// TestMixedTakesTurns: a rank that polls for one message at a time handles those of another machine too, however many
// its own machine has.
func TestMixedTakesTurns(t *testing.T) {
	const near = 100
	overRanks(t, func(t *testing.T, _ []uint64, p *process) {
		w := newWatch()
		defer w.stop()
		j, err := p.join(p.rank/2, w)
		testrun.OK(t, err)
		switch p.rank {
		case 0:
			if m, is := j.Engine.(*mixed); is {
				takeTurns(t, m, near+p.ranks-2)
			}
		case 1:
			for range near {
				j.Engine.Send(0, &rank.Message{})
			}
		default:
			j.Engine.Send(0, &rank.Message{})
		}
		if err := j.end(); err != nil {
			t.Error(err)
		}
	})
}

// takeTurns handles all messages, one at a time.
func takeTurns(t *testing.T, m *mixed, all int) {
	for !m.ring.Arrived() || !m.Engine.Arrived() {
		m.Sleep(time.Millisecond)
	}
	var from []int
	for len(from) < all {
		m.Poll(1, func(k int, _ *rank.Message) bool {
			from = append(from, k)
			return true
		})
	}
	if first := slices.IndexFunc(from, func(k int) bool { return k > 1 }); first > 1 {
		t.Errorf("%d messages came before that of another machine", first)
	}
}

// TestRings has all ranks on one machine.
func TestRings(t *testing.T) { onMachines(t, func(int) int { return anyMachine }) }

func onMachines(t *testing.T, machine func(rank int) int) {
	overRanks(t, func(t *testing.T, words []uint64, p *process) {
		w := newWatch()
		defer w.stop()
		enginetest.RunRank(t, words, p.ranks, func(t *testing.T) rank.Engine {
			j, err := p.join(machine(p.rank), w)
			testrun.OK(t, err)
			t.Cleanup(func() {
				if err := j.end(); err != nil {
					t.Error(err)
				}
			})
			return j.Engine
		})
	})
}
