package job

import (
	"fmt"
	"time"
)

// A vigil is rank 0's record of a child from beat to beat.
type vigil struct {
	handled uint64 // messages of rank 0 that it has handled
	stuck   int    // beats in which it had messages and handled none
	silent  int    // beats since it was started in which it had not joined
}

// watch sends ping to the other ranks at every beat until the job ends. It warns about ranks that do not
// answer, and reports lost ones.
func (j *Job) watch() {
	beat := min(time.Second, j.config.Warn/5, j.config.Limit/10)
	warn, limit, join := int(j.config.Warn/beat), int32(j.config.Limit/beat), int(j.config.Join/beat)
	vigils := make([]vigil, len(j.children))
	ticks := time.NewTicker(beat)
	defer ticks.Stop()
	for {
		select {
		case <-j.end:
			return
		case <-ticks.C:
		}
		for k, c := range j.children {
			if c.bye.Load() || ended(c.exited) {
				continue
			}
			if what := j.look(c, &vigils[k], warn); what != "" {
				j.err.printf("rank %d %s for %v%s", c.rank, what, j.config.Warn, c.state())
			}
			if c.unanswered.Load() >= limit {
				j.lost(c.rank, fmt.Sprintf("it has not answered for %v%s", j.config.Limit, c.state()))
				c.kill()
			} else if vigils[k].silent >= join && !c.joined.Load() {
				j.lost(c.rank, fmt.Sprintf("its main has not come to its first run with ranks for %v", j.config.Join))
				c.kill()
			}
		}
	}
}

// look checks one child, once a beat. It returns what the child has failed to do for warn beats, ""
// for nothing.
func (j *Job) look(c *child, v *vigil, warn int) string {
	if !c.joined.Load() {
		if c.isStopped() { // its main may take long; a stopped process does not run
			c.unanswered.Add(1)
		} else {
			c.unanswered.Store(0)
		}
		if v.silent++; v.silent == warn {
			return "has not joined"
		}
		return ""
	}
	if handled := j.engine.Handled(c.rank); handled != v.handled || handled == j.engine.Sent(c.rank) {
		v.handled, v.stuck = handled, 0
	} else if v.stuck++; v.stuck == warn {
		return "has handled nothing"
	}
	c.control.Say(ping)
	if c.unanswered.Add(1) == int32(warn) && v.stuck < warn {
		return "has not answered"
	}
	return ""
}

// state describes what else is known of a child.
func (c *child) state() string {
	if c.isStopped() {
		return ": its process is stopped"
	}
	return ""
}
