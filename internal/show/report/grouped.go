package report

// Grouped returns a list for each key, with the elements of that key. The lists are in the order in which their keys
// appear first.
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
