package machine

import (
	"strings"
	"testing"
	"testing/fstest"

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

// TestShares: this process used 25 % of the processors, and others the rest of the busy time.
func TestShares(t *testing.T) {
	testrun.Same(t, &Conditions{Processors: 2, Others: 0.25, Steal: 0.125}, ticks{busy: 100, steal: 25, total: 200}.
		conditions(2, 0.25), "conditions")
	testrun.Same(t, &Conditions{Processors: 2}, ticks{busy: 100, total: 200}.conditions(2, 1), "ticks are coarse")
	testrun.Equal(t, nil, ticks{busy: 1, total: 2}.conditions(2, 0), "two ticks")
}

func TestObserve(t *testing.T) {
	proc := fstest.MapFS{"stat": {Data: []byte(noted)}}
	end := observe([]int{0, 1}, proc)
	proc["stat"] = &fstest.MapFile{Data: []byte(strings.Replace(noted, "cpu1 20 0 20 200", "cpu1 20 0 20 700", 1))}
	testrun.Same(t, &Conditions{Processors: 2}, end(), "conditions")
	end = observe([]int{1}, proc)
	proc["stat"] = &fstest.MapFile{Data: []byte("cpu1 20 0 20 1200 0 0 0 6\n")} // steal goes back
	testrun.Same(t, &Conditions{Processors: 1}, end(), "conditions of a machine that has moved")
	testrun.Equal(t, nil, observe([]int{0}, fstest.MapFS{})(), "conditions without /proc")
}

func TestBusy(t *testing.T) {
	for _, tt := range []struct {
		c    *Conditions
		want string
	}{
		{nil, ""},
		{&Conditions{Processors: 2, Others: 0.05, Steal: 0.05}, ""},
		{&Conditions{Processors: 2, Others: 0.5}, "other processes took 50 % of the processors"},
		{&Conditions{Processors: 2, Steal: 0.2}, "other processes took 0 % of the processors, the hypervisor 20 %"},
	} {
		testrun.Same(t, tt.want, tt.c.Busy(), "%+v: busy", tt.c)
	}
}
