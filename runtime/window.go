package runtime

import (
	"ocr/edt"
	"ocr/internal/block"
	link "ocr/internal/rank"
)

// Window gives each rank so many bytes for [edt.Ctx.Window], which EDTs of other ranks put to and get from while they run. It has an
// effect if they cannot all have a data block for that, see [Job.OneSided]; the bytes are not among those of [Memory].
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
func openWindow(e link.Engine, shared *block.Shared, bytes int) (edt.Window, error) {
	w, can := e.(link.Windowed)
	if !can || shared != nil || bytes == 0 {
		return nil, nil
	}
	return w.OpenWindow(bytes)
}
