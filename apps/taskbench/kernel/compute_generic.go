//go:build !amd64

package kernel

const assembly = false

func product(from, to *squares, n int64) float64 { return productPortable(from, to, n) }

func sum(from, to *sums, n int64) float64 { return sumPortable(from, to, n) }
