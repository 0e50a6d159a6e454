package fft

import (
	"math/bits"
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A chunk is a block of points. EDTs get the names of all chunks, and the roots, which do not change.
type (
	chunk  = task.Block[complex128]
	chunks = task.Const[chunk]
	points = task.Ref[complex128]
)

// Main returns the main EDT. It puts the points into blocks, and makes a finish EDT for the transform.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return task.Main(func(c *edt.Ctx) {
		points := a.cfg.chunk()
		input := slices.Collect(slices.Chunk(a.input, points))
		a.spectrum = a.spectrum[:len(a.input)]
		all, roots := part{0, len(input), len(input), points}, task.Of(c, a.roots...)
		roots.Release(c)
		first := func(k int) edt.Affinity { return all.togetherAt(c, k) }
		trial.Scatter(c, input, first, func(c *edt.Ctx, blocks []chunk) {
			names := task.Of(c, blocks...)
			names.Release(c)
			a.Begin()

			var results []guid.GUID
			for _, b := range blocks {
				results = append(results, b.GUID)
			}
			done, last := task.Once[task.Nothing](c), func(k int) edt.Affinity { return all.at(c, k) }
			trial.Gather(c, "fft.deliver", &a.Clock, done, results, slices.Collect(slices.Chunk(a.spectrum, points)), last,
				names.GUID, roots.GUID)
			whole.NewWith(c, task.Opt{Output: done, Finish: true}, all, names.From(), roots.From())
		}, roots.GUID)
	})
}

// A part is some chunks that follow on each other, of all that there are, and how many points each has.
type part struct{ First, Count, All, Points int }

// home returns the worker that a chunk is dealt to in the end: neighbours go to one.
func (p part) home(chunk, places int) int { return chunk * places / p.All }

// run returns how many chunks a rank has in the end. Ranks do the butterflies of larger parts together, each on the
// same chunks in every level, so that a chunk moves once.
func (p part) run(ranks int) int { return max(1, p.All>>bits.Len(uint(ranks-1))) }

// together returns the worker that has a chunk for those.
func (p part) together(n, places, ranks int) int { return n % p.run(ranks) * places / p.run(ranks) }

func (p part) at(c *edt.Ctx, chunk int) edt.Affinity { return c.Place(p.home(chunk, c.Places())) }

func (p part) togetherAt(c *edt.Ctx, n int) edt.Affinity {
	return c.Place(p.together(n, c.Places(), c.Ranks()))
}

// whole begins the transform, in the scope of a finish EDT.
var whole = task.Define2("fft.whole", func(c *edt.Ctx, p part, names chunks, roots points) {
	p.transform(c, task.None[task.Nothing](), names, roots)
})

// transform makes the EDT that transforms a part when after is satisfied.
func (p part) transform(c *edt.Ctx, after task.Source[task.Nothing], names chunks, roots points) {
	if p.Count == 1 {
		leaf.NewAt(c, p.at(c, p.First), task.Nothing{}, after, names.At(p.First).From(), roots.Block().From())
	} else {
		split.NewAt(c, p.at(c, p.First), p, after, names.Block().From(), roots.Block().From())
	}
}

// split has butterflies done on the halves of a part, and then transforms both.
var split = task.Declare3[part, task.After, chunks, points]("fft.split")

var _ = split.Body(func(c *edt.Ctx, p part, _ task.After, names chunks, roots points) {
	half, each := p.Count/2, p.Count <= p.run(c.Ranks())
	jobs := c.Ranks()
	if each {
		jobs = half
	}
	mixed := task.NewLatch(c, int64(jobs)) // gone when it triggers: what waits for it comes first
	part{p.First, half, p.All, p.Points}.transform(c, mixed.From(), names, roots)
	part{p.First + half, half, p.All, p.Points}.transform(c, mixed.From(), names, roots)
	for n := range jobs {
		if each {
			p.mix(c, n, task.Opt{At: p.at(c, p.First+2*n), Output: mixed.Event}, names, roots)
		} else {
			at := trial.PlaceOn(c, n)
			shared.NewWith(c, task.Opt{At: at, Finish: true, Output: mixed.Event}, p, names.Block().From(), roots.Block().From())
		}
	}
})

// shared makes the EDTs that do the butterflies of a part on its rank, so others need not know the chunks.
var shared = task.Define2("fft.shared", func(c *edt.Ctx, p part, names chunks, roots points) {
	here := trial.RankOf(c, c.Place(c.Worker()))
	for n := range p.Count / 2 {
		if at := p.togetherAt(c, n); trial.RankOf(c, at) == here {
			p.mix(c, n, task.Opt{At: at}, names, roots)
		}
	}
})

// mix makes the EDT that does the butterflies of chunk n of either half.
func (p part) mix(c *edt.Ctx, n int, o task.Opt, names chunks, roots points) {
	left, right := names.At(p.First+n), names.At(p.First+p.Count/2+n)
	mix.NewWith(c, o, (p.Count/2+n)*p.Points, left.From(), right.From(), roots.Block().From())
}

// mix does the butterflies of a chunk in either half, whose roots begin at first.
var mix = task.Define3("fft.mix", func(_ *edt.Ctx, first int, a, b task.RW[complex128], roots task.Const[complex128]) {
	butterflies(a.Slice(), b.Slice(), roots.Slice()[first:])
})

// leaf transforms a chunk.
var leaf = task.Define3("fft.leaf", transformChunk)

func transformChunk(_ *edt.Ctx, _ task.Nothing, _ task.After, x task.RW[complex128], roots task.Const[complex128]) {
	transform(x.Slice(), roots.Slice())
}
