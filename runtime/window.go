package runtime

import (
	"ocr/edt"
	link "ocr/internal/rank"
)

// Window gives each rank a window of this size for [edt.Ctx.Window], to which EDTs of other ranks put, and from which
// they get, while they run. The bytes do not count for [Memory].
func Window(bytes int) Option { return func(s *settings) { s.window = bytes } }

// openWindow opens the window of a run, on all ranks at once: nil if it has none.
func openWindow(e link.Engine, bytes int) (edt.Window, error) {
	if bytes == 0 {
		return nil, nil
	}
	return e.(link.Windowed).OpenWindow(bytes)
}
