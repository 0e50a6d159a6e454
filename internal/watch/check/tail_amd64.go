package check

import "unsafe"

// returnsAt reports whether code does no more than to return: it puts results into registers, gives its frame back and
// returns.
func returnsAt(pc uintptr) bool {
	for range 16 {
		code := (*[8]byte)(unsafe.Add(unsafe.Pointer(nil), pc))
		switch {
		case code[0] == 0x90: // NOP
			pc++
		case code[0] == 0x31 && code[1] >= 0xC0: // XORL of two registers
			pc += 2
		case code[0] == 0x48 && code[1] == 0x89 && code[2] >= 0xC0 && code[2]&7 != 4: // MOVQ register, register but SP
			pc += 3
		case code[0] == 0x48 && code[1] == 0x8B && code[2]&0xC7 == 0x05: // MOVQ variable of a package, register
			pc += 7
		case code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xC4: // ADDQ $n, SP
			pc += 4
		case code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xEC && code[3] == 0x80: // SUBQ $-128, SP
			pc += 4
		case code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xC4: // the same of a larger number
			pc += 7
		case code[0] == 0x5D: // POPQ BP
			pc++
		case code[0] == 0xEB: // JMP
			pc += 2 + uintptr(int8(code[1]))
		default:
			return code[0] == 0xC3 // RET
		}
	}
	return false
}
