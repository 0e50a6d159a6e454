package job

import (
	"fmt"
	"os"

	"ocr/internal/sys"
)

// An Area is memory that all ranks of a machine have at the same address, so that what lies in it may say where other things
// in it are. It is a part of a file, behind what other use is made of that.
type Area struct {
	Bytes []byte // nil if there is none
	Err   error  // then: why, if one was wanted
	place Place
}

// A Place is where an area is, as ranks are told.
type Place struct {
	Bytes int
	At    uintptr // 0: there is no area
}

const placeFormat = "%d bytes at %x"

// String is the place in the form of placeFormat.
func (p Place) String() string { return fmt.Sprintf(placeFormat, p.Bytes, p.At) }

// Areas begin at one of these addresses: above the heap of Go, whose place is drawn below 0x4000_0000_0000 (Go 1.26), and below where
// the kernel puts programs and mappings (0x55..., 0x7f...).
const (
	firstArea = 0x4000_0000_0000
	areaStep  = 1 << 42
	lastArea  = 0x5000_0000_0000
)

// NewArea makes an area at the end of a file, and maps it.
func NewArea(f *os.File, bytes int) (a Area) {
	if bytes == 0 {
		return a
	}
	offset, err := areaOffset(f)
	if err == nil {
		err = sys.Extend(f, offset+int64(bytes))
	}
	a.Err = err
	for at := uintptr(firstArea); a.Bytes == nil && err == nil && at <= lastArea; at += areaStep {
		a.place = Place{bytes, at} // another job of this process may have the first
		a.Bytes, a.Err = sys.MapSharedAt(f, offset, bytes, at)
	}
	if a.Bytes == nil {
		a.place = Place{}
	}
	return a
}

// areaOffset is where the area begins in a file that has none yet.
func areaOffset(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return (info.Size() + sys.HugePage - 1) / sys.HugePage * sys.HugePage, nil
}

// Place returns what other ranks are told.
func (a *Area) Place() Place { return a.place }

// Map maps the area of another rank.
func (p Place) Map(f *os.File) ([]byte, error) {
	if p.At == 0 {
		return nil, nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return sys.MapSharedAt(f, info.Size()-int64(p.Bytes), p.Bytes, p.At)
}

// Close unmaps the area.
func (a *Area) Close() error {
	if a.Bytes == nil {
		return nil
	}
	return sys.UnmapSharedAt(a.Bytes)
}
