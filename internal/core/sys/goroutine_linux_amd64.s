#include "textflag.h"

// Offsets in a goroutine's descriptor: the bounds of its stack come first.
#define g_lo 0
#define g_hi 8

// func Goroutine() uintptr
TEXT ·Goroutine(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func stackOf(pcs []uintptr) int
//
// The walk ends at a frame pointer that is not on the goroutine's stack, or not above the last one: assembly may have
// used the register for something else. The stack does not move during the walk, as Go stops no goroutine in assembly.
TEXT ·stackOf(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ pcs_base+0(FP), DI
	MOVQ pcs_len+8(FP), CX
	MOVQ (TLS), R10
	MOVQ g_lo(R10), R12
	MOVQ g_hi(R10), R13
	SUBQ $16, R13
	MOVQ BP, AX
	XORQ BX, BX

caller:
	CMPQ BX, CX
	JCC  all
	CMPQ AX, R12
	JCS  all
	CMPQ AX, R13
	JHI  all
	MOVQ 8(AX), DX
	MOVQ DX, (DI)(BX*8)
	INCQ BX
	MOVQ AX, R12
	ADDQ $1, R12
	MOVQ (AX), AX
	JMP  caller

all:
	MOVQ BX, ret+24(FP)
	RET
