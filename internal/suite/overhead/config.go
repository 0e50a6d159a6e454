package overhead

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/harness"
	"ocr/internal/report"
	"ocr/internal/sizes"
	"ocr/internal/sys"
)

// Name is the suite's.
const Name = "overhead"

// Config is what is measured.
type Config struct {
	Rows    []*Row // see Select
	Full    bool   // rows of a million EDTs are among those that no pattern names
	Workers []int  // one number after the other; none for 1 and as many as the testbed's pool has

	// miscount changes what the runtime has counted, for tests of the verification.
	miscount func(*edt.Counters)
}

// Operations returns the operations of all rows, each once.
func Operations() []string {
	var names []string
	for _, r := range Rows() {
		if name, _, _ := strings.Cut(r.Name, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// List lists rows, each with its peers.
func List(w io.Writer, rows []*Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, row := range rows {
		beside := ""
		if peers := peerNames(row); len(peers) > 0 {
			beside = "; beside " + strings.Join(peers, ", ")
		}
		fmt.Fprintf(t, "%s\t%s%s\n", row.Name, row.What, beside)
	}
	return t.Flush()
}

// layOut lists what is to be measured. Memory comes first: the process keeps records
// that once were in use.
func layOut(bed *harness.Testbed, cfg Config, offHeap func() (uint64, error)) (*run, error) {
	r := &run{Testbed: bed, cfg: cfg, find: map[key]*result{}}
	if err := r.pool(); err != nil {
		return nil, err
	}
	r.bench = Bench{
		Target: bed.SampleTime, NoVerify: !bed.Verify, Yield: sys.Yield, Barrier: barrier, OffHeap: offHeap, Miscount: cfg.miscount,
	}
	most := slices.MaxFunc(r.pools, func(a, b *harness.Pool) int { return a.Workers - b.Workers })
	_, err := offHeap()
	for _, row := range cfg.Rows {
		switch {
		case row.IsFootprint() && err != nil:
			r.note("left out: rows of memory: " + err.Error())
			continue
		case row.IsFootprint():
			r.footprints = append(r.footprints, row)
			continue
		case row.MinWorkers > most.Workers:
			r.note(fmt.Sprintf("left out: %s: needs %d workers", row.Name, row.MinWorkers))
		}
		for _, p := range r.pools {
			if p.Workers >= row.MinWorkers {
				r.groups = append(r.groups, group{row, p})
			}
		}
	}
	if len(r.groups)+len(r.footprints) == 0 {
		return nil, r.nothing()
	}
	return r, nil
}

// pool makes a pool for each number of workers.
func (r *run) pool() error {
	counts := r.cfg.Workers
	if len(counts) == 0 {
		counts = []int{1}
		if n := r.Pool.Workers; n > 1 {
			counts = append(counts, n)
		}
	}
	for _, n := range counts {
		p, err := harness.NewPool(r.Machine, n, r.Pool.CPUs, r.Pool.Bind)
		if err != nil {
			return err
		}
		r.pools = append(r.pools, p)
	}
	return nil
}

// nothing says why none of the rows can be measured.
func (r *run) nothing() error {
	row := r.cfg.Rows[0]
	if row.IsFootprint() {
		return fmt.Errorf("row %s: %w", row.Name, errNoOffHeap)
	}
	return &trial.ConfigError{
		Flag: "workers", Value: r.workerCounts(), Allowed: fmt.Sprintf("%d or more for row %s", row.MinWorkers, row.Name),
	}
}

func (r *run) workerCounts() string {
	var counts []int
	for _, p := range r.pools {
		counts = append(counts, p.Workers)
	}
	return sizes.Join(counts)
}

// settings returns the recorded configuration.
func (r *run) settings() report.Config {
	var names []string
	for _, row := range r.cfg.Rows {
		names = append(names, row.Name)
	}
	rows := "default"
	if all, err := Select(Rows(), nil, r.cfg.Full); err != nil || len(all) != len(names) {
		rows = sizes.Join(names)
	}
	common := r.Settings()
	for i := range common {
		if common[i].Key == "workers" {
			common[i].Value = r.workerCounts()
		}
	}
	return append(report.Config{{Key: "rows", Value: rows}, {Key: "full", Value: r.cfg.Full}}, common...)
}

// barrier is the barrier that thieves execute; nothing if the system has none.
func barrier() {
	if sys.HasProcessBarrier() {
		sys.ProcessBarrier()
	}
}
