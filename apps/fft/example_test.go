package fft_test

import (
	"context"
	"fmt"

	"ocr/apps/fft"
	"ocr/runtime"
)

func Example() {
	app := fft.New(fft.Config{Points: 1 << 12, Cutoff: 1 << 8})
	if err := runtime.Run(context.Background(), app.Main(), runtime.Workers(2)); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.3f, error %v\n", app.Spectrum(1), app.Verify())
	// Output: (-19.647-5.138i), error <nil>
}
