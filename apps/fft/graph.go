package fft

import (
	"slices"

	"ocr/apps/trial"
	"ocr/datablock"
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
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		var blocks []chunk
		for points := range slices.Chunk(a.input, a.cfg.chunk()) {
			blocks = append(blocks, filled(c, points))
		}
		names, roots := filled(c, blocks), filled(c, a.roots)
		a.Begin()

		done := task.Once[task.Nothing](c)
		result := []edt.Source{edt.From(done.GUID, datablock.Null)}
		for _, b := range []guid.GUID{names.GUID, roots.GUID} {
			result = append(result, edt.From(b, datablock.Null))
		}
		for _, b := range blocks {
			result = append(result, edt.From(b.GUID, datablock.RO))
		}
		trial.Collect(c, "fft.deliver", &a.Clock, result, a.deliver)
		all := part{0, len(blocks), len(blocks), a.cfg.chunk()}
		whole.NewWith(c, task.Opt{Output: done, Finish: true}, all, names.From(), roots.From())
		return guid.Null
	}
}

// filled makes a block of some elements.
func filled[T any](c *edt.Ctx, elements []T) task.Block[T] {
	b, to := task.Make[T](c, len(elements))
	copy(to, elements)
	b.Release(c)
	return b
}

// A part is some chunks that follow on each other, of all that there are, and how many points each has.
type part struct{ First, Count, All, Points int }

// home returns the worker that a chunk is dealt to: neighbours go to one.
func (p part) home(chunk, places int) int { return chunk * places / p.All }

func (p part) at(c *edt.Ctx, chunk int) edt.Affinity { return c.Place(p.home(chunk, c.Places())) }

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
	half := p.Count / 2
	mixed := task.NewLatch(c, int64(half)) // gone when it triggers: what waits for it comes first
	part{p.First, half, p.All, p.Points}.transform(c, mixed.From(), names, roots)
	part{p.First + half, half, p.All, p.Points}.transform(c, mixed.From(), names, roots)
	for n := range half {
		o := task.Opt{At: p.at(c, p.First+2*n), Output: mixed.Event}
		left, right := names.At(p.First+n), names.At(p.First+half+n)
		mix.NewWith(c, o, (half+n)*p.Points, left.From(), right.From(), roots.Block().From())
	}
})

// mix does the butterflies of a chunk in either half, whose roots begin at first.
var mix = task.Define3("fft.mix", func(_ *edt.Ctx, first int, a, b task.RW[complex128], roots task.Const[complex128]) {
	butterflies(a.Slice(), b.Slice(), roots.Slice()[first:])
})

// leaf transforms a chunk.
var leaf = task.Define3("fft.leaf", transformChunk)

func transformChunk(_ *edt.Ctx, _ task.Nothing, _ task.After, x task.RW[complex128], roots task.Const[complex128]) {
	transform(x.Slice(), roots.Slice())
}

// deliver takes the points out of their blocks.
func (a *App) deliver(_ *edt.Ctx, in edt.Args) {
	a.spectrum = a.spectrum[:0]
	for n := range in.Deps()[3:] {
		a.spectrum = append(a.spectrum, datablock.Slice[complex128](in.Dep(3+n))...)
	}
}
