//go:build unix

package record

import "syscall"

// ProcessorSeconds is the processor time that this process has taken, and those that it started and waited for.
func ProcessorSeconds() float64 {
	sum := 0.0
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) != nil {
			continue
		}
		for _, t := range []syscall.Timeval{u.Utime, u.Stime} {
			sum += float64(t.Sec) + float64(t.Usec)/1e6
		}
	}
	return sum
}
