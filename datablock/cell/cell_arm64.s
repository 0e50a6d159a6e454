//go:build !race

#include "textflag.h"

// LDAR acquires and STLR releases. fill has one barrier before its plain stores.

// func load1(p *uint8) uint8
TEXT ·load1(SB), NOSPLIT, $0-9
	MOVD p+0(FP), R0
	LDARB (R0), R1
	MOVB R1, ret+8(FP)
	RET

// func load2(p *uint16) uint16
TEXT ·load2(SB), NOSPLIT, $0-10
	MOVD p+0(FP), R0
	LDARH (R0), R1
	MOVH R1, ret+8(FP)
	RET

// func load4(p *uint32) uint32
TEXT ·load4(SB), NOSPLIT, $0-12
	MOVD p+0(FP), R0
	LDARW (R0), R1
	MOVW R1, ret+8(FP)
	RET

// func load8(p *uint64) uint64
TEXT ·load8(SB), NOSPLIT, $0-16
	MOVD p+0(FP), R0
	LDAR (R0), R1
	MOVD R1, ret+8(FP)
	RET

// func store1(p *uint8, v uint8)
TEXT ·store1(SB), NOSPLIT, $0-9
	MOVD p+0(FP), R0
	MOVBU v+8(FP), R1
	STLRB R1, (R0)
	RET

// func store2(p *uint16, v uint16)
TEXT ·store2(SB), NOSPLIT, $0-10
	MOVD p+0(FP), R0
	MOVHU v+8(FP), R1
	STLRH R1, (R0)
	RET

// func store4(p *uint32, v uint32)
TEXT ·store4(SB), NOSPLIT, $0-12
	MOVD p+0(FP), R0
	MOVWU v+8(FP), R1
	STLRW R1, (R0)
	RET

// func store8(p *uint64, v uint64)
TEXT ·store8(SB), NOSPLIT, $0-16
	MOVD p+0(FP), R0
	MOVD v+8(FP), R1
	STLR R1, (R0)
	RET

// func fill1(p *uint8, n int, v uint8)
TEXT ·fill1(SB), NOSPLIT, $0-17
	MOVD p+0(FP), R0
	MOVD n+8(FP), R2
	MOVBU v+16(FP), R1
	DMB  $0xb
next:
	CBZ  R2, done
	MOVB.P R1, 1(R0)
	SUB  $1, R2
	B    next
done:
	RET

// func fill2(p *uint16, n int, v uint16)
TEXT ·fill2(SB), NOSPLIT, $0-18
	MOVD p+0(FP), R0
	MOVD n+8(FP), R2
	MOVHU v+16(FP), R1
	DMB  $0xb
next:
	CBZ  R2, done
	MOVH.P R1, 2(R0)
	SUB  $1, R2
	B    next
done:
	RET

// func fill4(p *uint32, n int, v uint32)
TEXT ·fill4(SB), NOSPLIT, $0-20
	MOVD p+0(FP), R0
	MOVD n+8(FP), R2
	MOVWU v+16(FP), R1
	DMB  $0xb
next:
	CBZ  R2, done
	MOVW.P R1, 4(R0)
	SUB  $1, R2
	B    next
done:
	RET

// func fill8(p *uint64, n int, v uint64)
TEXT ·fill8(SB), NOSPLIT, $0-24
	MOVD p+0(FP), R0
	MOVD n+8(FP), R2
	MOVD v+16(FP), R1
	DMB  $0xb
next:
	CBZ  R2, done
	MOVD.P R1, 8(R0)
	SUB  $1, R2
	B    next
done:
	RET

// func await1(p *uint8, v uint8, polls int) bool
TEXT ·await1(SB), NOSPLIT, $0-25
	MOVD p+0(FP), R0
	MOVBU v+8(FP), R1
	MOVD polls+16(FP), R2
next:
	LDARB (R0), R4
	CMPW R1, R4
	BEQ  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+24(FP)
	RET
there:
	MOVD $1, R5
	MOVB R5, ret+24(FP)
	RET

// func await2(p *uint16, v uint16, polls int) bool
TEXT ·await2(SB), NOSPLIT, $0-25
	MOVD p+0(FP), R0
	MOVHU v+8(FP), R1
	MOVD polls+16(FP), R2
next:
	LDARH (R0), R4
	CMPW R1, R4
	BEQ  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+24(FP)
	RET
there:
	MOVD $1, R5
	MOVB R5, ret+24(FP)
	RET

// func await4(p *uint32, v uint32, polls int) bool
TEXT ·await4(SB), NOSPLIT, $0-25
	MOVD p+0(FP), R0
	MOVWU v+8(FP), R1
	MOVD polls+16(FP), R2
next:
	LDARW (R0), R4
	CMPW R1, R4
	BEQ  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+24(FP)
	RET
there:
	MOVD $1, R5
	MOVB R5, ret+24(FP)
	RET

// func await8(p *uint64, v uint64, polls int) bool
TEXT ·await8(SB), NOSPLIT, $0-25
	MOVD p+0(FP), R0
	MOVD v+8(FP), R1
	MOVD polls+16(FP), R2
next:
	LDAR (R0), R4
	CMP R1, R4
	BEQ  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+24(FP)
	RET
there:
	MOVD $1, R5
	MOVB R5, ret+24(FP)
	RET

// func reach(p *uint64, v uint64, polls int) bool
TEXT ·reach(SB), NOSPLIT, $0-25
	MOVD p+0(FP), R0
	MOVD v+8(FP), R1
	MOVD polls+16(FP), R2
next:
	LDAR (R0), R4
	CMP  R1, R4
	BHS  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+24(FP)
	RET
there:
	MOVD $1, R5
	MOVB R5, ret+24(FP)
	RET

// func reply1(in, out *uint8, want, v uint8, polls int) bool
TEXT ·reply1(SB), NOSPLIT, $0-33
	MOVD in+0(FP), R0
	MOVD out+8(FP), R3
	MOVBU want+16(FP), R1
	MOVBU v+17(FP), R6
	MOVD polls+24(FP), R2
next:
	LDARB (R0), R4
	CMPW R1, R4
	BEQ  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+32(FP)
	RET
there:
	STLRB R6, (R3)
	MOVD $1, R5
	MOVB R5, ret+32(FP)
	RET

// func reply2(in, out *uint16, want, v uint16, polls int) bool
TEXT ·reply2(SB), NOSPLIT, $0-33
	MOVD in+0(FP), R0
	MOVD out+8(FP), R3
	MOVHU want+16(FP), R1
	MOVHU v+18(FP), R6
	MOVD polls+24(FP), R2
next:
	LDARH (R0), R4
	CMPW R1, R4
	BEQ  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+32(FP)
	RET
there:
	STLRH R6, (R3)
	MOVD $1, R5
	MOVB R5, ret+32(FP)
	RET

// func reply4(in, out *uint32, want, v uint32, polls int) bool
TEXT ·reply4(SB), NOSPLIT, $0-33
	MOVD in+0(FP), R0
	MOVD out+8(FP), R3
	MOVWU want+16(FP), R1
	MOVWU v+20(FP), R6
	MOVD polls+24(FP), R2
next:
	LDARW (R0), R4
	CMPW R1, R4
	BEQ  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+32(FP)
	RET
there:
	STLRW R6, (R3)
	MOVD $1, R5
	MOVB R5, ret+32(FP)
	RET

// func reply8(in, out *uint64, want, v uint64, polls int) bool
TEXT ·reply8(SB), NOSPLIT, $0-41
	MOVD in+0(FP), R0
	MOVD out+8(FP), R3
	MOVD want+16(FP), R1
	MOVD v+24(FP), R6
	MOVD polls+32(FP), R2
next:
	LDAR (R0), R4
	CMP R1, R4
	BEQ  there
	SUBS $1, R2
	BGT  next
	MOVB ZR, ret+40(FP)
	RET
there:
	STLR R6, (R3)
	MOVD $1, R5
	MOVB R5, ret+40(FP)
	RET

// func match1(p *uint8, n int, v uint8, polls int) int
TEXT ·match1(SB), NOSPLIT, $0-40
	MOVD p+0(FP), R0
	MOVD n+8(FP), R2
	MOVBU v+16(FP), R1
	MOVD polls+24(FP), R5
	MOVD ZR, R3
next:
	CMP  R2, R3
	BGE  done
again:
	LDARB (R0), R4
	CMPW R1, R4
	BNE  miss
	ADD  $1, R0
	ADD  $1, R3
	B    next
miss:
	SUBS $1, R5
	BGT  again
done:
	MOVD R3, ret+32(FP)
	RET

// func match2(p *uint16, n int, v uint16, polls int) int
TEXT ·match2(SB), NOSPLIT, $0-40
	MOVD p+0(FP), R0
	MOVD n+8(FP), R2
	MOVHU v+16(FP), R1
	MOVD polls+24(FP), R5
	MOVD ZR, R3
next:
	CMP  R2, R3
	BGE  done
again:
	LDARH (R0), R4
	CMPW R1, R4
	BNE  miss
	ADD  $2, R0
	ADD  $1, R3
	B    next
miss:
	SUBS $1, R5
	BGT  again
done:
	MOVD R3, ret+32(FP)
	RET

// func match4(p *uint32, n int, v uint32, polls int) int
TEXT ·match4(SB), NOSPLIT, $0-40
	MOVD p+0(FP), R0
	MOVD n+8(FP), R2
	MOVWU v+16(FP), R1
	MOVD polls+24(FP), R5
	MOVD ZR, R3
next:
	CMP  R2, R3
	BGE  done
again:
	LDARW (R0), R4
	CMPW R1, R4
	BNE  miss
	ADD  $4, R0
	ADD  $1, R3
	B    next
miss:
	SUBS $1, R5
	BGT  again
done:
	MOVD R3, ret+32(FP)
	RET

// func match8(p *uint64, n int, v uint64, polls int) int
TEXT ·match8(SB), NOSPLIT, $0-40
	MOVD p+0(FP), R0
	MOVD n+8(FP), R2
	MOVD v+16(FP), R1
	MOVD polls+24(FP), R5
	MOVD ZR, R3
next:
	CMP  R2, R3
	BGE  done
again:
	LDAR (R0), R4
	CMP R1, R4
	BNE  miss
	ADD  $8, R0
	ADD  $1, R3
	B    next
miss:
	SUBS $1, R5
	BGT  again
done:
	MOVD R3, ret+32(FP)
	RET
