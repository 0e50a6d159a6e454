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

// fieldsOf is the label that EDTs have if the task says nothing else: "row 3, col 7".
func fieldsOf[P any](p P) string { return fields(reflect.ValueOf(&p).Elem()) } // addressable, see read

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
		case isHidden(&f):
		case f.Anonymous && isName(f.Type):
			parts = append(parts, show(v.Field(k)))
		default:
			parts = append(parts, lowerFirst(f.Name)+" "+show(v.Field(k)))
		}
	}
	return strings.Join(parts, ", ")
}

// lowerFirst leaves names as GUID as they are.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

func isHidden(f *reflect.StructField) bool {
	return f.Name == "_" || f.Type == reflect.TypeFor[edt.Call]()
}

// isName reports whether a type is a GUID, or has nothing but one in it, as an [Event].
func isName(t reflect.Type) bool {
	for t.Kind() == reflect.Struct && t != reflect.TypeFor[guid.GUID]() && t.NumField() == 1 {
		t = t.Field(0).Type
	}
	return t == reflect.TypeFor[guid.GUID]()
}

// embedsName reports whether a struct has the methods of a GUID that is in it.
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
		return nameOf(*(*guid.GUID)(v.Addr().UnsafePointer())) // which is all that is in it
	}
	switch s := v.Interface().(type) {
	case interface{ describe() string }:
		return s.describe()
	case fmt.Stringer:
		if !embedsName(v.Type()) { // its String is not that of the whole
			return s.String()
		}
	}
	var parts []string
	switch v.Kind() {
	case reflect.Struct:
		for k := range v.NumField() {
			if f := v.Type().Field(k); !isHidden(&f) {
				parts = append(parts, show(v.Field(k)))
			}
		}
		return "{" + strings.Join(parts, " ") + "}"
	case reflect.Array:
		for k := range v.Len() {
			parts = append(parts, show(v.Index(k)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprint(v)
}

// read returns the value without the mark of a field that is not exported, whose methods fmt would not call.
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
