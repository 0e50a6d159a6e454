// Command results makes docs/results.json, docs/results.md and the README's table of what docs/results.sh measured:
//
//	results busy FILE.json          exit code 1 and a line that says why, if the machine was busy
//	results write DIR OUT README    of all files in DIR; README changes between its markers
package main

import (
	"errors"
	"fmt"
	"os"

	"ocr/internal/show/report"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "busy":
		d, err := report.Read(args[1])
		if err == nil && d.Conditions.Busy() != "" {
			err = errors.New(d.Conditions.Busy())
		}
		return err
	case len(args) == 4 && args[0] == "write":
		p, err := gather(args[1])
		if err != nil {
			return err
		}
		return p.write(args[2], args[3])
	}
	return errors.New("usage: results busy FILE.json, or results write DIR OUT README")
}
