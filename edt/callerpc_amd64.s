#include "textflag.h"

// func callerPC() uintptr
//
// BP is the frame pointer of the function that called. Above it is where that one returns
// to.
TEXT ·callerPC(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ 8(BP), AX
	MOVQ AX, ret+0(FP)
	RET

// func callerPCs() (pcs [2]uintptr)
//
// At BP is the frame pointer of the caller's caller.
TEXT ·callerPCs(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ 8(BP), AX
	MOVQ AX, pcs_0+0(FP)
	MOVQ (BP), CX
	MOVQ 8(CX), AX
	MOVQ AX, pcs_1+8(FP)
	RET

// func framePCs(pcs []uintptr) (n int)
//
// At BP is the frame pointer of the caller's caller; the first frame of a goroutine has 0 there.
TEXT ·framePCs(SB), NOSPLIT|NOFRAME, $0-32
	MOVQ pcs_base+0(FP), DI
	MOVQ pcs_len+8(FP), SI
	MOVQ BP, CX
	XORQ AX, AX
next:
	TESTQ CX, CX
	JEQ  done
	CMPQ AX, SI
	JGE  done
	MOVQ 8(CX), DX
	MOVQ DX, (DI)(AX*8)
	MOVQ (CX), CX
	INCQ AX
	JMP  next
done:
	MOVQ AX, n+24(FP)
	RET
