package edt

import (
	"encoding/binary"

	"ocr/datablock"
)

// encodeArgv lays arguments out as OCR's argument block: argc, argc offsets from the start of the block, then the
// strings, each ended by a zero byte; numbers are 64-bit, little-endian.
func encodeArgv(argv []string) []byte {
	size := 8 * (1 + len(argv))
	for _, a := range argv {
		size += len(a) + 1
	}
	b := make([]byte, size)
	binary.LittleEndian.PutUint64(b, uint64(len(argv)))
	at := 8 * (1 + len(argv))
	for k, a := range argv {
		binary.LittleEndian.PutUint64(b[8*(1+k):], uint64(at))
		at += copy(b[at:], a) + 1
	}
	return b
}

// Argv returns the arguments in the block that the main EDT was started with. It
// returns nil if the dependence holds no argument block.
func Argv(d *datablock.Dep) []string {
	b := d.Bytes()
	if len(b) < 8 {
		return nil
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)/8-1) {
		return nil
	}
	argv := make([]string, n)
	for k := range argv {
		at := binary.LittleEndian.Uint64(b[8*(1+k):])
		if at > uint64(len(b)) {
			return nil
		}
		argv[k] = cString(b[at:])
	}
	return argv
}

func cString(b []byte) string {
	for n, ch := range b {
		if ch == 0 {
			return string(b[:n])
		}
	}
	return string(b)
}
