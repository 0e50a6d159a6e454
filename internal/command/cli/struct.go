package cli

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"strconv"

	"github.com/spf13/pflag"

	"ocr/internal/show/report"
)

// StructFlags defines a flag for each field of a struct that has the tag flag:"NAME". The field may also have the tags
// short:"N" and usage:"...". A field is an int, a uint64, a float64, a string or a bool; its value is the flag's
// default. The struct's own Validate checks the range of numbers.
func StructFlags(fs *pflag.FlagSet, config any) {
	for tag, field := range tagged(config) {
		name, short, usage := tag.Get("flag"), tag.Get("short"), tag.Get("usage")
		switch p := field.Addr().Interface().(type) {
		case *int:
			fs.VarP(New(p, "int", strconv.Atoi, nil), name, short, usage) // pflag would read 010 as 8
		case *uint64:
			fs.VarP(Seed(p), name, short, usage)
		case *float64:
			fs.VarP(New(p, "float64", finite, nil), name, short, usage)
		case *string:
			fs.StringVarP(p, name, short, *p, usage)
		case *bool:
			fs.BoolVarP(p, name, short, *p, usage)
		default:
			panic(fmt.Sprintf("cli: --%s: a %v cannot be a flag", name, field.Type()))
		}
	}
}

// StructSettings returns the values of the fields that have the tag flag, as settings of a document.
func StructSettings(config any) report.Config {
	var all report.Config
	for tag, field := range tagged(config) {
		all = all.With(tag.Get("flag"), field.Interface())
	}
	return all
}

// tagged ranges over those fields of the struct behind config that are flags.
func tagged(config any) iter.Seq2[reflect.StructTag, reflect.Value] {
	return func(yield func(reflect.StructTag, reflect.Value) bool) {
		v := reflect.ValueOf(config).Elem()
		for k := range v.NumField() {
			tag := v.Type().Field(k).Tag
			if tag.Get("flag") != "" && !yield(tag, v.Field(k)) {
				return
			}
		}
	}
}

func finite(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = strconv.ErrRange
	}
	return v, err
}
