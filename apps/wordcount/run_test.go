package wordcount

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/runtime"
)

// shapes are texts of one block and of many, blocks that are shorter than a word, than the window of
// the stream, and longer, and few buffers and many.
var shapes = []Config{
	{Text: 1, Vocabulary: 1, Block: 1, Ahead: 1},
	{Text: 1, Vocabulary: 1, Seed: 3, Block: 1 << 20, Ahead: 100},
	{Text: 200, Vocabulary: 30, Block: 1, Ahead: 1},
	{Text: 200, Vocabulary: 30, Block: 1, Ahead: 3},
	{Text: 1000, Vocabulary: 100, Block: 7, Ahead: 2},
	{Text: 50_000, Vocabulary: 3000, Block: 1000, Ahead: 4},
	{Text: 50_000, Vocabulary: 2, Seed: 2, Block: 999, Ahead: 1000},
	{Text: 300_000, Vocabulary: 20_000, Block: 32 << 10, Ahead: 2},
	{Text: 300_001, Vocabulary: 20_000, Block: 100_000, Ahead: 1},
}

// runEDTs runs the EDT form, and checks what it counts and leaves.
func runEDTs(t *testing.T, app *App, workers int, opts ...runtime.Option) {
	t.Helper()
	var report runtime.Report
	opts = append(opts, runtime.Workers(workers), runtime.Into(&report), runtime.LeakReport())
	if err := runtime.Run(t.Context(), app.Main(), opts...); err != nil {
		t.Errorf("%+v, %d workers: %v", app.cfg, workers, err)
		return
	}
	if err := app.Verify(); err != nil {
		t.Errorf("%+v, %d workers: %v", app.cfg, workers, err)
	}
	for _, leak := range report.Leaks {
		t.Errorf("%+v, %d workers: leak: %v", app.cfg, workers, leak)
	}
	// main, deliver and end; a read and a count for each block; and merges, one less than processors.
	if n := int(report.Counters.EDTRun) - 3 - 2*app.cfg.blocks(); n < 0 || n > workers-1 {
		t.Errorf("%+v, %d workers: %d EDTs beside reading and counting, want 0 to %d", app.cfg, workers, n, workers-1)
	}
}

func TestForms(t *testing.T) {
	for _, cfg := range shapes {
		if err := cfg.Validate(); err != nil {
			t.Fatal(err)
		}
		app := New(cfg)
		for _, workers := range []int{1, 2, 3, 8} {
			runEDTs(t, app, workers)
			for _, f := range app.Forms() {
				err := f.Run(t.Context(), workers)
				if err == nil {
					err = app.Verify()
				}
				if err != nil {
					t.Errorf("%+v, %s, %d workers: %v", cfg, f.Name, workers, err)
				}
			}
		}
	}
}

func TestCheckMode(t *testing.T) {
	for _, cfg := range shapes[:6] {
		for _, workers := range []int{1, 3} {
			runEDTs(t, New(cfg), workers, runtime.Check())
		}
	}
}

// TestAnyOrder: no schedule changes the counts, and none leaves something.
func TestAnyOrder(t *testing.T) {
	for _, cfg := range []Config{
		{Text: 200, Vocabulary: 30, Block: 64, Ahead: 1},
		{Text: 400, Vocabulary: 30, Block: 64, Ahead: 3},
	} {
		app := New(cfg)
		edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
			trial.Check(app.Verify)
			return app.Main()
		}, edttest.Workers(3), edttest.MaxSchedules(700), edttest.NoLeaks())
	}
}

// An aheadObserver finds how many blocks are read and not yet counted.
type aheadObserver struct {
	edt.NopObserver
	now, most *atomic.Int64
	counts    bool
}

func (o *aheadObserver) EDTBegin(_ guid.GUID, t *edt.Template, _ edt.Args) {
	if o.counts = t == count.Template(); t == read.Template() {
		for n := o.now.Add(1); ; {
			if most := o.most.Load(); n <= most || o.most.CompareAndSwap(most, n) {
				break
			}
		}
	}
}

func (o *aheadObserver) EDTReturned(guid.GUID) {
	if o.counts {
		o.now.Add(-1)
	}
}

// TestBackPressure: the reader is never further ahead than it may be, and gets that far.
func TestBackPressure(t *testing.T) {
	for _, ahead := range []int{1, 2, 5} {
		cfg := Config{Text: 20_000, Vocabulary: 100, Block: 100, Ahead: ahead}
		var now, most atomic.Int64
		runEDTs(t, New(cfg), 1, runtime.Observe(func(*edt.Worker) edt.Observer {
			return &aheadObserver{now: &now, most: &most}
		}))
		if now.Load() != 0 || most.Load() != int64(ahead) {
			t.Errorf("ahead by %d at most and by %d in the end, want %d and 0", most.Load(), now.Load(), ahead)
		}
	}
}

// TestSpread: what the reader creates is stolen. In some run each of two workers has a fifth of the counting at
// least; a machine that gives one of them no time may need more runs.
func TestSpread(t *testing.T) {
	app := New(Config{Text: 4 << 20, Vocabulary: 1000, Block: 16 << 10, Ahead: 8})
	for {
		var ran [2]atomic.Int64
		places := 0
		err := runtime.Run(t.Context(), func(c *edt.Ctx, in edt.Args) guid.GUID {
			places = c.Places()
			return app.Main()(c, in)
		}, runtime.Workers(2), runtime.Observe(func(w *edt.Worker) edt.Observer { return &counter{n: &ran[w.Number()]} }))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := ran[0].Load(), ran[1].Load(); places == 1 || 5*min(a, b) >= a+b {
			return
		}
	}
}

type counter struct {
	edt.NopObserver
	n *atomic.Int64
}

func (o *counter) EDTBegin(_ guid.GUID, t *edt.Template, _ edt.Args) {
	if t == count.Template() {
		o.n.Add(1)
	}
}

// TestVerifyFinds: a count that is wrong, a word that is lost, one that is not in the text, and one that is
// there twice.
func TestVerifyFinds(t *testing.T) {
	for _, spoil := range []func(counts *table, s *slot, word []byte) (want string){
		func(_ *table, s *slot, word []byte) string {
			s.count++
			return fmt.Sprintf("%q: got %d, expected %d", word, s.count, s.count-1)
		},
		func(_ *table, s *slot, word []byte) string {
			n := s.count
			s.count = 0
			return fmt.Sprintf("%q: got 0, expected %d", word, n)
		},
		func(counts *table, _ *slot, _ []byte) string {
			counts.add([]byte("a"), hashSeed, 7)
			return `"a": got 7, expected 0`
		},
		func(counts *table, s *slot, word []byte) string {
			counts.add(word, ^s.hash, 1)
			return fmt.Sprintf("%q: got two counts, expected one", word)
		},
	} {
		app := New(Config{Text: 1000, Vocabulary: 1, Block: 64, Ahead: 2})
		runEDTs(t, app, 1)
		s := &app.counts.slots[slices.IndexFunc(app.counts.slots, func(s slot) bool { return s.count > 1 })]
		want := "wordcount: wrong result: " + spoil(&app.counts, s, app.counts.word(s))
		var wrong *trial.VerifyError
		if err := app.Verify(); !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestIncomplete(t *testing.T) {
	app := New(shapes[5])
	if err := app.Verify(); !errors.Is(err, trial.ErrIncomplete) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range app.Forms() {
		if err := f.Run(ctx, 2); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", f.Name, err)
		}
		if err := app.Verify(); !errors.Is(err, trial.ErrIncomplete) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// TestDamagedStream: each form says that the stream is damaged, and at which block.
func TestDamagedStream(t *testing.T) {
	app := New(shapes[5])
	app.stream[frameBytes] = 0xff
	const want = "wordcount: block at byte 0 of the stream: flate: corrupt input before offset"
	for _, f := range append(app.Forms(), trial.Form{Name: "edt", Run: func(ctx context.Context, workers int) error {
		return runtime.Run(ctx, app.Main(), runtime.Workers(workers))
	}}) {
		if err := f.Run(t.Context(), 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", f.Name, err, want)
		}
	}
}
