package local

import (
	"cmp"
	"fmt"
	"os"

	"ocr/internal/core/sys"
	"ocr/internal/rank/ring"
)

// A Memory is an anonymous file in memory, as one rank has mapped it: the rings of all ranks, and behind them the area.
// All ranks have the area at the same address, so it may contain addresses in itself.
type Memory struct {
	Plan  Plan
	Rings *ring.Memory
	Area  []byte // nil if there is none
	Err   error  // the reason, if the plan has an area
	bytes []byte
}

// A Plan describes a memory. Other ranks map the memory by the plan's text.
type Plan struct {
	Ranks int
	Lines int     // of a ring
	Area  int     // bytes of the area, in pages of 2 MiB; 0 is none
	at    uintptr // where the area is; 0 if it is not mapped
}

const planFormat = "%d ranks, %d lines, %d bytes at %x"

func (p Plan) String() string { return fmt.Sprintf(planFormat, p.Ranks, p.Lines, p.Area, p.at) }

// ParsePlan is the inverse of String.
func ParsePlan(text string) (p Plan, err error) {
	_, err = fmt.Sscanf(text, planFormat, &p.Ranks, &p.Lines, &p.Area, &p.at)
	return p, err
}

// Areas begin at one of these addresses: above the Go heap, which begins at a random address below 0x4000_0000_0000
// (Go 1.26), and below the addresses at which the kernel puts programs and mappings (0x55..., 0x7f...).
const (
	firstArea = 0x4000_0000_0000
	areaStep  = 1 << 42
	lastArea  = 0x5000_0000_0000
)

// Make creates a memory. The file is for the other ranks.
func (p Plan) Make() (*Memory, *os.File, error) {
	f, err := sys.NewSharedFile("ranks", ring.Bytes(p.Ranks, p.Lines))
	if err != nil {
		return nil, nil, err
	}
	m, err := p.mapRings(f)
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	if p.Area > 0 {
		m.makeArea(f)
	}
	return m, f, nil
}

// Map maps the memory that another rank has created.
func (p Plan) Map(f *os.File) (*Memory, error) {
	m, err := p.mapRings(f)
	if err == nil && p.at != 0 {
		m.mapArea(f, p.at)
	}
	return m, err
}

func (p Plan) mapRings(f *os.File) (*Memory, error) {
	bytes, err := sys.MapShared(f, ring.Bytes(p.Ranks, p.Lines))
	if err != nil {
		return nil, err
	}
	rings, err := ring.NewMemory(bytes, p.Ranks, p.Lines)
	if err != nil {
		_ = sys.UnmapShared(bytes)
		return nil, err
	}
	return &Memory{Plan: p, Rings: rings, bytes: bytes}, nil
}

// makeArea creates the area, behind the rings, and maps it.
func (m *Memory) makeArea(f *os.File) {
	if m.Err = sys.Extend(f, m.Plan.offset()+int64(m.Plan.Area)); m.Err != nil {
		return
	}
	for at := uintptr(firstArea); m.Area == nil && at <= lastArea; at += areaStep {
		m.mapArea(f, at) // another job of this process may have mapped the first one
	}
}

func (m *Memory) mapArea(f *os.File, at uintptr) {
	if m.Area, m.Err = sys.MapSharedAt(f, m.Plan.offset(), m.Plan.Area, at); m.Err == nil {
		m.Plan.at = at
	}
}

// offset returns the offset of the area in the file.
func (p Plan) offset() int64 {
	return int64(ring.Bytes(p.Ranks, p.Lines)+sys.HugePage-1) / sys.HugePage * sys.HugePage
}

// DropArea unmaps the area, if there is one.
func (m *Memory) DropArea() error {
	area := m.Area
	if m.Area = nil; area == nil {
		return nil
	}
	return sys.UnmapSharedAt(area)
}

// Close unmaps all of it.
func (m *Memory) Close() error { return cmp.Or(sys.UnmapShared(m.bytes), m.DropArea()) }
