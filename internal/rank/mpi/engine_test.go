//go:build mpi

package mpi

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"ocr/internal/proof/chaos"
	"ocr/internal/proof/enginetest"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// A test that needs ranks makes mpirun start this binary for each of them, to run the same test.
const memoryVariable = "MPI_TEST_MEMORY" // the file that all ranks of a test map

// mpirun runs the calling test as a job of ranks.
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

// overRanks runs a test as 2, 3 and 4 ranks.
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

// asRank returns the memory that the ranks share and this process's part of MPI, nil if the process is not a rank.
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
	memory, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
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

// TestStreamForgets: a stream that never runs empty does not keep what was sent, and a rank does not keep the memory of
// a large message. No MPI is needed: the packets go from hand to hand.
func TestStreamForgets(t *testing.T) {
	o, in, packet := new(outgoing), &incoming{engine: new(Engine)}, make([]byte, packetBytes)
	sizes := []int{keptTail + 1, 100, 64 << 10, 1}
	sent, got, most := 0, 0, 0
	put := func() {
		o.put(&rank.Message{Kind: uint8(sent), Tail: bytes.Repeat([]byte{byte(sent)}, sizes[min(sent, sent%3+1)])})
		sent++
	}
	for put(); got < 200; {
		for len(o.bytes)-o.from < 4*sizes[2] {
			put()
		}
		n := o.fill(packet[packetHeader:])
		in.take(packet[:packetHeader+n])
		in.poll(100, func(_ int, m *rank.Message) bool {
			if size := sizes[min(got, got%3+1)]; m.Kind != uint8(got) || len(m.Tail) != size || m.Tail[size-1] != m.Kind {
				t.Fatalf("message %d has kind %d and %d bytes, want %d", got, m.Kind, len(m.Tail), size)
			}
			got++
			return true
		})
		if got > 20 {
			most = max(most, len(o.bytes), cap(in.tail), cap(in.message.Tail))
		}
	}
	if most > keptTail {
		t.Errorf("%d bytes are kept", most)
	}
}
