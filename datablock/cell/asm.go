//go:build (amd64 || arm64) && !race

package cell

// None of these functions calls another. Each one's loop is bounded by its arguments n (elements) and polls.

//go:noescape
func load1(p *uint8) uint8

//go:noescape
func load2(p *uint16) uint16

//go:noescape
func load4(p *uint32) uint32

//go:noescape
func load8(p *uint64) uint64

//go:noescape
func store1(p *uint8, v uint8)

//go:noescape
func store2(p *uint16, v uint16)

//go:noescape
func store4(p *uint32, v uint32)

//go:noescape
func store8(p *uint64, v uint64)

//go:noescape
func fill1(p *uint8, n int, v uint8)

//go:noescape
func fill2(p *uint16, n int, v uint16)

//go:noescape
func fill4(p *uint32, n int, v uint32)

//go:noescape
func fill8(p *uint64, n int, v uint64)

//go:noescape
func await1(p *uint8, v uint8, polls int) bool

//go:noescape
func await2(p *uint16, v uint16, polls int) bool

//go:noescape
func await4(p *uint32, v uint32, polls int) bool

//go:noescape
func await8(p *uint64, v uint64, polls int) bool

//go:noescape
func reach(p *uint64, v uint64, polls int) bool

//go:noescape
func reply1(in, out *uint8, want, v uint8, polls int) bool

//go:noescape
func reply2(in, out *uint16, want, v uint16, polls int) bool

//go:noescape
func reply4(in, out *uint32, want, v uint32, polls int) bool

//go:noescape
func reply8(in, out *uint64, want, v uint64, polls int) bool

//go:noescape
func match1(p *uint8, n int, v uint8, polls int) int

//go:noescape
func match2(p *uint16, n int, v uint16, polls int) int

//go:noescape
func match4(p *uint32, n int, v uint32, polls int) int

//go:noescape
func match8(p *uint64, n int, v uint64, polls int) int
