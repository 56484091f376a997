package record

import "golang.org/x/sys/windows"

// ProcessorSeconds is the processor time that this process has taken.
func ProcessorSeconds() float64 {
	var created, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user) != nil {
		return 0
	}
	const perSecond = 1e7 // a unit is 100 ns
	ticks := func(t windows.Filetime) float64 { return float64(uint64(t.HighDateTime)<<32 | uint64(t.LowDateTime)) }
	return (ticks(kernel) + ticks(user)) / perSecond
}
