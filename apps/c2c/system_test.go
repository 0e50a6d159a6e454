package c2c_test

import (
	"ocr/apps/c2c"
	"ocr/internal/sys"
)

var testSystem = c2c.System{
	Sight: func() c2c.Sight {
		_, forced := sys.ContextSwitches()
		return c2c.Sight{CPU: sys.CurrentCPU(), Preemptions: forced}
	},
	Yield: sys.Yield,
	Pin:   sys.Pin,
}
