package task

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"ocr/edt"
	"ocr/guid"
)

// fieldsOf is the label of EDTs whose task has none: "row 3, col 7".
func fieldsOf[P any](p P) string { return fields(reflect.ValueOf(&p).Elem()) } // addressable, as read needs it

func fields(v reflect.Value) string {
	if v.Type().Size() == 0 {
		return ""
	}
	if v.Kind() != reflect.Struct || isName(v.Type()) {
		return show(v)
	}
	var parts []string
	for k := range v.NumField() {
		switch f := v.Type().Field(k); {
		case f.Name == "_" || f.Type == reflect.TypeFor[edt.Call](): // hidden
		case f.Anonymous && isName(f.Type):
			parts = append(parts, show(v.Field(k)))
		default:
			parts = append(parts, lowerFirst(f.Name)+" "+show(v.Field(k)))
		}
	}
	return strings.Join(parts, ", ")
}

// lowerFirst turns the first letter into a small one, unless the second is a capital, as in GUID.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// isName reports whether a type is a GUID, or a struct that holds only a GUID, such as [Event].
func isName(t reflect.Type) bool {
	for t.Kind() == reflect.Struct && t != reflect.TypeFor[guid.GUID]() && t.NumField() == 1 {
		t = t.Field(0).Type
	}
	return t == reflect.TypeFor[guid.GUID]()
}

// embedsName reports whether a struct has the methods of a GUID that it embeds.
func embedsName(t reflect.Type) bool {
	if t.Kind() == reflect.Struct {
		for k := range t.NumField() {
			if f := t.Field(k); f.Anonymous && (isName(f.Type) || embedsName(f.Type)) {
				return true
			}
		}
	}
	return false
}

// show prints a value as package fmt does, but names objects: "event 3f6b1c52-0000-8300-8000-000000000001".
func show(v reflect.Value) string {
	v = read(v)
	if isName(v.Type()) {
		return nameOf(*(*guid.GUID)(v.Addr().UnsafePointer())) // the GUID is all of v's memory
	}
	switch s := v.Interface().(type) {
	case interface{ describe() string }:
		return s.describe()
	case fmt.Stringer:
		if !embedsName(v.Type()) { // else String is that of the embedded GUID alone
			return s.String()
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		return "{" + fields(v) + "}"
	case reflect.Array:
		var parts []string
		for k := range v.Len() {
			parts = append(parts, show(v.Index(k)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprint(v)
}

// read returns the value without reflect's mark of an unexported field, for which Interface would panic.
//
// This is sound because the value is part of a copy that fieldsOf has made.
func read(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

func nameOf(g guid.GUID) string {
	switch {
	case g.IsNull():
		return "none"
	case g.Kind() == guid.KindNone:
		return g.String()
	}
	return fmt.Sprintf("%v %v", g.Kind(), g)
}
