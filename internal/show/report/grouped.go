package report

// Grouped returns the elements of a list that have the same key as a list each, in the order in which the keys appear
// first.
func Grouped[T any](list []T, key func(T) string) (groups [][]T) {
	places := map[string]int{}
	for _, x := range list {
		at, known := places[key(x)]
		if !known {
			at = len(groups)
			places[key(x)], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], x)
	}
	return groups
}
