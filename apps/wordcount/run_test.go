package wordcount

import (
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/harness/trialtest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/runtime/finding"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shapes are texts of one block and of many; with blocks shorter than a word, shorter than the window of the stream,
// and longer; with few buffers and many.
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

// tested expects one true note of check mode: which buffer and which table an EDT gets depends on the order of the
// EDTs, on purpose.
var tested = trialtest.Plan[Config, *App]{
	New:        New,
	Spoil:      func(a *App) { a.counts = a.cfg.newTable() },
	Valid:      []Config{Defaults()},
	Forms:      shapes,
	Checked:    shapes[:6],
	Expected:   []finding.Kind{finding.SendOrder},
	Incomplete: shapes[5:6],
	Ranks:      []Config{{Text: 20_000, Vocabulary: 100, Seed: 2, Block: 500, Ahead: 4}},
	Refused: map[string]Config{
		"wordcount: --text 0: must be 1..1073741824":                             {0, 20_000, 1, 64 << 10, 4},
		"wordcount: --text 1073741825: must be 1..1073741824":                    {1<<30 + 1, 20_000, 1, 64 << 10, 4},
		"wordcount: --vocabulary 0: must be 1..4194304":                          {16 << 20, 0, 1, 64 << 10, 4},
		"wordcount: --block 0: must be 1..67108864":                              {16 << 20, 20_000, 1, 0, 4},
		"wordcount: --block 8: must be 1024 or more, for at most 1048576 blocks": {1 << 30, 20_000, 1, 8, 4},
		"wordcount: --ahead 0: must be 1..1024":                                  {16 << 20, 20_000, 1, 64 << 10, 0},
		"wordcount: --ahead 17: must be 1..16, for at most 1.0 GiB of buffers":   {16 << 20, 20_000, 1, 1 << 26, 17},
	},
}

func TestApp(t *testing.T) { tested.Test(t) }

// TestAnyOrder: no schedule changes the counts, or leaves an object.
func TestAnyOrder(t *testing.T) {
	for _, cfg := range []Config{
		{Text: 200, Vocabulary: 30, Block: 64, Ahead: 1},
		{Text: 400, Vocabulary: 30, Block: 64, Ahead: 3},
	} {
		app := New(cfg) // one App for all runs, as compression is slow
		trialtest.Explore(t, func() trial.App { return app }, edttest.Workers(3), edttest.MaxSchedules(700))
	}
}

// counters runs the EDT form on one worker, and returns the runtime's counters.
func counters(t *testing.T, app *App, opts ...runtime.Option) edt.Counters {
	t.Helper()
	var report runtime.Report
	testrun.OK(t, runtime.Run(t.Context(), app.Main(), append(opts, runtime.Workers(1), runtime.Into(&report))...))
	testrun.OK(t, app.Verify())
	return report.Counters.Counters
}

// TestCounts: each block has one EDT that reads it and one that counts it, and a run creates only four data blocks
// beside the buffers.
func TestCounts(t *testing.T) {
	cfg := Config{Text: 100_000, Vocabulary: 100, Block: 1000, Ahead: 3}
	got := counters(t, New(cfg))
	testrun.Equal(t, uint64(2*cfg.blocks()+3), got.EDTRun, "EDTs: main, deliver, end, and those that read and count")
	testrun.Equal(t, uint64(4+cfg.Ahead), got.BlockCreated, "blocks: the stream, the window, the list of shelves, one "+
		"table, and the buffers")
}

// An aheadObserver finds how many blocks are read and not yet counted, in a run on one worker.
type aheadObserver struct {
	edt.NopObserver
	now, most int
	counts    bool
}

func (o *aheadObserver) EDTBegin(_ guid.GUID, t *edt.Template, _ edt.Args) {
	if o.counts = t == count.Template(); t == read.Template() {
		o.now++
		o.most = max(o.most, o.now)
	}
}

func (o *aheadObserver) EDTReturned(guid.GUID) {
	if o.counts {
		o.now--
	}
}

// TestBackPressure: the reader is as far ahead as it may be, and never further.
func TestBackPressure(t *testing.T) {
	for _, ahead := range []int{1, 2, 5} {
		o := new(aheadObserver)
		counters(t, New(Config{Text: 20_000, Vocabulary: 100, Block: 100, Ahead: ahead}),
			runtime.Observe(func(*edt.Worker) edt.Observer { return o }))
		testrun.Equal(t, [2]int{ahead, 0}, [2]int{o.most, o.now}, "blocks ahead, at most and in the end")
	}
}

// TestVerifyFinds: Verify finds a wrong count, a lost word, a word that is not in the text, and a word that occurs
// twice.
func TestVerifyFinds(t *testing.T) {
	for _, spoil := range []func(counts table, s *slot) (want string){
		func(_ table, s *slot) string {
			s.count++
			return fmt.Sprintf("%q: got %d, expected %d", s.word, s.count, s.count-1)
		},
		func(_ table, s *slot) string {
			n := s.count
			s.count = 0
			return fmt.Sprintf("%q: got 0, expected %d", s.word, n)
		},
		func(counts table, _ *slot) string {
			counts.add(word{low: 'a'}, 7)
			return `"a": got 7, expected 0`
		},
		func(counts table, s *slot) string {
			counts[slices.IndexFunc(counts, func(s slot) bool { return s.count == 0 })] = slot{s.word, 1}
			return fmt.Sprintf("%q: got two counts, expected one", s.word)
		},
	} {
		app := New(Config{Text: 1000, Vocabulary: 1, Block: 64, Ahead: 2})
		counters(t, app)
		s := &app.counts[slices.IndexFunc(app.counts, func(s slot) bool { return s.count > 1 })]
		want := "wordcount: wrong result: " + spoil(app.counts, s)
		testrun.Equal(t, want, testrun.As[*trial.VerifyError](t, app.Verify(), "%s", want).Error(), "error")
	}
}

// TestDamagedStream: the error of each form says that the stream is damaged, and at which block.
func TestDamagedStream(t *testing.T) {
	app := New(shapes[5])
	app.stream[frameBytes] = 0xff
	const want = "wordcount: block at byte 0 of the stream: flate: corrupt input before offset"
	for _, f := range trialtest.AllForms(app) {
		testrun.Fails(t, f.Run(t.Context(), 2), want, "%s", f.Name)
	}
}
