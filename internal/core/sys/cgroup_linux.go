package sys

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A controlGroup is a group of this process, or an ancestor of such a group: the limits of all of them apply.
type controlGroup struct {
	root fs.FS  // the top directory of the file system
	dir  string // below root
	v2   bool
}

// controlGroups returns the groups in which a controller may limit this process, of versions 1 and 2; in each hierarchy
// the process's own group comes before its ancestors. In a container the path in /proc/self/cgroup may be the host's,
// which the mount does not have. Then the walk up ends at the top of the mount, which is the container's group.
func controlGroups(root fs.FS, controller string) (all []controlGroup) {
	mounts, err := fs.ReadFile(root, "proc/self/mountinfo")
	if err != nil {
		return nil
	}
	own, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(mounts)) {
		m, ok := parseMount(line)
		if !ok || !m.v2 && !slices.Contains(m.options, controller) {
			continue
		}
		for dir := m.below(ownGroup(string(own), controller, m.v2)); dir != ""; dir = path.Dir(dir) {
			all = append(all, controlGroup{root, strings.Trim(path.Join(m.at, dir), "/"), m.v2})
			if dir == "/" {
				break
			}
		}
	}
	return all
}

// ownGroup returns the path of the process's group in a hierarchy, "" if it is in none. Lines of /proc/self/cgroup are
// number:controllers:path; the line of version 2 has no controllers.
func ownGroup(groups, controller string, v2 bool) string {
	for line := range strings.Lines(groups) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(fields) != 3 {
			continue
		}
		if v2 && fields[1] == "" || !v2 && slices.Contains(strings.Split(fields[1], ","), controller) {
			return fields[2]
		}
	}
	return ""
}

// A mount is a mounted hierarchy of control groups.
type mount struct {
	top     string // the group that is the mount's top directory
	at      string
	options []string // in version 1 they include the controllers
	v2      bool
}

// parseMount reads a line of /proc/self/mountinfo, see proc_pid_mountinfo(5); ok is false for file systems other than
// control groups.
func parseMount(line string) (m mount, ok bool) {
	place, kind, found := strings.Cut(line, " - ")
	fields, of := strings.Fields(place), strings.Fields(kind)
	if !found || len(fields) < 5 || len(of) < 3 || of[0] != "cgroup" && of[0] != "cgroup2" {
		return mount{}, false
	}
	spaces := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	return mount{spaces.Replace(fields[3]), spaces.Replace(fields[4]), strings.Split(of[2], ","), of[0] == "cgroup2"}, true
}

// below returns the directory of a group below the mount, "" for no group.
func (m *mount) below(group string) string {
	switch {
	case group == "":
		return ""
	case strings.HasPrefix(group, "/.."): // outside this process's namespace
		return "/"
	case m.top == "/" || group != m.top && !strings.HasPrefix(group, m.top+"/"):
		return path.Clean(group)
	}
	return path.Clean("/" + strings.TrimPrefix(group, m.top))
}

// numbers returns the whole numbers in a file of the group, in order. There are none if the file is missing or has
// other words, such as "max", which version 2 writes for no limit. Version 1 writes for no limit a number below zero or
// far above the size of any machine.
func (g controlGroup) numbers(name string) (all []int64) {
	text, err := fs.ReadFile(g.root, path.Join(g.dir, name))
	if err != nil {
		return nil
	}
	for field := range strings.FieldsSeq(string(text)) {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return nil
		}
		all = append(all, n)
	}
	return all
}

// number returns the only number in a file; ok is false if there is none, or several, or it is below zero.
func (g controlGroup) number(name string) (n int64, ok bool) {
	all := g.numbers(name)
	if len(all) != 1 || all[0] < 0 {
		return 0, false
	}
	return all[0], true
}
