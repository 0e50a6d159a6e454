// Primes counts prime numbers: a module of its own, whose command has all that ocrbench has.
package main

import (
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/harness"
	"ocr/task"
)

type Config struct {
	N int `flag:"n" short:"n" usage:"numbers to look at"`
}

func (c Config) Validate() error { return trial.First("primes", trial.Range("n", c.N, 1, 1<<20)) }

type App struct {
	trial.Clock
	Config
	found int
}

func (a *App) Main() edt.Func {
	return task.Main(func(c *edt.Ctx) {
		a.Begin()
		sum := task.Once[int](c)
		trial.Take(c, &a.Clock, sum, func(found []int) { a.found = found[0] })
		all.NewWith(c, total.Group(c, 0, sum), a.N)
	})
}

func (a *App) Forms() []trial.Form { return []trial.Form{{Name: trial.Serial, Run: a.serial}} }

func (a *App) Verify() error {
	if want := (numbers{0, a.N}).count(); a.found != want {
		return trial.Wrong("primes", "found", a.found, want)
	}
	return nil
}

func (a *App) Work() (float64, string) { return float64(a.N), "numbers" }

func main() {
	harness.Main(harness.New(harness.About{
		Name: "primes", Short: "Count prime numbers",
		Forms: []string{trial.Serial}, Small: map[string]string{"n": "500"},
	}, func() Config { return Config{N: 10000} }, func(c Config) *App { return &App{Config: c} }))
}
