package runtime

import (
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// TestProcsAutomatic: when a process gets fewer processors Go lowers GOMAXPROCS by itself, but not during a run. The
// test runs a process of its own, and confines all its threads to one processor during the run.
func TestProcsAutomatic(t *testing.T) {
	if len(mask(t)) < 2 {
		t.Skip("needs two processors")
	}
	const inChild = "OCR_TEST_PROCS"
	if os.Getenv(inChild) != "" {
		automaticChild(t)
		return
	}
	t.Parallel() // the child runs for three seconds
	exe, err := os.Executable()
	testrun.OK(t, err)
	child := exec.Command(exe, "-test.run=^TestProcsAutomatic$")
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "GOMAXPROCS=") {
			child.Env = append(child.Env, e)
		}
	}
	child.Env = append(child.Env, inChild+"=1")
	out, err := child.CombinedOutput()
	if want := "during the run: true, afterwards: 1\n"; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v, want %q from:\n%s", err, want, out)
	}
}

func automaticChild(t *testing.T) {
	// Go looks at the mask every second, if the process is busy. On a slow machine Go may look later; then the test passes
	// without having seen anything.
	const looks = 3 * time.Second
	goruntime.SetDefaultGOMAXPROCS() // testing has set it
	held := true
	mustRun(t, starting(func(*edt.Ctx) {
		before := goruntime.GOMAXPROCS(0)
		narrow(t, mask(t)[0])
		for start := time.Now(); time.Since(start) < looks; {
			held = held && goruntime.GOMAXPROCS(0) == before
		}
	}), Workers(1))
	narrow(t, mask(t)[0])
	for start := time.Now(); goruntime.GOMAXPROCS(0) != 1 && time.Since(start) < 10*looks; {
	}
	fmt.Printf("during the run: %v, afterwards: %d\n", held, goruntime.GOMAXPROCS(0))
}

// narrow confines all threads of the process to one processor.
func narrow(t *testing.T, cpu int) {
	var set unix.CPUSet
	set.Set(cpu)
	tasks, err := os.ReadDir("/proc/self/task")
	testrun.OK(t, err)
	for _, task := range tasks {
		if id, err := strconv.Atoi(task.Name()); err == nil {
			_ = unix.SchedSetaffinity(id, &set) // a thread may be gone already
		}
	}
}
