package local

import (
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
	bytes []byte
}

// A Plan describes a memory. Other ranks map the memory by the plan's text.
type Plan struct {
	Ranks int
	Lines int // of a ring
}

const planFormat = "%d ranks, %d lines"

func (p Plan) String() string { return fmt.Sprintf(planFormat, p.Ranks, p.Lines) }

// ParsePlan is the inverse of String.
func ParsePlan(text string) (p Plan, err error) {
	_, err = fmt.Sscanf(text, planFormat, &p.Ranks, &p.Lines)
	return p, err
}

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
	return m, f, nil
}

// Map maps the memory that another rank has created.
func (p Plan) Map(f *os.File) (*Memory, error) {
	return p.mapRings(f)
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

// Close unmaps all of it.
func (m *Memory) Close() error { return sys.UnmapShared(m.bytes) }
