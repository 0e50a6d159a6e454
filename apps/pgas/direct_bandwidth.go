package pgas

// puts is N puts, each window completed: remotely by a quiet; locally each put is
// by itself.
func (r *runner) puts(first, end int) {
	window, remote := r.window(), r.cfg.Completion == Remote
	for i := first; i < end; {
		for stop := i + window; i < stop; i++ {
			r.put(i)
		}
		if remote {
			r.pe.Quiet()
		}
	}
}

func (r *runner) gets(first, end int) {
	for i := first; i < end; i++ {
		r.get(i)
	}
}

// scattered is strided and random transfers, each put completed by itself.
func (r *runner) scattered(first, end int) {
	get, apart, random := r.isGet(), r.test.Uses.Stride, r.test.Uses.Random
	strides, mask := r.strides(), r.draws-1
	for i := first; i < end; i++ {
		pe, src, dst := r.partner, r.sourceAt(i), r.destAt(i)
		if random {
			d := r.drawn[i&mask]
			if pe = d.pe; get {
				src = d.at
			} else {
				dst = d.at
			}
		}
		switch {
		case get && apart:
			r.pe.GetStrided(r.segment[dst:], pe, src, r.elements, r.width, strides)
		case get:
			r.pe.Get(r.segment[dst:][:r.cfg.Bytes], pe, src)
		case apart:
			r.pe.PutStrided(pe, dst, r.segment[src:], r.elements, r.width, strides)
		default:
			r.pe.Put(pe, dst, r.segment[src:][:r.cfg.Bytes])
		}
		if !get {
			r.pe.Quiet()
		}
	}
}

// copies is the baseline of puts: Go's copy, from and to where putbw's messages are.
func (r *runner) copies(first, end int) {
	target := r.pe.Pointer(r.partner)
	for i := first; i < end; i++ {
		copy(target[r.destAt(i):][:r.cfg.Bytes], r.message(i))
	}
}
