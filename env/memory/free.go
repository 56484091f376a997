package memory

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// unknown is what is taken to be free where the system does not say.
const unknown Size = 8 << 30

// free is the least of what the limits of the process leave.
func free() Size {
	left := fromFiles("/proc/meminfo", "/proc/self/cgroup", "/sys/fs/cgroup")
	if limit := debug.SetMemoryLimit(-1); limit >= 0 { // asks for it only
		left = min(left, Size(limit))
	}
	return left
}

// fromFiles reads what Linux tells of the machine and of the process's control group.
func fromFiles(meminfo, group, groups string) Size {
	left, ok := available(meminfo)
	if !ok {
		left = unknown
	}
	path, err := os.ReadFile(group)
	if err != nil {
		return left
	}
	_, own, ok := strings.Cut(strings.TrimSpace(string(path)), "0::") // the second version has this line alone
	if !ok {
		return left
	}
	// What a group may take is bounded by those that it is in, too.
	for own = filepath.Clean("/" + own); ; own = filepath.Dir(own) {
		folder := filepath.Join(groups, own)
		limit, limited := number(filepath.Join(folder, "memory.max"))
		if used, ok := number(filepath.Join(folder, "memory.current")); ok && limited {
			left = min(left, max(limit-used, 0))
		}
		if own == "/" {
			return left
		}
	}
}

// available reads the line MemAvailable of /proc/meminfo, which is in kB of 1024 bytes.
func available(path string) (Size, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == "MemAvailable:" {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			return Size(n).Times(1024), err == nil
		}
	}
	return 0, false
}

// number reads a file with a number; "max" is none.
func number(path string) (Size, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return Size(n), err == nil
}
