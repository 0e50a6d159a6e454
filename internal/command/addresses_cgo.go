//go:build cgo

package command

// leastAddresses is as in addresses_nocgo.go, but here package net brings the C library in, which sets 64 MiB or more
// aside for each thread.
const leastAddresses = 1900 << 20
