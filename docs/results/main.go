// Command results serves docs/results.sh:
//
//	results busy FILE.json                exit code 1 and a line that says why, if the machine was busy
//	results loads                         what a load takes on this machine, from memory of four sizes
//	results table README FILE.json ...    write the table into the README, between its markers, from results of overhead
//	                                      and of the gallery's apps
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
		files, err := read(args[1:])
		switch {
		case err != nil:
		case files[0].Conditions == nil:
			err = errors.New("the machine's load is unknown")
		case files[0].Conditions.Busy() != "":
			err = errors.New(files[0].Conditions.Busy())
		}
		return err
	case len(args) == 1 && args[0] == "loads":
		fmt.Println(loads())
		return nil
	case len(args) > 2 && args[0] == "table":
		files, err := read(args[2:])
		if err != nil {
			return err
		}
		return write(args[1], table(files))
	}
	return errors.New("usage: results busy FILE.json, or results loads, or results table README FILE.json and more files")
}

func read(paths []string) (files []*report.Document, err error) {
	for _, path := range paths {
		d, err := report.Read(path)
		if err == nil {
			err = d.Empty()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		files = append(files, d)
	}
	return files, nil
}
