package topo

import (
	"cmp"
	"fmt"
	"slices"

	"ocr/internal/core/cpulist"
)

// maxCaches bounds the index directories read for a CPU; a real CPU has 3 to 5.
const maxCaches = 16

// caches lists every cache once, and sets the level 2 and 3 caches of each CPU.
func (r *reader) caches(t *Topology) {
	known := map[string]bool{}
	for _, c := range t.CPUs {
		found := false
		for index := range maxCaches {
			cache, ok := r.cache(t, c.ID, index)
			if !ok {
				break
			}
			found = true
			key := fmt.Sprint(cache.Level, cache.Type, cpulist.Format(cache.CPUs))
			if !known[key] {
				known[key] = true
				t.Caches = append(t.Caches, cache)
			}
		}
		if !found {
			r.miss("no caches shown: distances rest on nodes and packages", c.ID)
		}
	}
	slices.SortFunc(t.Caches, func(a, b Cache) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Type, b.Type), slices.Compare(a.CPUs, b.CPUs))
	})
	t.numberCaches()
}

// cache reads cache number index of a CPU; it returns false if there is none.
func (r *reader) cache(t *Topology, cpu, index int) (Cache, bool) {
	dir := fmt.Sprintf("%s/cpu%d/cache/index%d/", cpuDir, cpu, index)
	level, ok := r.number(dir + "level")
	if !ok {
		return Cache{}, false
	}
	cache := Cache{Level: level, CPUs: []int{cpu}}
	cache.Type, _ = r.text(dir + "type")
	cache.Size, _ = r.size(dir + "size")
	cache.Line, _ = r.number(dir + "coherency_line_size")
	if shared, ok := r.list(dir + "shared_cpu_list"); ok && slices.Contains(shared, cpu) {
		cache.CPUs = t.onlyOnline(shared)
	} else {
		r.miss("a cache does not list the CPUs that share it: taken as private", cpu)
	}
	return cache, true
}

func (t *Topology) numberCaches() {
	count := map[int]int{}
	for _, cache := range t.Caches {
		if cache.Type == "Instruction" {
			continue
		}
		number := count[cache.Level]
		count[cache.Level]++
		for i := range t.CPUs {
			if c := &t.CPUs[i]; slices.Contains(cache.CPUs, c.ID) {
				switch cache.Level {
				case 2:
					c.L2 = number
				case 3:
					c.L3 = number
				}
			}
		}
	}
}
