#include "textflag.h"

// func callerPC() uintptr
//
// BP is the frame pointer of the caller. The caller's return address is above it.
TEXT ·callerPC(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ 8(BP), AX
	MOVQ AX, ret+0(FP)
	RET

// func callerPCs() (pcs [2]uintptr)
//
// The word at BP is the frame pointer of the caller's caller.
TEXT ·callerPCs(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ 8(BP), AX
	MOVQ AX, pcs_0+0(FP)
	MOVQ (BP), CX
	MOVQ 8(CX), AX
	MOVQ AX, pcs_1+8(FP)
	RET
