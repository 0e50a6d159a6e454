//go:build !cgo

package command

// leastAddresses is an address space with which no command has run out of it. Most is Go's: with less than some
// 700 MiB it ends in a crash before main, which nothing here can help.
const leastAddresses = 1 << 30
