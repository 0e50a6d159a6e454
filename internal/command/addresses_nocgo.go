//go:build !cgo

package command

// leastAddresses is an address space that has been enough for every command. With less than some 700 MiB Go itself
// crashes before main.
const leastAddresses = 1 << 30
