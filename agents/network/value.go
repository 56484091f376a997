package network

import "math"

// readValues writes the values [Seats] that the outputs of the value head of a row
// stand for.
func (c *Config) readValues(values, head []float32) {
	if c.Bins == 0 {
		copy(values, head)
		return
	}
	for k := range values {
		values[k] = Expectation(head[k*c.Bins : (k+1)*c.Bins])
	}
}

// Expectation returns the mean of the distribution over bins that the logits give: of n
// bins, number i stands for -1 + 2i/(n-1).
func Expectation(logits []float32) float32 {
	top := logits[0]
	for _, z := range logits {
		top = max(top, z)
	}
	var sum, moment float64
	for i, z := range logits {
		p := math.Exp(float64(z - top))
		sum += p
		moment += p * float64(i)
	}
	return float32(2*moment/(sum*float64(len(logits)-1)) - 1)
}

// Bin returns where the value x, kept within [-1, 1], lies among n bins: between bin low
// and the next one, of which the upper has the given share and low the rest, so that
// their mean is x.
func Bin(x float32, n int) (low int, upper float32) {
	at := (min(max(x, -1), 1) + 1) / 2 * float32(n-1)
	low = min(int(at), n-2)
	return low, at - float32(low)
}
