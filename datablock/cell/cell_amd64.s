//go:build !race

#include "textflag.h"

// On amd64 a plain load acquires and a plain store releases: a processor's stores become visible in program order, and
// its loads take effect in program order.
//
// Each operation is written once, as a macro. Its arguments depend on the width: the instructions, and the offsets of
// parameters.

#define LOAD(LOADX, STOREX) \
	MOVQ p+0(FP), AX; \
	LOADX (AX), AX; \
	STOREX AX, ret+8(FP); \
	RET

#define STORE(LOADX, STOREX) \
	MOVQ p+0(FP), AX; \
	LOADX v+8(FP), CX; \
	STOREX CX, (AX); \
	RET

#define FILL(LOADX, STOREX, SIZE) \
	MOVQ p+0(FP), AX; \
	MOVQ n+8(FP), DX; \
	LOADX v+16(FP), CX; \
	XORL BX, BX; \
	CMPQ BX, DX; \
	JGE done; \
next: \
	STOREX CX, (AX)(BX*SIZE); \
	INCQ BX; \
	CMPQ BX, DX; \
	JLT next; \
done: \
	RET

#define AWAIT(LOADX, CMPX, JUMP) \
	MOVQ p+0(FP), AX; \
	LOADX v+8(FP), CX; \
	MOVQ polls+16(FP), DX; \
next: \
	CMPX CX, (AX); \
	JUMP there; \
	DECQ DX; \
	JGT next; \
	MOVB $0, ret+24(FP); \
	RET; \
there: \
	MOVB $1, ret+24(FP); \
	RET

#define REPLY(LOADX, CMPX, STOREX, v, polls, ret) \
	MOVQ in+0(FP), AX; \
	MOVQ out+8(FP), BX; \
	LOADX want+16(FP), CX; \
	LOADX v, SI; \
	MOVQ polls, DX; \
next: \
	CMPX CX, (AX); \
	JEQ there; \
	DECQ DX; \
	JGT next; \
	MOVB $0, ret; \
	RET; \
there: \
	STOREX SI, (BX); \
	MOVB $1, ret; \
	RET

#define MATCH(LOADX, CMPX, SIZE) \
	MOVQ p+0(FP), AX; \
	MOVQ n+8(FP), DX; \
	LOADX v+16(FP), CX; \
	MOVQ polls+24(FP), SI; \
	XORL BX, BX; \
next: \
	CMPQ BX, DX; \
	JGE done; \
again: \
	CMPX CX, (AX)(BX*SIZE); \
	JNE miss; \
	INCQ BX; \
	JMP next; \
miss: \
	DECQ SI; \
	JGT again; \
done: \
	MOVQ BX, ret+32(FP); \
	RET

// func load1(p *uint8) uint8
TEXT ·load1(SB), NOSPLIT, $0-9
	LOAD(MOVBLZX, MOVB)

// func load2(p *uint16) uint16
TEXT ·load2(SB), NOSPLIT, $0-10
	LOAD(MOVWLZX, MOVW)

// func load4(p *uint32) uint32
TEXT ·load4(SB), NOSPLIT, $0-12
	LOAD(MOVL, MOVL)

// func load8(p *uint64) uint64
TEXT ·load8(SB), NOSPLIT, $0-16
	LOAD(MOVQ, MOVQ)

// func store1(p *uint8, v uint8)
TEXT ·store1(SB), NOSPLIT, $0-9
	STORE(MOVBLZX, MOVB)

// func store2(p *uint16, v uint16)
TEXT ·store2(SB), NOSPLIT, $0-10
	STORE(MOVWLZX, MOVW)

// func store4(p *uint32, v uint32)
TEXT ·store4(SB), NOSPLIT, $0-12
	STORE(MOVL, MOVL)

// func store8(p *uint64, v uint64)
TEXT ·store8(SB), NOSPLIT, $0-16
	STORE(MOVQ, MOVQ)

// func fill1(p *uint8, n int, v uint8)
TEXT ·fill1(SB), NOSPLIT, $0-17
	FILL(MOVBLZX, MOVB, 1)

// func fill2(p *uint16, n int, v uint16)
TEXT ·fill2(SB), NOSPLIT, $0-18
	FILL(MOVWLZX, MOVW, 2)

// func fill4(p *uint32, n int, v uint32)
TEXT ·fill4(SB), NOSPLIT, $0-20
	FILL(MOVL, MOVL, 4)

// func fill8(p *uint64, n int, v uint64)
TEXT ·fill8(SB), NOSPLIT, $0-24
	FILL(MOVQ, MOVQ, 8)

// func await1(p *uint8, v uint8, polls int) bool
TEXT ·await1(SB), NOSPLIT, $0-25
	AWAIT(MOVBLZX, CMPB, JEQ)

// func await2(p *uint16, v uint16, polls int) bool
TEXT ·await2(SB), NOSPLIT, $0-25
	AWAIT(MOVWLZX, CMPW, JEQ)

// func await4(p *uint32, v uint32, polls int) bool
TEXT ·await4(SB), NOSPLIT, $0-25
	AWAIT(MOVL, CMPL, JEQ)

// func await8(p *uint64, v uint64, polls int) bool
TEXT ·await8(SB), NOSPLIT, $0-25
	AWAIT(MOVQ, CMPQ, JEQ)

// func reach(p *uint64, v uint64, polls int) bool
TEXT ·reach(SB), NOSPLIT, $0-25
	AWAIT(MOVQ, CMPQ, JLS)

// func reply1(in, out *uint8, want, v uint8, polls int) bool
TEXT ·reply1(SB), NOSPLIT, $0-33
	REPLY(MOVBLZX, CMPB, MOVB, v+17(FP), polls+24(FP), ret+32(FP))

// func reply2(in, out *uint16, want, v uint16, polls int) bool
TEXT ·reply2(SB), NOSPLIT, $0-33
	REPLY(MOVWLZX, CMPW, MOVW, v+18(FP), polls+24(FP), ret+32(FP))

// func reply4(in, out *uint32, want, v uint32, polls int) bool
TEXT ·reply4(SB), NOSPLIT, $0-33
	REPLY(MOVL, CMPL, MOVL, v+20(FP), polls+24(FP), ret+32(FP))

// func reply8(in, out *uint64, want, v uint64, polls int) bool
TEXT ·reply8(SB), NOSPLIT, $0-41
	REPLY(MOVQ, CMPQ, MOVQ, v+24(FP), polls+32(FP), ret+40(FP))

// func match1(p *uint8, n int, v uint8, polls int) int
TEXT ·match1(SB), NOSPLIT, $0-40
	MATCH(MOVBLZX, CMPB, 1)

// func match2(p *uint16, n int, v uint16, polls int) int
TEXT ·match2(SB), NOSPLIT, $0-40
	MATCH(MOVWLZX, CMPW, 2)

// func match4(p *uint32, n int, v uint32, polls int) int
TEXT ·match4(SB), NOSPLIT, $0-40
	MATCH(MOVL, CMPL, 4)

// func match8(p *uint64, n int, v uint64, polls int) int
TEXT ·match8(SB), NOSPLIT, $0-40
	MATCH(MOVQ, CMPQ, 8)
