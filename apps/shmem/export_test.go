package shmem

import "ocr/edt"

// InWindows makes PEs reach each other by windows alone, one for each worker.
func (c Config) InWindows(of func(worker int) edt.Window) Config {
	c.windows = of
	return c
}
