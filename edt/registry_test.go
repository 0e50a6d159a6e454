package edt_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

func TestRegisteredTemplatesAreFoundByName(t *testing.T) {
	if edt.Lookup("edt_test.registered") != registered || registered.Name() != "edt_test.registered" {
		t.Error("the template is not found")
	}
	if edt.Lookup("edt_test.nobody") != nil {
		t.Error("a template that was never registered is found")
	}
}

func TestRegistrationPanics(t *testing.T) {
	for name, f := range map[string]func(){
		`"edt_test.registered": the name is taken (misuse_calls_test.go:`: func() {
			edt.NewTemplate("edt_test.registered", 0, 0, body(nothing))
		},
		"needs a name":                func() { edt.NewTemplate("", 0, 0, body(nothing)) },
		`"edt_test.x": no body`:       func() { edt.NewTemplate("edt_test.x", 0, 0, nil) },
		`"edt_test.y": -2 parameters`: func() { edt.NewTemplate("edt_test.y", -2, 0, body(nothing)) },
		`"edt_test.z": 0 parameters, 4194304 slots`: func() {
			edt.NewTemplate("edt_test.z", 0, edt.MaxDeps+1, body(nothing))
		},
	} {
		func() {
			defer func() {
				testrun.Contains(t, fmt.Sprint(recover()), name)
			}()
			f()
		}()
	}
	if edt.Lookup("edt_test.x") != nil {
		t.Error("a template that could not be made is registered")
	}
}

// The names of templates are UUIDs like those of all other objects.
func TestTemplateGUIDIsAUUID(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		g := c.TemplateGUID(c.NewTemplate("some", 0, 0, body(nothing)))
		if u, err := uuid.Parse(g.String()); err != nil || u.Variant() != uuid.RFC4122 {
			tr.Errorf("%v: %v, variant %v", g, err, u.Variant())
		}
	}))
}
