//go:build !race

#include "textflag.h"

// LDAR acquires and STLR releases. FILL has one barrier before its plain stores.
//
// Each operation is written once, as a macro. Its arguments depend on the width: the instructions, and the offsets of
// parameters.

#define LOAD(LDARX, STOREX) \
	MOVD p+0(FP), R0; \
	LDARX (R0), R1; \
	STOREX R1, ret+8(FP); \
	RET

#define STORE(LOADX, STLRX) \
	MOVD p+0(FP), R0; \
	LOADX v+8(FP), R1; \
	STLRX R1, (R0); \
	RET

#define FILL(LOADX, STOREX, SIZE) \
	MOVD p+0(FP), R0; \
	MOVD n+8(FP), R2; \
	LOADX v+16(FP), R1; \
	DMB $0xb; \
next: \
	CBZ R2, done; \
	STOREX R1, SIZE(R0); \
	SUB $1, R2; \
	B next; \
done: \
	RET

#define AWAIT(LOADX, LDARX, CMPX, JUMP) \
	MOVD p+0(FP), R0; \
	LOADX v+8(FP), R1; \
	MOVD polls+16(FP), R2; \
next: \
	LDARX (R0), R4; \
	CMPX R1, R4; \
	JUMP there; \
	SUBS $1, R2; \
	BGT next; \
	MOVB ZR, ret+24(FP); \
	RET; \
there: \
	MOVD $1, R5; \
	MOVB R5, ret+24(FP); \
	RET

#define REPLY(LOADX, LDARX, CMPX, STLRX, v, polls, ret) \
	MOVD in+0(FP), R0; \
	MOVD out+8(FP), R3; \
	LOADX want+16(FP), R1; \
	LOADX v, R6; \
	MOVD polls, R2; \
next: \
	LDARX (R0), R4; \
	CMPX R1, R4; \
	BEQ there; \
	SUBS $1, R2; \
	BGT next; \
	MOVB ZR, ret; \
	RET; \
there: \
	STLRX R6, (R3); \
	MOVD $1, R5; \
	MOVB R5, ret; \
	RET

#define MATCH(LOADX, LDARX, CMPX, SIZE) \
	MOVD p+0(FP), R0; \
	MOVD n+8(FP), R2; \
	LOADX v+16(FP), R1; \
	MOVD polls+24(FP), R5; \
	MOVD ZR, R3; \
next: \
	CMP R2, R3; \
	BGE done; \
again: \
	LDARX (R0), R4; \
	CMPX R1, R4; \
	BNE miss; \
	ADD $SIZE, R0; \
	ADD $1, R3; \
	B next; \
miss: \
	SUBS $1, R5; \
	BGT again; \
done: \
	MOVD R3, ret+32(FP); \
	RET

// func load1(p *uint8) uint8
TEXT ·load1(SB), NOSPLIT, $0-9
	LOAD(LDARB, MOVB)

// func load2(p *uint16) uint16
TEXT ·load2(SB), NOSPLIT, $0-10
	LOAD(LDARH, MOVH)

// func load4(p *uint32) uint32
TEXT ·load4(SB), NOSPLIT, $0-12
	LOAD(LDARW, MOVW)

// func load8(p *uint64) uint64
TEXT ·load8(SB), NOSPLIT, $0-16
	LOAD(LDAR, MOVD)

// func store1(p *uint8, v uint8)
TEXT ·store1(SB), NOSPLIT, $0-9
	STORE(MOVBU, STLRB)

// func store2(p *uint16, v uint16)
TEXT ·store2(SB), NOSPLIT, $0-10
	STORE(MOVHU, STLRH)

// func store4(p *uint32, v uint32)
TEXT ·store4(SB), NOSPLIT, $0-12
	STORE(MOVWU, STLRW)

// func store8(p *uint64, v uint64)
TEXT ·store8(SB), NOSPLIT, $0-16
	STORE(MOVD, STLR)

// func fill1(p *uint8, n int, v uint8)
TEXT ·fill1(SB), NOSPLIT, $0-17
	FILL(MOVBU, MOVB.P, 1)

// func fill2(p *uint16, n int, v uint16)
TEXT ·fill2(SB), NOSPLIT, $0-18
	FILL(MOVHU, MOVH.P, 2)

// func fill4(p *uint32, n int, v uint32)
TEXT ·fill4(SB), NOSPLIT, $0-20
	FILL(MOVWU, MOVW.P, 4)

// func fill8(p *uint64, n int, v uint64)
TEXT ·fill8(SB), NOSPLIT, $0-24
	FILL(MOVD, MOVD.P, 8)

// func await1(p *uint8, v uint8, polls int) bool
TEXT ·await1(SB), NOSPLIT, $0-25
	AWAIT(MOVBU, LDARB, CMPW, BEQ)

// func await2(p *uint16, v uint16, polls int) bool
TEXT ·await2(SB), NOSPLIT, $0-25
	AWAIT(MOVHU, LDARH, CMPW, BEQ)

// func await4(p *uint32, v uint32, polls int) bool
TEXT ·await4(SB), NOSPLIT, $0-25
	AWAIT(MOVWU, LDARW, CMPW, BEQ)

// func await8(p *uint64, v uint64, polls int) bool
TEXT ·await8(SB), NOSPLIT, $0-25
	AWAIT(MOVD, LDAR, CMP, BEQ)

// func reach(p *uint64, v uint64, polls int) bool
TEXT ·reach(SB), NOSPLIT, $0-25
	AWAIT(MOVD, LDAR, CMP, BHS)

// func reply1(in, out *uint8, want, v uint8, polls int) bool
TEXT ·reply1(SB), NOSPLIT, $0-33
	REPLY(MOVBU, LDARB, CMPW, STLRB, v+17(FP), polls+24(FP), ret+32(FP))

// func reply2(in, out *uint16, want, v uint16, polls int) bool
TEXT ·reply2(SB), NOSPLIT, $0-33
	REPLY(MOVHU, LDARH, CMPW, STLRH, v+18(FP), polls+24(FP), ret+32(FP))

// func reply4(in, out *uint32, want, v uint32, polls int) bool
TEXT ·reply4(SB), NOSPLIT, $0-33
	REPLY(MOVWU, LDARW, CMPW, STLRW, v+20(FP), polls+24(FP), ret+32(FP))

// func reply8(in, out *uint64, want, v uint64, polls int) bool
TEXT ·reply8(SB), NOSPLIT, $0-41
	REPLY(MOVD, LDAR, CMP, STLR, v+24(FP), polls+32(FP), ret+40(FP))

// func match1(p *uint8, n int, v uint8, polls int) int
TEXT ·match1(SB), NOSPLIT, $0-40
	MATCH(MOVBU, LDARB, CMPW, 1)

// func match2(p *uint16, n int, v uint16, polls int) int
TEXT ·match2(SB), NOSPLIT, $0-40
	MATCH(MOVHU, LDARH, CMPW, 2)

// func match4(p *uint32, n int, v uint32, polls int) int
TEXT ·match4(SB), NOSPLIT, $0-40
	MATCH(MOVWU, LDARW, CMPW, 4)

// func match8(p *uint64, n int, v uint64, polls int) int
TEXT ·match8(SB), NOSPLIT, $0-40
	MATCH(MOVD, LDAR, CMP, 8)
