package cg

// Products are converted to float64 before they are added: else compilers for some processors fuse product and sum, in
// one function and not in another, and the forms would differ in their last bits.

// A slab is some planes of each vector of the method. It is a view of the memory of a block, or of a slice in forms
// without EDTs. Planes have a border of zeros, which no EDT writes.
type slab struct {
	n          int
	x, r, p, q []float64 // p has one more plane at either end: the neighbours' last and first
	sums       []float64 // one plane
}

// plane is the number of elements of a plane: with a border of zeros, so that every point has 26 neighbours.
func plane(n int) int { return (n + 2) * (n + 2) }

func slabWords(n, planes int) int { return (4*planes + 3) * plane(n) }

// slabOf returns the slab that lies in memory.
func slabOf(memory []float64, n int) slab {
	size := plane(n)
	planes := (len(memory)/size - 3) / 4
	take := func(planes int) (v []float64) {
		v, memory = memory[:planes*size:planes*size], memory[planes*size:]
		return v
	}
	return slab{n: n, x: take(planes), r: take(planes), q: take(planes), p: take(planes + 2), sums: take(1)}
}

// begin sets the slab to the first guess, 0, whose residual is the right-hand side.
func begin(memory, b []float64, n int) slab {
	clear(memory) // the first touch of new memory, before the clock starts
	s := slabOf(memory, n)
	copy(s.r, b)
	return s
}

// first and last are the planes of the residual that the neighbours need.
func (s *slab) first() []float64 { return s.r[:plane(s.n)] }
func (s *slab) last() []float64  { return s.r[len(s.r)-plane(s.n):] }

// advance moves along the direction, x = x + alpha*p and r = r - alpha*q, and returns r*r.
func (s *slab) advance(alpha float64) (rr float64) {
	x, r, q, p := s.x, s.r, s.q, s.p[plane(s.n):]
	r, q, p = r[:len(x)], q[:len(x)], p[:len(x)]
	for k := range x {
		x[k] += float64(alpha * p[k])
		v := r[k] - float64(alpha*q[k])
		r[k] = v
		rr += float64(v * v)
	}
	return rr
}

// direct computes the next direction, p = r + beta*p, also in the neighbours' planes, whose residuals are
// the arguments below and above, nil without a neighbour. Then direct computes q = A*p and returns p*q.
func (s *slab) direct(beta float64, below, above []float64) (pq float64) {
	size := plane(s.n)
	turn(s.p[:size], below, beta)
	turn(s.p[size:], s.r, beta)
	turn(s.p[size+len(s.r):], above, beta)
	for at := 0; at < len(s.q); at += size {
		pq = s.apply(at, pq)
	}
	return pq
}

func turn(p, r []float64, beta float64) {
	p = p[:len(r)]
	for k, v := range r {
		p[k] = v + float64(beta*p[k])
	}
}

// apply computes the plane of q that begins with q[at]. It returns pq plus this plane's part of p*q.
//
// A row of the matrix has 26 for the point itself and -1 for each neighbour: the product is 27 times the point less the
// sum of the cube around it. The sum of a cube is made of sums of columns, rows and planes.
func (s *slab) apply(at int, pq float64) float64 {
	size, row := plane(s.n), s.n+2
	sums, below, p, above := s.sums[:size], s.p[at:][:size], s.p[at+size:][:size], s.p[at+2*size:][:size]
	for k := range sums {
		sums[k] = below[k] + p[k] + above[k]
	}
	q := s.q[at:][:size]
	for y := row; y < size-row; y += row {
		before, own, behind := sums[y-row:][:row], sums[y:][:row], sums[y+row:][:row]
		p, q := p[y:][:row], q[y:][:row]
		left, middle := before[0]+own[0]+behind[0], before[1]+own[1]+behind[1]
		for x := 1; x < row-1; x++ {
			right := before[x+1] + own[x+1] + behind[x+1]
			v := float64(27*p[x]) - (left + middle + right)
			q[x] = v
			pq += float64(p[x] * v)
			left, middle = middle, right
		}
	}
	return pq
}

// numbers are the scalars of the method, which are computed from sums over all slabs. The first step along the
// direction has length 0: it only computes the square of the first residual.
type numbers struct {
	Alpha, Beta float64
	RR, First   float64 // squares of the residual: now and at first
	Iterations  int
	Cfg         Config
	Direct      bool // the next half iteration computes the direction; if false, it moves along it
	Done        bool
}

func (c Config) numbers() numbers { return numbers{Iterations: -1, Cfg: c} }

// next updates the scalars from the sum of half an iteration, p*q or r*r.
func (k *numbers) next(sum float64) {
	if k.Direct = !k.Direct; !k.Direct {
		k.Alpha = k.RR / sum
		return
	}
	if k.Iterations++; k.Iterations == 0 {
		k.First = sum
	} else {
		k.Beta = sum / k.RR
	}
	k.RR = sum
	k.Done = k.Iterations == k.Cfg.Iterations || sum <= k.Cfg.enough(k.First)
}

// enough returns the square of the residual at which the iteration ends; first is the square at its beginning. At
// 1e-200 nothing is left to compute.
func (c Config) enough(first float64) float64 { return max(1e-200, c.Tolerance*c.Tolerance*first) }
