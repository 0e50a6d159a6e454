//go:build 386 || arm || mips || mipsle

package sys

// GUIDs, addresses of blocks and words of the scheduler have 64 bits. On a 32-bit processor the compiler stops at this
// undefined name, which says why.
var _ = needs64Bits
