package overhead

import (
	"context"
	goruntime "runtime"

	"ocr/edt"
	"ocr/guid"
)

// A footprint is a row of memory: batches of objects are made, all are kept, and a
// sample is what the process's memory has grown by since the first batch, divided by the
// objects made since: tables that grow by doubling even out.
//
// That is the Go heap's live objects and the stacks of goroutines, after a collection,
// and what is resident outside of the heap, where most records are: side tables and
// blocks count as well. It is exact as far as a batch is many huge pages. Records are
// kept by the process for the next run, so that those of a kind can be measured once;
// rows of what an object has beside its record have the records there beforehand.
type footprint struct {
	n int // objects of a batch
	// plain is of peers, and readies as many objects of plain Go as there will be: keep
	// makes n of them, and free lets go of all.
	plain func(all int) (keep func(n int), free func())

	// make makes an object inside an EDT. Before all there come before, once for each
	// object that there will be, and open.
	make   func(c *edt.Ctx) guid.GUID
	counts edt.Counters // of an object
	bytes  int          // of each object, which are not counted
	before before
	open   func(c *edt.Ctx, all int) edt.Counters
}

// before has records in memory: objects are made and, when all are there, destroyed.
type before struct {
	destroy func(c *edt.Ctx, g guid.GUID)
	create  func(c *edt.Ctx) guid.GUID // nil for none
	counts  edt.Counters               // of both
}

func (o before) touch(c *edt.Ctx, all int) {
	if o.create == nil {
		return
	}
	objects := make([]guid.GUID, all)
	for k := range objects {
		objects[k] = o.create(c)
	}
	for _, g := range objects {
		o.destroy(c, g)
	}
}

// Footprint returns the bytes of an object of the row, in so many samples.
func (r *Row) Footprint(ctx context.Context, b *Bench, samples int) ([]float64, error) {
	sizes, err := r.footprint.measure(ctx, b, samples)
	return sizes, named(r.Name, err)
}

func (f *footprint) measure(ctx context.Context, b *Bench, samples int) (sizes []float64, err error) {
	n := b.sized(f.n, 4)
	all := (samples + 1) * n
	if f.plain != nil {
		keep, free := f.plain(all)
		defer free()
		return f.grow(ctx, b, samples, n, keep)
	}
	want := plus(times(f.counts, uint64(all)), times(f.before.counts, uint64(all)), edt.Counters{EDTRun: 1})
	var grown error
	counts, err := b.run(ctx, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		f.before.touch(c, all)
		if f.open != nil {
			want = plus(want, f.open(c, all))
		}
		sizes, grown = f.grow(ctx, b, samples, n, func(n int) {
			for range n {
				f.make(c)
			}
		})
		c.Shutdown() // EDTs that wait stay
		return guid.Null
	}, Pool{Workers: 1})
	if err == nil {
		err = grown
	}
	if err != nil {
		return nil, err
	}
	return sizes, b.verify(counts.Counters, want)
}

// grow makes batches and returns, for each but the first, by how much the process has
// grown for an object since.
func (f *footprint) grow(ctx context.Context, b *Bench, samples, n int, batch func(n int)) ([]float64, error) {
	var sizes []float64
	before := uint64(0)
	for k := range samples + 1 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		batch(n)
		after, err := b.live()
		if err != nil {
			return nil, err
		}
		if k == 0 {
			before = after
			continue
		}
		sizes = append(sizes, (float64(after)-float64(before))/float64(k*n)-float64(f.bytes))
	}
	return sizes, nil
}

// live returns the bytes that the process holds.
func (b *Bench) live() (uint64, error) {
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	off, err := b.offHeap()
	return m.HeapAlloc + m.StackInuse + off, err
}
