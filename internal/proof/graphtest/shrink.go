package graphtest

// Shrink looks for a smaller plan that fails as well: with fewer features and with
// fewer nodes. fails should try a plan several times if the failure depends on the
// schedule. It returns the smallest that failed, p itself if none did.
func Shrink(p *Plan, fails func(*Plan) bool) *Plan {
	for k := range numFeatures {
		if q := GenerateWithout(p.Seed, len(p.Nodes), p.without|1<<k); p.without>>k&1 == 0 && fails(q) {
			p = q
		}
	}
	for step := len(p.Nodes) / 2; step > 0; {
		q := GenerateWithout(p.Seed, len(p.Nodes)-step, p.without)
		if len(q.Nodes) < len(p.Nodes) && fails(q) {
			p = q
			step = min(step, len(p.Nodes)/2)
			continue
		}
		step /= 2
	}
	return p
}

// Without returns the features that the plan does without.
func (p *Plan) Without() Feature { return p.without }
