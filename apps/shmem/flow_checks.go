package shmem

// check ends the run if an operation is not one that the step can do.
func (s *Step) check(op Op) {
	pes, bytes, name := uint(s.flow.world.cfg.PEs), s.flow.world.cfg.Bytes, s.kind.name
	switch {
	case uint(op.Origin) >= pes:
		misuse(name, -1, "no PE %d as origin, there are %d", op.Origin, pes)
	case uint(op.Target) >= pes:
		misuse(name, op.Origin, "no PE %d, there are %d", op.Target, pes)
	case uint64(op.Tag) >= 1<<tagBits:
		misuse(name, op.Origin, "tag %d, must be 0 to %d", op.Tag, uint64(1)<<tagBits-1)
	case s.kind.notice:
	case s.kind.atomic && (op.Dst%8 != 0 || op.Src%8 != 0):
		misuse(name, op.Origin, "offsets %d and %d are not multiples of 8", op.Dst, op.Src)
	case s.kind.atomic:
		s.inRange(op.Origin, op.Dst, 8, bytes)
		s.inRange(op.Origin, op.Src, 8, bytes)
	case s.kind.width > 0:
		s.checkStrided(op, bytes)
	default:
		s.inRange(op.Origin, op.Dst, op.Bytes, bytes)
		s.inRange(op.Origin, op.Src, op.Bytes, bytes)
	}
}

func (s *Step) inRange(origin, at, n, bytes int) {
	if at < 0 || n < 0 || at > bytes || n > bytes-at {
		misuse(s.kind.name, origin, "%d bytes at offset %d, the segment has %d", n, at, bytes)
	}
}

func (s *Step) checkStrided(op Op, bytes int) {
	width := s.kind.width
	if op.Bytes < 0 || op.Bytes%width != 0 || op.Dst%width != 0 || op.Src%width != 0 {
		misuse(s.kind.name, op.Origin, "%d bytes, offsets %d and %d: not all are multiples of the element's %d bytes",
			op.Bytes, op.Dst, op.Src, width)
	}
	for _, side := range []struct{ at, stride int }{{op.Dst, s.kind.strides.Dst}, {op.Src, s.kind.strides.Src}} {
		s.inRange(op.Origin, side.at, 0, bytes)
		if !spans(op.Bytes/width, width, side.stride, bytes-side.at) {
			misuse(s.kind.name, op.Origin, "%d elements with stride %d at offset %d, the segment has %d bytes",
				op.Bytes/width, side.stride, side.at, bytes)
		}
	}
}

// checkStrides ends the run if elements cannot be moved.
func (f *Flow) checkStrides(op string, width int, s Strides) {
	switch {
	case width != 4 && width != 8:
		misuse(op, -1, "elements of %d bytes, they must have 4 or 8", width)
	case s.Dst < 1 || s.Src < 1:
		misuse(op, -1, "strides %d and %d, strides must be 1 or more", s.Dst, s.Src)
	}
}

// checkSum ends the run if a reduction is not one that all PEs can do.
func (s *Sum) checkSum(op Op) {
	size, bytes := s.element.Size(), s.flow.world.cfg.Bytes
	switch {
	case uint(op.Origin) >= uint(len(s.parts)):
		misuse("sum to all", -1, "no PE %d as origin, there are %d", op.Origin, len(s.parts))
	case op.Bytes < 0 || op.Bytes%size != 0 || op.Dst%size != 0 || op.Src%size != 0:
		misuse("sum to all", op.Origin, "%d bytes, offsets %d and %d: not all are multiples of an element of %d bytes",
			op.Bytes, op.Dst, op.Src, size)
	case op.Dst < 0 || op.Src < 0 || op.Bytes > bytes || op.Dst > bytes-op.Bytes || op.Src > bytes-op.Bytes:
		misuse("sum to all", op.Origin, "%d bytes at offsets %d and %d, the segment has %d", op.Bytes, op.Dst, op.Src, bytes)
	case op.Dst != op.Src && op.Dst < op.Src+op.Bytes && op.Src < op.Dst+op.Bytes:
		misuse("sum to all", op.Origin, "target %d and source %d overlap, %d bytes", op.Dst, op.Src, op.Bytes)
	}
}
