package machine

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

const noted = `cpu  100 0 100 1000 0 0 0 0 0 0
cpu0 10 1 10 100 5 2 3 0 0 0
cpu1 20 0 20 200 0 0 0 7 0 0
cpu10 1000 0 1000 1000 0 0 0 0 0 0
intr 12345
`

func TestReadTicks(t *testing.T) {
	proc := fstest.MapFS{"stat": {Data: []byte(noted)}}
	got, ok := readTicks(proc, []int{0, 1})
	if want := (ticks{busy: 26 + 40, steal: 7, total: 131 + 247}); !ok || got != want {
		t.Errorf("readTicks = %+v, %v, want %+v", got, ok, want)
	}
	for _, tt := range []struct {
		what string
		proc fstest.MapFS
		cpus []int
	}{
		{"a processor that is not there", proc, []int{0, 2}},
		{"no processors", proc, nil},
		{"no file", fstest.MapFS{}, []int{0}},
		{"no number", fstest.MapFS{"stat": {Data: []byte("cpu0 1 2 x 4 5 6 7 8 9 10\n")}}, []int{0}},
	} {
		if got, ok := readTicks(tt.proc, tt.cpus); ok {
			t.Errorf("%s: readTicks = %+v, want none", tt.what, got)
		}
	}
}

// TestShare: of a second of two processors, this process used 0.6 s and others the rest of the busy time.
func TestShare(t *testing.T) {
	c := Conditions{Processors: 2, Seconds: 1, Others: -1, Steal: -1}
	c.share(ticks{busy: 100, steal: 20, total: 200}, 600*time.Millisecond)
	if math.Abs(c.Others-0.2) > 1e-9 || math.Abs(c.Steal-0.1) > 1e-9 {
		t.Errorf("others, steal = %v, %v, want 0.2, 0.1", c.Others, c.Steal)
	}
	c.share(ticks{busy: 100, total: 200}, 2*time.Second) // ticks are coarse
	testrun.Equal(t, 0, c.Others, "others")
	short := Conditions{Processors: 2, Seconds: 0.01, Others: -1, Steal: -1}
	if short.share(ticks{busy: 1, total: 2}, 0); short.Others != -1 {
		t.Errorf("others = %v of two ticks, want unknown", short.Others)
	}
}

// TestObserve gives an observation made-up numbers, and checks the conditions.
func TestObserve(t *testing.T) {
	proc := fstest.MapFS{"stat": {Data: []byte(noted)}, "loadavg": {Data: []byte("3.50 2 1 1/2 3\n")}}
	rounds := []spun{{best: 2, together: 3.8}, {best: 1.5, together: 2}}
	o := observe([]int{0, 1}, proc, func([]int) spun {
		s := rounds[0]
		rounds = rounds[1:]
		return s
	})
	proc["stat"] = &fstest.MapFile{Data: []byte(strings.Replace(noted, "cpu1 20 0 20 200", "cpu1 20 0 20 700", 1))}
	c := o.End()
	want := &Conditions{
		Processors: 2, Seconds: c.Seconds, CapacityBefore: 1.9, CapacityAfter: 1,
		Load: 3.5, Involuntary: c.Involuntary,
	}
	if diff := cmp.Diff(want, c); diff != "" || c.Seconds <= 0 {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	alone := observe([]int{0}, fstest.MapFS{}, func([]int) spun {
		t.Error("loops ran for one processor")
		return spun{}
	}).End()
	if alone.Others != -1 || alone.Steal != -1 || alone.Load != -1 || alone.Capacity() != 0 {
		t.Errorf("without /proc: %+v", alone)
	}
}

func TestBusy(t *testing.T) {
	for _, tt := range []struct {
		c    *Conditions
		want string
	}{
		{nil, ""},
		{&Conditions{Processors: 1, Others: -1, Steal: -1}, ""},
		{&Conditions{Processors: 2, CapacityBefore: 1.1, CapacityAfter: 1.1, Others: 0.05}, ""}, // two threads of a core
		{&Conditions{Processors: 2, CapacityBefore: 1.9, CapacityAfter: 1.9, Others: 0.5},
			"other processes took 50 % of the processors"},
		{&Conditions{Processors: 2, Steal: 0.2}, "the hypervisor took 20 %"},
		{&Conditions{Processors: 2, CapacityBefore: 1.9, CapacityAfter: 1.2},
			"the processors gave 1.90 of 2 before and 1.20 after"},
	} {
		testrun.Same(t, tt.want, tt.c.Busy(), "%+v: busy", tt.c)
	}
	c := Conditions{Processors: 2, CapacityBefore: 1.93, CapacityAfter: 1.88, Others: 0.03, Involuntary: 12, Load: 1}
	const plain = "capacity 1.93 of 2 before, 1.88 after; " +
		"other processes took 3 % of the processors, 12 involuntary switches"
	testrun.Same(t, plain, fmt.Sprint(&c), "conditions read")
}

// TestSpin: loops on the processors of this machine make progress, and keep the thread's mask. How much progress
// depends on the load of the machine.
func TestSpin(t *testing.T) {
	m, err := Read()
	testrun.OK(t, err)
	cpus := append(m.Allowed[:1:1], m.Allowed[len(m.Allowed)-1])
	s := spin(cpus)
	if all := s.together.in(s.best); all <= 0 || all > float64(len(cpus)) {
		t.Errorf("%+v: a capacity of %v on %d processors", s, all, len(cpus))
	}
	if now, err := sys.GetAffinity(); err == nil {
		testrun.Same(t, m.Allowed, now, "mask (-before +after)")
	}
	testrun.Equal(t, 0, pace(3).in(0), "capacity without a loop's pace")
}
