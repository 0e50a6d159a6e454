package smithwaterman

import "math/rand/v2"

// newStrings makes two strings: one of letters at random, and one whose middle is that of the first, but
// that some letters are others, are missing or are there twice.
func (c Config) newStrings() (a, b []border) {
	random := rand.New(rand.NewPCG(c.Seed, 0))
	letters := func(s []border, n int) []border {
		for len(s) < n {
			s = append(s, border{Letter: int32(random.IntN(4))})
		}
		return s
	}
	a = letters(nil, c.Length)
	flank := c.Length / 8
	b = letters(nil, flank)
	for _, at := range a[flank : c.Length-flank] {
		copies := 1
		if random.Float64() < c.Differ {
			if copies = random.IntN(3); copies == 1 {
				at.Letter = (at.Letter + 1 + int32(random.IntN(3))) % 4
			}
		}
		for range copies {
			b = append(b, at)
		}
	}
	return a, letters(b, c.Length)[:c.Length]
}
