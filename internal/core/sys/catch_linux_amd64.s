#include "go_asm.h"
#include "textflag.h"

// Offsets in the kernel's siginfo_t and ucontext_t, and in a goroutine's descriptor: the
// bounds of its stack come first.
#define info_code 8
#define info_addr 16
#define ctx_rbp 120
#define ctx_rsp 160
#define ctx_rip 168
#define ctx_err 192
#define g_lo 0
#define g_hi 8

// catchFault is the handler of SIGSEGV, on the thread's signal stack: DI is the signal, SI
// the siginfo_t, DX the ucontext_t. It is no Go code: no stack check, no calls. What is not
// its own goes to Go's handler, with the registers and the stack as the kernel left them.
//
// func catchFault()
TEXT ·catchFault(SB), NOSPLIT|NOFRAME|TOPFRAME, $0
	MOVL info_code(SI), AX
	CMPL AX, $2 // SEGV_ACCERR: a page that is mapped may not be used so
	JNE  pass
	MOVQ info_addr(SI), R8
	LEAQ ·guarded(SB), R9
	MOVQ $const_maxGuarded, CX

range:
	CMPQ R8, guardedRange_lo(R9)
	JCS  next
	CMPQ R8, guardedRange_hi(R9)
	JCS  caught

next:
	ADDQ $guardedRange__size, R9
	DECQ CX
	JNZ  range

pass:
	MOVQ ·passFault(SB), AX
	JMP  AX

caught:
	MOVQ (TLS), R10 // the goroutine that was interrupted
	XORQ R15, R15   // whether it recovers from faults
	LEAQ ·recovering(SB), R11
	MOVQ $const_maxRecovering, CX

owner:
	CMPQ R10, (R11)
	JEQ  known
	ADDQ $8, R11
	DECQ CX
	JNZ  owner
	JMP  record

known:
	MOVQ $1, R15

record:
	MOVQ $1, AX
	LOCK
	XADDQ AX, ·faultCount(SB)
	MOVQ AX, R8
	ANDQ $(const_maxFaults-1), AX
	IMULQ $faultRecord__size, AX
	LEAQ ·faults(SB), R11
	ADDQ AX, R11
	XORQ AX, AX
	XCHGQ AX, faultRecord_number(R11)
	ADDQ $1, R8 // its number
	MOVQ info_addr(SI), AX
	MOVQ AX, faultRecord_addr(R11)
	MOVQ ctx_err(DX), AX
	MOVQ AX, faultRecord_code(R11)
	MOVQ R15, faultRecord_panics(R11)
	MOVQ ctx_rip(DX), AX
	MOVQ AX, faultRecord_pcs(R11)

	// A function without a frame of its own, such as memmove, has its return address
	// on top of the stack. Above it there are frame pointers. What is not on the
	// goroutine's stack is none: assembly may have used the register for anything.
	MOVQ g_lo(R10), R12
	MOVQ g_hi(R10), R13
	SUBQ $16, R13
	MOVQ ctx_rsp(DX), AX
	CMPQ AX, R12
	JCS  done
	CMPQ AX, R13
	JHI  done
	MOVQ (AX), BX
	MOVQ BX, (faultRecord_pcs+8)(R11)
	MOVQ ctx_rbp(DX), AX
	MOVQ $2, CX

frame:
	CMPQ AX, R12
	JCS  done
	CMPQ AX, R13
	JHI  done
	MOVQ 8(AX), BX
	MOVQ BX, faultRecord_pcs(R11)(CX*8)
	MOVQ AX, R12
	ADDQ $1, R12 // frames go up
	MOVQ (AX), AX
	INCQ CX
	CMPQ CX, $const_faultFrames
	JCS  frame

done:
	XCHGQ R8, faultRecord_number(R11) // complete
	TESTQ R15, R15
	JNZ  pass

	// Others go on, with the page open to them. System calls keep all but AX, CX and
	// R11.
	MOVQ DI, R12
	MOVQ SI, R13
	MOVQ DX, R14
	MOVQ info_addr(R13), DI
	ANDQ $~4095, DI
	MOVQ $4096, SI
	MOVQ $3, DX // PROT_READ|PROT_WRITE
	MOVQ $10, AX // mprotect
	SYSCALL
	TESTQ AX, AX
	JNZ  restore

	// After the run no other code reports this. Report it once.
	MOVQ $2, AX
	CMPQ guardedRange_alert(R9), $1
	JNE  back
	XCHGQ AX, guardedRange_alert(R9)
	CMPQ AX, $1
	JNE  back
	MOVQ $2, DI
	MOVQ ·alertText(SB), SI
	MOVQ ·alertText+8(SB), DX
	MOVQ $1, AX // write
	SYSCALL

back:
	RET // to the kernel, by the return address it put there

restore:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ R14, DX
	JMP  pass

// func catchFaultPC() uintptr
TEXT ·catchFaultPC(SB), NOSPLIT, $0-8
	LEAQ ·catchFault(SB), AX
	MOVQ AX, ret+0(FP)
	RET

// func Goroutine() uintptr
TEXT ·Goroutine(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func stackOf(pcs []uintptr) int
//
// As above, what is not on the goroutine's stack, or not above the last frame, ends it. The stack does not move meanwhile:
// no goroutine is stopped in assembly.
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
