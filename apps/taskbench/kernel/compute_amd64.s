#include "textflag.h"

// LOAD8 and STORE8 move 8 registers from memory at SI and to memory at DI, FOLD8 applies
// an operation to X0 and each of 8 doubles at DI.
#define LOAD8(at, a, b, c, d, e, f, g, h) \
	VMOVUPD (at+0)(SI), a \
	VMOVUPD (at+32)(SI), b \
	VMOVUPD (at+64)(SI), c \
	VMOVUPD (at+96)(SI), d \
	VMOVUPD (at+128)(SI), e \
	VMOVUPD (at+160)(SI), f \
	VMOVUPD (at+192)(SI), g \
	VMOVUPD (at+224)(SI), h

#define STORE8(at, a, b, c, d, e, f, g, h) \
	VMOVUPD a, (at+0)(DI) \
	VMOVUPD b, (at+32)(DI) \
	VMOVUPD c, (at+64)(DI) \
	VMOVUPD d, (at+96)(DI) \
	VMOVUPD e, (at+128)(DI) \
	VMOVUPD f, (at+160)(DI) \
	VMOVUPD g, (at+192)(DI) \
	VMOVUPD h, (at+224)(DI)

#define FOLD8(op, at) \
	op (at+0)(DI), X0 \
	op (at+8)(DI), X0 \
	op (at+16)(DI), X0 \
	op (at+24)(DI), X0 \
	op (at+32)(DI), X0 \
	op (at+40)(DI), X0 \
	op (at+48)(DI), X0 \
	op (at+56)(DI), X0

// func productAVX2(from, to *squares, n int64) float64
//
// The operands are in the 16 registers, and each is all three operands of its multiply-add.
TEXT ·productAVX2(SB), 0, $544-32
	MOVQ from+0(FP), SI
	MOVQ to+8(FP), DI
	MOVQ n+16(FP), CX
	TESTQ DI, DI
	JNZ load
	LEAQ 31(SP), DI
	ANDQ $~31, DI // no operand lies across two lines
load:
	LOAD8(0, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	LOAD8(256, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15)
	TESTQ CX, CX
	JLE done
	PCALIGN $32
next:
	VFMADD213PD Y0, Y0, Y0
	VFMADD213PD Y1, Y1, Y1
	VFMADD213PD Y2, Y2, Y2
	VFMADD213PD Y3, Y3, Y3
	VFMADD213PD Y4, Y4, Y4
	VFMADD213PD Y5, Y5, Y5
	VFMADD213PD Y6, Y6, Y6
	VFMADD213PD Y7, Y7, Y7
	VFMADD213PD Y8, Y8, Y8
	VFMADD213PD Y9, Y9, Y9
	VFMADD213PD Y10, Y10, Y10
	VFMADD213PD Y11, Y11, Y11
	VFMADD213PD Y12, Y12, Y12
	VFMADD213PD Y13, Y13, Y13
	VFMADD213PD Y14, Y14, Y14
	VFMADD213PD Y15, Y15, Y15
	DECQ CX
	JNZ next
done:
	STORE8(0, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	STORE8(256, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15)
	VZEROUPPER
	MOVSD $(1.0), X0
	FOLD8(MULSD, 0)
	FOLD8(MULSD, 64)
	FOLD8(MULSD, 128)
	FOLD8(MULSD, 192)
	FOLD8(MULSD, 256)
	FOLD8(MULSD, 320)
	FOLD8(MULSD, 384)
	FOLD8(MULSD, 448)
	MOVSD X0, ret+24(FP)
	RET
