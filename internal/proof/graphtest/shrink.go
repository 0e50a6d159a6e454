package graphtest

// Shrink looks for a smaller plan that fails too: with fewer features, and with fewer nodes. If the failure depends on
// the schedule, fails should try a plan several times. Shrink returns the smallest plan that has failed, p itself if
// none has.
func Shrink(p *Plan, fails func(*Plan) bool) *Plan {
	for k := range numFeatures {
		if q := GenerateWithout(p.Seed, len(p.Nodes), p.Without|1<<k); p.Without>>k&1 == 0 && fails(q) {
			p = q
		}
	}
	for step := len(p.Nodes) / 2; step > 0; {
		q := GenerateWithout(p.Seed, len(p.Nodes)-step, p.Without)
		if len(q.Nodes) < len(p.Nodes) && fails(q) {
			p = q
			step = min(step, len(p.Nodes)/2)
			continue
		}
		step /= 2
	}
	return p
}
