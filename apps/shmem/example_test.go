package shmem_test

import (
	"context"
	"fmt"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// The program of a PE. Package-level, so that a run over several ranks knows it, too.
var numbers = shmem.NewProgram("numbers", func(_ *edt.Ctx, pe *shmem.PE) {
	own := datablock.SliceOf[int64](pe.Segment())
	pe.Put((pe.Rank()+1)%pe.Size(), 0, []byte{byte(pe.Rank() + 1)})
	pe.Barrier()
	pe.SumToAll(shmem.Int64, 8, 0, 1)
	if pe.Rank() == 0 {
		fmt.Println("from the left:", own[0], "sum:", own[1])
	}
})

// Each PE puts its number to the next one and adds all of them up.
func Example() {
	main := func(c *edt.Ctx, _ edt.Args) guid.GUID {
		world := shmem.NewWorld(c, shmem.Config{PEs: c.Workers(), Bytes: 64})
		ended := world.Run(c, numbers)
		end := c.NewTemplate("end", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			world.Destroy(c)
			c.Shutdown()
			return guid.Null
		})
		c.NewEDT(end, nil, edt.From(ended, datablock.Null))
		return guid.Null
	}
	if err := runtime.Run(context.Background(), main, runtime.Workers(3)); err != nil {
		fmt.Println(err)
	}
	// Output: from the left: 3 sum: 6
}
