package pgas

import (
	"cmp"
	"encoding/json"
	"unsafe"

	"ocr/apps/shmem"
	"ocr/apps/trial"
	"ocr/datablock"
)

var now = trial.Now

// A runner is one PE of a run, in either form. Only that PE's EDTs use it.
//
// A run has phases, each between two barriers: the checks of synchronisation, if the test synchronises; the warm-up;
// and the timed part, whose iterations are numbered on from the warm-up's. Then each PE verifies its own segment, and
// puts a report to PE 0.
type runner struct {
	*plan
	me       int
	drawn    []draw
	checking bool

	times    [maxSlices + 1]int64 // of the timed part: its begin, and the end of each slice
	ended    int                  // slices so far
	excluded int64                // time within the timed part that does not count
	wrong    *trial.VerifyError   // the first fault found
}

// maxSlices bounds the slices, of equally many iterations, into which a PE divides its timed part. If the PE loses its
// processor for a time, this shows in few slices.
const maxSlices = 100

// slice returns the iterations of a slice; the last may have some fewer. In the direct form short operations make few,
// long slices: the end of a slice takes as long as several of them.
func (p *plan) slice() int {
	least := 1
	if p.Form == Direct {
		least = min(1000, 1+256<<10/p.Bytes)
	}
	slices := max(1, min(maxSlices, p.Iterations/least))
	return (p.Iterations + slices - 1) / slices
}

func newRunner(arg []byte, me int) *runner {
	var c Config
	if err := json.Unmarshal(arg, &c); err != nil {
		panic(err)
	}
	p := newPlan(c)
	r := &runner{plan: p, me: me, drawn: p.drawAll(me)}
	r.checking = !p.NoVerify && len(p.test.Syncs) > 0
	return r
}

func (r *runner) fill(pe *shmem.PE) {
	clear(pe.Segment()[pad(r.bytes):]) // reports of an earlier run: over MPI a window outlives its run
	r.prepare(pe.Segment(), r.me)
	if r.checking {
		r.stamp(pe.Segment(), 0)
	}
}

// begin begins the timed part, mark ends a slice of it, and exclude subtracts a time from it.
func (r *runner) begin() {
	r.excluded = 0
	r.times[0] = now()
}

func (r *runner) mark() {
	r.ended++
	r.times[r.ended] = now() - r.excluded
}

func (r *runner) exclude(since int64) { r.excluded += now() - since }

// put and get move the message of iteration i between partners.
func (r *runner) put(pe *shmem.PE, i int) {
	pe.Put(r.partner(r.me), r.destAt(i), pe.Segment()[r.sourceAt(i):][:r.Bytes])
}

func (r *runner) get(pe *shmem.PE, i int) {
	pe.Get(pe.Segment()[r.destAt(i):][:r.Bytes], r.partner(r.me), r.sourceAt(i))
}

// getBack gets the message that put has put.
func (r *runner) getBack(pe *shmem.PE, i int) {
	pe.Get(pe.Segment()[r.back:][:r.Bytes], r.partner(r.me), r.destAt(i))
}

// scattered makes a strided or random transfer.
func (r *runner) scattered(pe *shmem.PE, i int) {
	other, src, dst := r.partner(r.me), r.sourceAt(i), r.destAt(i)
	if r.test.Random {
		d := r.drawn[i&(r.draws-1)]
		if other = d.pe; r.test.Gets {
			src = d.at
		} else {
			dst = d.at
		}
	}
	segment := pe.Segment()
	switch gets := r.test.Gets; {
	case gets && r.test.Strided:
		pe.GetStrided(segment[dst:][:r.Bytes], other, src, r.Stride)
	case gets:
		pe.Get(segment[dst:][:r.Bytes], other, src)
	case r.test.Strided:
		pe.PutStrided(other, dst, segment[src:][:r.Bytes], r.Stride)
	default:
		pe.Put(other, dst, segment[src:][:r.Bytes])
	}
}

func (r *runner) mover() func(pe *shmem.PE, i int) {
	switch {
	case r.test.Strided || r.test.Random:
		return r.scattered
	case r.test.Gets:
		return r.get
	}
	return r.put
}

// renew sets the operand of reductions in place for the iterations from i on.
func (r *runner) renew(pe *shmem.PE, i int) {
	copy(pe.Segment()[r.destAt(0):][:r.Bytes], pe.Segment()[r.sourceAt(i/r.renewal()):])
}

// A report is what a PE has measured and found, in the segment of PE 0. The text of a fault follows it.
type report struct {
	Checked, Wrong int64 // bytes compared; bytes of the text
	Slices         int64 // 0 until the report has arrived
	Times          [maxSlices + 1]int64
}

const (
	reportHead  = int(unsafe.Sizeof(report{}))
	reportBytes = 1536
)

func (p *plan) segmentBytes() int { return pad(p.bytes) + p.PEs*reportBytes }

// finish verifies the PE's segment, and puts its report.
func (r *runner) finish(pe *shmem.PE) {
	checked := 0
	if segment := pe.Segment(); !r.NoVerify && r.wrong == nil {
		if at := r.dest + guard; r.me == r.PEs-1 && r.Fault == LostByte {
			segment[at]++
		} else if r.me == r.PEs-1 && r.Fault == LostGuard {
			segment[at-1]++
		}
		checked, r.wrong = r.verify(segment, r.me, r.warmUps()+r.Iterations)
	}
	var text []byte
	if r.wrong != nil {
		text, _ = r.wrong.MarshalText()
		text = text[:min(len(text), reportBytes-reportHead)]
	}
	b := make([]byte, reportHead+len(text))
	datablock.ElementsOf[report](b[:reportHead])[0] = report{int64(checked), int64(len(text)), int64(r.ended), r.times}
	copy(b[reportHead:], text)
	pe.Put(0, pad(r.bytes)+r.me*reportBytes, b)
}

// result reads the reports of all PEs in the segment of PE 0.
func (p *plan) result(segment []byte) (Result, error) {
	res := Result{Config: p.Config}
	var found error
	for pe := range p.PEs {
		b := segment[pad(p.bytes)+pe*reportBytes:]
		r := datablock.ElementsOf[report](b[:reportHead])[0]
		if r.Slices == 0 {
			return res, trial.ErrIncomplete
		}
		if p.active(pe) {
			res.add(r.Times[:r.Slices+1], p.slice())
		}
		res.Checked += int(r.Checked)
		if r.Wrong > 0 {
			wrong := new(trial.VerifyError)
			if err := wrong.UnmarshalText(b[reportHead:][:r.Wrong]); err != nil {
				return res, err
			}
			found = cmp.Or(found, error(wrong))
		}
	}
	res.Verified = !p.NoVerify && found == nil
	return res, found
}
