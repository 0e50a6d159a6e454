#include "textflag.h"

// func Pause(n uint32)
TEXT ·Pause(SB), NOSPLIT, $0-4
	MOVL n+0(FP), CX
	TESTL CX, CX
	JZ done
again:
	PAUSE
	DECL CX
	JNZ again
done:
	RET
