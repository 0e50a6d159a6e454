package runtime

import (
	"ocr/edt"
	link "ocr/internal/rank"
)

// Window gives each rank a window of this size for [edt.Ctx.Window], to which EDTs of other ranks put, and from which
// they get, while they run. It has an effect only if ranks have no data blocks in common, see [Job.OneSided]. The bytes
// do not count for [Memory].
func Window(bytes int) Option { return func(s *settings) { s.window = bytes } }

// OneSided reports whether runs of the job can have a [Window]: the ranks have MPI between them, and not [Job.Direct].
func (j *Job) OneSided() bool {
	if j == nil {
		return false
	}
	_, can := j.engine.(link.Windowed)
	return can && !j.Direct()
}

// openWindow opens the window of a run, on all ranks at once: nil if it has none.
func openWindow(e link.Engine, bytes int) (edt.Window, error) {
	w, can := e.(link.Windowed)
	if !can || bytes == 0 {
		return nil, nil
	}
	return w.OpenWindow(bytes)
}
