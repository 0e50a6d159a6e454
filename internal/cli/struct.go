package cli

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ocr/internal/report"
	"ocr/internal/sizes"
)

// StructFlags makes a flag of each field of a struct that has the tag flag:"NAME", with the field's value for its
// default. Other tags of the field are:
//
//	short:"N"                 a letter
//	usage:"..."               what help says of it; the words of a choice follow
//	range:"1..10"             of an int or a duration; without it the struct's own Validate checks
//	all:"all" none:"none"     words that stand for every value of a list, and for no value
//	key:"NAME"                in [StructSettings], if it is not the flag's name; "-" for not there
//
// A field is an int, a uint64, a float64, a string, a bool or a duration; or one value, or a list, of those that the
// struct's method Choices() map[string]any has, as a slice under the flag's name.
func StructFlags(fs *pflag.FlagSet, config any) {
	var choices map[string]any
	if c, ok := config.(interface{ Choices() map[string]any }); ok {
		choices = c.Choices()
	}
	for tag, field := range tagged(config) {
		name, short, usage := tag.Get("flag"), tag.Get("short"), tag.Get("usage")
		if allowed := choices[name]; allowed != nil {
			value, rule := choice(field, elements(reflect.ValueOf(allowed)), tag)
			fs.VarP(value, name, short, usage+": "+rule)
			continue
		}
		switch p := field.Addr().Interface().(type) {
		case *bool:
			fs.BoolVarP(p, name, short, *p, usage)
		case *string:
			fs.StringVarP(p, name, short, *p, usage)
		case *int:
			value := New(p, "N", wholeNumber, nil)
			if tag.Get("range") != "" {
				value = Whole(p, bound(tag, 0, strconv.Atoi), bound(tag, 1, strconv.Atoi))
			}
			fs.VarP(value, name, short, usage)
		case *uint64:
			fs.VarP(Seed(p), name, short, usage)
		case *float64:
			fs.VarP(New(p, "X", finite, nil), name, short, usage)
		case *time.Duration:
			fs.VarP(Duration(p, bound(tag, 0, time.ParseDuration), bound(tag, 1, time.ParseDuration)), name, short, usage)
		default:
			panic(fmt.Sprintf("cli: --%s: a %v cannot be a flag", name, field.Type()))
		}
	}
}

// StructSettings returns the values that those fields have, as settings of a document.
func StructSettings(config any) report.Config {
	var all report.Config
	for tag, field := range tagged(config) {
		key, ok := tag.Lookup("key")
		if !ok {
			key = tag.Get("flag")
		}
		value := field.Interface()
		switch value.(type) {
		case int, uint64, float64, string, bool:
		default:
			if value = fmt.Sprint(value); field.Kind() == reflect.Slice {
				value = cmp.Or(sizes.Join(elements(field)), tag.Get("none"))
			}
		}
		if key != "-" {
			all = append(all, report.Setting{Key: key, Value: value})
		}
	}
	return all
}

// tagged ranges over the fields that are flags, of the struct that config points to.
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

// bound returns the first or the second bound of the tag range.
func bound[T any](tag reflect.StructTag, at int, read func(string) (T, error)) T {
	bounds := strings.Split(tag.Get("range"), "..")
	x, err := read(bounds[at])
	if err != nil {
		panic(fmt.Sprintf("cli: --%s: range %s: %v", tag.Get("flag"), tag.Get("range"), err))
	}
	return x
}

// choice returns the flag value of a field that is one of some values, or a list of those, and what help says of it.
func choice(field reflect.Value, allowed []any, tag reflect.StructTag) (value pflag.Value, rule string) {
	if field.Kind() != reflect.Slice {
		one := field.Interface()
		v := Choice(&one, allowed...)
		return assigned{v, func() { field.Set(reflect.ValueOf(one)) }}, listRule("", Words(allowed), "", "")
	}
	list, all, none := elements(field), tag.Get("all"), tag.Get("none")
	return assigned{List(&list, allowed, all, none), func() {
		field.SetZero()
		for _, value := range list {
			field.Set(reflect.Append(field, reflect.ValueOf(value)))
		}
	}}, listRule("", Words(allowed), all, none)
}

// assigned is a flag value that is assigned to a field when it is set.
type assigned struct {
	completed
	assign func()
}

// completed is a flag value that the shell can complete.
type completed interface {
	pflag.Value
	Complete(typed string) []string
}

func (a assigned) Set(text string) error {
	err := a.completed.Set(text)
	if err == nil {
		a.assign()
	}
	return err
}

// elements returns those of a slice.
func elements(slice reflect.Value) []any {
	list := make([]any, slice.Len())
	for k := range list {
		list[k] = slice.Index(k).Interface()
	}
	return list
}

func wholeNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		err = errors.New("must be a whole number")
	}
	return n, err
}

func finite(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x-x != 0 {
		err = errors.New("must be a number")
	}
	return x, err
}
