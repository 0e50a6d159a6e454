//go:build !amd64

package kernel

const assembly = false

func product(from, to *squares, n int64) float64 { return productPortable(from, to, n) }
