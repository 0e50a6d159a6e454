//go:build (amd64 || arm64) && !race

package cell

// All of these are leaves: they return after at most n elements.

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
func match1(p *uint8, n int, v uint8) int

//go:noescape
func match2(p *uint16, n int, v uint16) int

//go:noescape
func match4(p *uint32, n int, v uint32) int

//go:noescape
func match8(p *uint64, n int, v uint64) int
