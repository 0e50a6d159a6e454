#include "textflag.h"

// func callerPC() uintptr
//
// BP is the frame pointer of the function that called. Above it is where that one returns
// to.
TEXT ·callerPC(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ 8(BP), AX
	MOVQ AX, ret+0(FP)
	RET
