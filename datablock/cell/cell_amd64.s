//go:build !race

#include "textflag.h"

// On amd64 a plain load acquires and a plain store releases: stores of one processor
// become visible in program order, and loads are not moved before loads.

// func load1(p *uint8) uint8
TEXT ·load1(SB), NOSPLIT, $0-9
	MOVQ p+0(FP), AX
	MOVBLZX (AX), AX
	MOVB AX, ret+8(FP)
	RET

// func load2(p *uint16) uint16
TEXT ·load2(SB), NOSPLIT, $0-10
	MOVQ p+0(FP), AX
	MOVWLZX (AX), AX
	MOVW AX, ret+8(FP)
	RET

// func load4(p *uint32) uint32
TEXT ·load4(SB), NOSPLIT, $0-12
	MOVQ p+0(FP), AX
	MOVL (AX), AX
	MOVL AX, ret+8(FP)
	RET

// func load8(p *uint64) uint64
TEXT ·load8(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ (AX), AX
	MOVQ AX, ret+8(FP)
	RET

// func store1(p *uint8, v uint8)
TEXT ·store1(SB), NOSPLIT, $0-9
	MOVQ p+0(FP), AX
	MOVBLZX v+8(FP), CX
	MOVB CX, (AX)
	RET

// func store2(p *uint16, v uint16)
TEXT ·store2(SB), NOSPLIT, $0-10
	MOVQ p+0(FP), AX
	MOVWLZX v+8(FP), CX
	MOVW CX, (AX)
	RET

// func store4(p *uint32, v uint32)
TEXT ·store4(SB), NOSPLIT, $0-12
	MOVQ p+0(FP), AX
	MOVL v+8(FP), CX
	MOVL CX, (AX)
	RET

// func store8(p *uint64, v uint64)
TEXT ·store8(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ v+8(FP), CX
	MOVQ CX, (AX)
	RET

// func fill1(p *uint8, n int, v uint8)
TEXT ·fill1(SB), NOSPLIT, $0-17
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), DX
	MOVBLZX v+16(FP), CX
	XORL BX, BX
	CMPQ BX, DX
	JGE  done
next:
	MOVB CX, (AX)(BX*1)
	INCQ BX
	CMPQ BX, DX
	JLT  next
done:
	RET

// func fill2(p *uint16, n int, v uint16)
TEXT ·fill2(SB), NOSPLIT, $0-18
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), DX
	MOVWLZX v+16(FP), CX
	XORL BX, BX
	CMPQ BX, DX
	JGE  done
next:
	MOVW CX, (AX)(BX*2)
	INCQ BX
	CMPQ BX, DX
	JLT  next
done:
	RET

// func fill4(p *uint32, n int, v uint32)
TEXT ·fill4(SB), NOSPLIT, $0-20
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), DX
	MOVL v+16(FP), CX
	XORL BX, BX
	CMPQ BX, DX
	JGE  done
next:
	MOVL CX, (AX)(BX*4)
	INCQ BX
	CMPQ BX, DX
	JLT  next
done:
	RET

// func fill8(p *uint64, n int, v uint64)
TEXT ·fill8(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), DX
	MOVQ v+16(FP), CX
	XORL BX, BX
	CMPQ BX, DX
	JGE  done
next:
	MOVQ CX, (AX)(BX*8)
	INCQ BX
	CMPQ BX, DX
	JLT  next
done:
	RET

// func await1(p *uint8, v uint8, polls int) bool
TEXT ·await1(SB), NOSPLIT, $0-25
	MOVQ p+0(FP), AX
	MOVBLZX v+8(FP), CX
	MOVQ polls+16(FP), DX
next:
	CMPB CX, (AX)
	JEQ  there
	DECQ DX
	JGT  next
	MOVB $0, ret+24(FP)
	RET
there:
	MOVB $1, ret+24(FP)
	RET

// func await2(p *uint16, v uint16, polls int) bool
TEXT ·await2(SB), NOSPLIT, $0-25
	MOVQ p+0(FP), AX
	MOVWLZX v+8(FP), CX
	MOVQ polls+16(FP), DX
next:
	CMPW CX, (AX)
	JEQ  there
	DECQ DX
	JGT  next
	MOVB $0, ret+24(FP)
	RET
there:
	MOVB $1, ret+24(FP)
	RET

// func await4(p *uint32, v uint32, polls int) bool
TEXT ·await4(SB), NOSPLIT, $0-25
	MOVQ p+0(FP), AX
	MOVL v+8(FP), CX
	MOVQ polls+16(FP), DX
next:
	CMPL CX, (AX)
	JEQ  there
	DECQ DX
	JGT  next
	MOVB $0, ret+24(FP)
	RET
there:
	MOVB $1, ret+24(FP)
	RET

// func await8(p *uint64, v uint64, polls int) bool
TEXT ·await8(SB), NOSPLIT, $0-25
	MOVQ p+0(FP), AX
	MOVQ v+8(FP), CX
	MOVQ polls+16(FP), DX
next:
	CMPQ CX, (AX)
	JEQ  there
	DECQ DX
	JGT  next
	MOVB $0, ret+24(FP)
	RET
there:
	MOVB $1, ret+24(FP)
	RET

// func reach(p *uint64, v uint64, polls int) bool
TEXT ·reach(SB), NOSPLIT, $0-25
	MOVQ p+0(FP), AX
	MOVQ v+8(FP), CX
	MOVQ polls+16(FP), DX
next:
	CMPQ CX, (AX)
	JLS  there
	DECQ DX
	JGT  next
	MOVB $0, ret+24(FP)
	RET
there:
	MOVB $1, ret+24(FP)
	RET

// func reply1(in, out *uint8, want, v uint8, polls int) bool
TEXT ·reply1(SB), NOSPLIT, $0-33
	MOVQ in+0(FP), AX
	MOVQ out+8(FP), BX
	MOVBLZX want+16(FP), CX
	MOVBLZX v+17(FP), SI
	MOVQ polls+24(FP), DX
next:
	CMPB CX, (AX)
	JEQ  there
	DECQ DX
	JGT  next
	MOVB $0, ret+32(FP)
	RET
there:
	MOVB SI, (BX)
	MOVB $1, ret+32(FP)
	RET

// func reply2(in, out *uint16, want, v uint16, polls int) bool
TEXT ·reply2(SB), NOSPLIT, $0-33
	MOVQ in+0(FP), AX
	MOVQ out+8(FP), BX
	MOVWLZX want+16(FP), CX
	MOVWLZX v+18(FP), SI
	MOVQ polls+24(FP), DX
next:
	CMPW CX, (AX)
	JEQ  there
	DECQ DX
	JGT  next
	MOVB $0, ret+32(FP)
	RET
there:
	MOVW SI, (BX)
	MOVB $1, ret+32(FP)
	RET

// func reply4(in, out *uint32, want, v uint32, polls int) bool
TEXT ·reply4(SB), NOSPLIT, $0-33
	MOVQ in+0(FP), AX
	MOVQ out+8(FP), BX
	MOVL want+16(FP), CX
	MOVL v+20(FP), SI
	MOVQ polls+24(FP), DX
next:
	CMPL CX, (AX)
	JEQ  there
	DECQ DX
	JGT  next
	MOVB $0, ret+32(FP)
	RET
there:
	MOVL SI, (BX)
	MOVB $1, ret+32(FP)
	RET

// func reply8(in, out *uint64, want, v uint64, polls int) bool
TEXT ·reply8(SB), NOSPLIT, $0-41
	MOVQ in+0(FP), AX
	MOVQ out+8(FP), BX
	MOVQ want+16(FP), CX
	MOVQ v+24(FP), SI
	MOVQ polls+32(FP), DX
next:
	CMPQ CX, (AX)
	JEQ  there
	DECQ DX
	JGT  next
	MOVB $0, ret+40(FP)
	RET
there:
	MOVQ SI, (BX)
	MOVB $1, ret+40(FP)
	RET

// func match1(p *uint8, n int, v uint8, polls int) int
TEXT ·match1(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), DX
	MOVBLZX v+16(FP), CX
	MOVQ polls+24(FP), SI
	XORL BX, BX
next:
	CMPQ BX, DX
	JGE  done
again:
	CMPB CX, (AX)(BX*1)
	JNE  miss
	INCQ BX
	JMP  next
miss:
	DECQ SI
	JGT  again
done:
	MOVQ BX, ret+32(FP)
	RET

// func match2(p *uint16, n int, v uint16, polls int) int
TEXT ·match2(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), DX
	MOVWLZX v+16(FP), CX
	MOVQ polls+24(FP), SI
	XORL BX, BX
next:
	CMPQ BX, DX
	JGE  done
again:
	CMPW CX, (AX)(BX*2)
	JNE  miss
	INCQ BX
	JMP  next
miss:
	DECQ SI
	JGT  again
done:
	MOVQ BX, ret+32(FP)
	RET

// func match4(p *uint32, n int, v uint32, polls int) int
TEXT ·match4(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), DX
	MOVL v+16(FP), CX
	MOVQ polls+24(FP), SI
	XORL BX, BX
next:
	CMPQ BX, DX
	JGE  done
again:
	CMPL CX, (AX)(BX*4)
	JNE  miss
	INCQ BX
	JMP  next
miss:
	DECQ SI
	JGT  again
done:
	MOVQ BX, ret+32(FP)
	RET

// func match8(p *uint64, n int, v uint64, polls int) int
TEXT ·match8(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), DX
	MOVQ v+16(FP), CX
	MOVQ polls+24(FP), SI
	XORL BX, BX
next:
	CMPQ BX, DX
	JGE  done
again:
	CMPQ CX, (AX)(BX*8)
	JNE  miss
	INCQ BX
	JMP  next
miss:
	DECQ SI
	JGT  again
done:
	MOVQ BX, ret+32(FP)
	RET
