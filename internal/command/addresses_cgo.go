//go:build cgo

package command

// leastAddresses is as in addresses_nocgo.go. With package net comes the C library, which reserves 64 MiB or more for
// each thread.
const leastAddresses = 1900 << 20
