package c2c_test

import (
	goruntime "runtime"

	"ocr/apps/c2c"
	"ocr/internal/sys"
)

var testSystem = c2c.System{
	Sight: func() c2c.Sight {
		_, forced := sys.ContextSwitches()
		return c2c.Sight{CPU: sys.CurrentCPU(), Preemptions: forced}
	},
	Yield: sys.Yield,
	Pin: func(cpu int) (func(), error) {
		goruntime.LockOSThread()
		before, err := sys.GetAffinity()
		if err == nil {
			err = sys.SetAffinity([]int{cpu})
		}
		return func() {
			if sys.SetAffinity(before) == nil {
				goruntime.UnlockOSThread()
			}
		}, err
	},
}
