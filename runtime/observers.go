package runtime

import "ocr/edt"

// An ObserverKind is observers that runs over [Ranks] can have: they are made on each rank. A variable of a package is to
// have it, so that all ranks know it.
type ObserverKind struct {
	name   string // "" for one that other ranks do not know
	newRun func(config string) func(*edt.Worker) edt.Observer
}

var observerKinds = map[string]*ObserverKind{}

// NewObserverKind makes a kind of observers, under a name that no other has. On the ranks but 0 of an observed run newRun
// gets what rank 0 has said of it, and returns what makes the observer of each worker, and last that of the courier: see [edt.Worker.Observed].
// It must be called before main begins.
func NewObserverKind(name string, newRun func(config string) func(*edt.Worker) edt.Observer) *ObserverKind {
	k := &ObserverKind{name, newRun}
	observerKinds[name] = k
	return k
}

// Observe is the option [Observe] for a run that may have several ranks. newObserver makes the observers of this rank, and config is for
// those of the others.
func (k *ObserverKind) Observe(config string, newObserver func(*edt.Worker) edt.Observer) Option {
	return func(s *settings) {
		switch {
		case newObserver == nil:
			s.refuse("Observe(nil)", "want what makes the observer of a worker")
		case k == nil || k.name != "" && k.newRun == nil:
			s.refuse("Observe", "of a nil ObserverKind, or one that was made with nil")
		}
		s.observers = append(s.observers, observing{k, config, newObserver})
	}
}

// An observing is one option Observe.
type observing struct {
	kind        *ObserverKind
	config      string
	newObserver func(*edt.Worker) edt.Observer
}

// An observerPlan is what another rank is told of it.
type observerPlan struct{ Kind, Config string }

func (s *settings) observerPlans() (all []observerPlan) {
	for _, o := range s.observers {
		all = append(all, observerPlan{o.kind.name, o.config})
	}
	return all
}

// planned makes the observers of a rank that is not rank 0.
func planned(plans []observerPlan) (all []observing) {
	for _, p := range plans {
		k := observerKinds[p.Kind]
		all = append(all, observing{k, p.Config, k.newRun(p.Config)})
	}
	return all
}

// seesOneRank reports whether an observer is of this rank alone.
func (s *settings) seesOneRank() bool {
	for _, o := range s.observers {
		if o.kind.name == "" {
			return true
		}
	}
	return false
}
