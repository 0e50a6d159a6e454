//go:build 386 || arm || mips || mipsle

package sys

// GUIDs, addresses of blocks and words of the scheduler have 64 bits. What is not defined here names the reason why a
// program for a processor of 32 bits is not built.
var _ = needs64Bits
