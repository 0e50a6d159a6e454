package sys

import (
	"strings"
	"testing"
	"testing/fstest"

	"ocr/internal/proof/testrun"
)

// tree makes a file system of these texts.
func tree(files map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

// The mounts of a machine with both versions, and of one with version 2 alone.
const (
	bothMounted = `23 1 8:1 / / rw - ext4 /dev/root rw
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:3 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
`
	v2Mounted = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
)

// TestLimits: the smallest limit of the process's groups and their ancestors applies, wherever they are mounted.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		files  map[string]string
		quota  float64
		memory uint64
	}{
		{name: "no control groups"},
		{name: "no limits", files: map[string]string{
			"proc/self/mountinfo": v2Mounted, "proc/self/cgroup": "0::/user.slice/app\n",
			"sys/fs/cgroup/user.slice/app/cpu.max":    "max 100000\n",
			"sys/fs/cgroup/user.slice/app/memory.max": "max\n",
		}},
		{name: "an ancestor's are smaller", quota: 0.75, memory: 1 << 30, files: map[string]string{
			"proc/self/mountinfo": v2Mounted, "proc/self/cgroup": "0::/user.slice/app\n",
			"sys/fs/cgroup/user.slice/app/cpu.max":    "300000 100000\n",
			"sys/fs/cgroup/user.slice/app/memory.max": "4294967296\n",
			"sys/fs/cgroup/user.slice/cpu.max":        "37500 50000\n",
			"sys/fs/cgroup/user.slice/memory.max":     "1073741824\n",
		}},
		{name: "an ancestor's are larger", quota: 1.5, memory: 1 << 20, files: map[string]string{
			"proc/self/mountinfo": v2Mounted, "proc/self/cgroup": "0::/a/b/c\n",
			"sys/fs/cgroup/a/b/c/cpu.max": "150000 100000\n", "sys/fs/cgroup/a/b/c/memory.max": "1048576\n",
			"sys/fs/cgroup/a/cpu.max": "max 100000\n", "sys/fs/cgroup/a/memory.max": "2097152\n",
		}},
		{name: "a container that sees the host's path", quota: 2, memory: 512 << 20, files: map[string]string{
			"proc/self/mountinfo": v2Mounted, "proc/self/cgroup": "0::/docker/0123abcd\n",
			"sys/fs/cgroup/cpu.max": "200000 100000\n", "sys/fs/cgroup/memory.max": "536870912\n",
		}},
		{name: "a container whose mount begins at its group", quota: 0.25, memory: 1 << 22, files: map[string]string{
			"proc/self/mountinfo": strings.Replace(v2Mounted, " / /sys", " /docker/01 /sys", 1),
			"proc/self/cgroup":    "0::/docker/01/task\n", "sys/fs/cgroup/task/cpu.max": "25000 100000\n",
			"sys/fs/cgroup/memory.max": "4194304\n", "sys/fs/cgroup/docker/01/cpu.max": "1 100000\n",
		}},
		{name: "a group outside the namespace", quota: 4, files: map[string]string{
			"proc/self/mountinfo": v2Mounted, "proc/self/cgroup": "0::/../sibling\n",
			"sys/fs/cgroup/cpu.max": "400000 100000\n", "sys/fs/cgroup/sibling/cpu.max": "100 100000\n",
		}},
		{name: "version 1", quota: 0.5, memory: 2 << 30, files: map[string]string{
			"proc/self/mountinfo": bothMounted,
			"proc/self/cgroup":    "9:name=systemd:/\n4:memory:/batch/job:1\n3:cpuacct,cpu:/batch\n0::/\n",
			"sys/fs/cgroup/memory/batch/job:1/memory.limit_in_bytes": "2147483648\n",
			"sys/fs/cgroup/memory/batch/memory.limit_in_bytes":       "9223372036854771712\n",
			"sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us":       "50000\n",
			"sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_period_us":      "100000\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us":             "-1\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us":            "100000\n",
		}},
		{name: "both versions, and a mount elsewhere", quota: 1, memory: 3 << 20, files: map[string]string{
			"proc/self/mountinfo":                          "41 31 0:38 / /my\\040groups rw - cgroup2 none rw\n" + bothMounted,
			"proc/self/cgroup":                             "4:memory:/m\n0::/x\n",
			"my groups/x/cpu.max":                          "100000 100000\n",
			"sys/fs/cgroup/unified/x/cpu.max":              "100000 100000\n",
			"sys/fs/cgroup/memory/m/memory.limit_in_bytes": "3145728\n",
		}},
		{name: "garbage", files: map[string]string{
			"proc/self/mountinfo": "x - cgroup2\n - \n" + v2Mounted, "proc/self/cgroup": "nonsense\n0::/\n",
			"sys/fs/cgroup/memory.max": "-5\n", "sys/fs/cgroup/cpu.max": "7\n",
		}},
	} {
		root := tree(tt.files)
		memory, _ := memoryLimit(controlGroups(root, "memory"))
		if quota := cpuQuota(controlGroups(root, "cpu")); quota != tt.quota || memory != tt.memory {
			t.Errorf("%s: quota %v, memory %d, want %v, %d", tt.name, quota, memory, tt.quota, tt.memory)
		}
	}
}

// TestLacksThreads: a control group or the user has a limit, and the threads that exist leave too few.
func TestLacksThreads(t *testing.T) {
	groups := func(most, has string) []controlGroup {
		return controlGroups(tree(map[string]string{
			"proc/self/mountinfo": v2Mounted, "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/pids.max": "max\n", "sys/fs/cgroup/a/pids.max": most, "sys/fs/cgroup/a/pids.current": has,
		}), "pids")
	}
	for _, tt := range []struct {
		most, has string
		wanted    int
		want      string
	}{
		{"60\n", "9\n", 52, "pids.max of a control group allows 60 threads, and there are 9"},
		{"60\n", "9\n", 51, ""},
		{"60\n", "61\n", 1, "pids.max of a control group allows 60 threads, and there are 61"},
		{"max\n", "9\n", 1 << 20, ""},
		{"x\n", "9\n", 100, ""},
		{"60\n", "", 100, ""},
	} {
		testrun.Equal(t, tt.want, lacksPids(groups(tt.most, tt.has), tt.wanted), "%d more than %q of %q", tt.wanted, tt.has,
			tt.most)
	}
	proc := tree(map[string]string{
		"1/status": "Name:\tinit\nUid:\t0\t0\t0\t0\nThreads:\t100\n", "77/status": "Uid:\t5\t5\t5\t5\nThreads:\t7\n",
		"78/status": "Uid:\t5\t0\t0\t0\nVmPeak:\t4 kB\nThreads:\t13\n", "79/status": "",
		"self/status": "Uid:\t5\nThreads:\t9\n",
	})
	for _, tt := range []struct {
		user   int
		limit  uint64
		wanted int
		want   string
	}{
		{5, 30, 11, "ulimit -u allows the user 30 threads, and there are 20"},
		{5, 30, 10, ""},
		{6, 3, 4, "ulimit -u allows the user 3 threads, and there are 0"},
		{6, 3, 3, ""},
		{0, 1 << 40, 1 << 20, ""},
	} {
		got := lacksUserThreads(proc, tt.user, tt.limit, tt.wanted)
		testrun.Equal(t, tt.want, got, "user %d, %d more", tt.user, tt.wanted)
	}
	testrun.Equal(t, "", LacksThreads(1), "one more thread")
}

// TestThrottled: there is a note only if threads have less time than a processor each.
func TestThrottled(t *testing.T) {
	for _, tt := range []struct {
		threads int
		quota   float64
		want    string
	}{
		{3, 0, ""}, {3, 3, ""}, {3, 3.5, ""}, {1, 1, ""},
		{3, 2.5, "the process has the time of 2.5 processors, by the quota of its control group: the system stops " +
			"busy workers for a part of each period"},
	} {
		testrun.Equal(t, tt.want, Throttled(tt.threads, tt.quota), "%d threads, quota %v", tt.threads, tt.quota)
	}
}
