//go:build !amd64

package kernel

const assembly = false

func square(x *squares, n int64) { squarePortable(x, n) }

func product(from *squares, n int64) float64 { return productPortable(from, n) }

func accumulate(c *sums, n int64) { accumulatePortable(c, n) }

func sum(from *sums, n int64) float64 { return sumPortable(from, n) }
