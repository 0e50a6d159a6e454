package block

import (
	"math/bits"

	"ocr/datablock"
)

// Blocks have size classes: multiples of a cache line up to 1 KiB, then four classes to a doubling.
const (
	lineSize   = 64
	fineLimit  = 1024
	fineCount  = fineLimit / lineSize
	largeSize  = 32 << 10
	maxLog     = 37
	numClasses = fineCount + 4*(maxLog-10)
	largeClass = fineCount + 4*(15-10) // the first above largeSize
	emptyClass = numClasses            // of blocks without bytes, which have no memory
	keepRecord = 1 << 7                // a bit beside the class: the record has had its last generation
)

// The largest class has the size of the largest block.
var _ = [1]struct{}{}[datablock.MaxSize-1<<maxLog]

// sizeClass returns the class for a size of at least 1, and the bytes of a block of that class.
func sizeClass(size int) (class uint8, bytes int) {
	if size <= fineLimit {
		n := (size + lineSize - 1) / lineSize
		return uint8(n - 1), n * lineSize
	}
	k := bits.Len(uint(size-1)) - 1 // 2^k < size <= 2^(k+1)
	step := 1 << (k - 2)
	quarter := (size - 1 - 1<<k) / step
	return uint8(fineCount + 4*(k-10) + quarter), 1<<k + (quarter+1)*step
}

// classBytes returns the bytes of a block of a class.
func classBytes(class uint8) int {
	if class < fineCount {
		return (int(class) + 1) * lineSize
	}
	k, quarter := 10+int(class-fineCount)/4, int(class-fineCount)%4
	return 1<<k + (quarter+1)*(1<<(k-2))
}
