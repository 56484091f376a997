package jogu

import "testing"

// The tables of scaled counts hold what the layout says of each count.
func TestScaledCounts(t *testing.T) {
	for n := range maxCopies + 1 {
		if perHand[n] != float32(n)*(1./handScale) || perPlace[n] != float32(n)*(1./placeScale) {
			t.Errorf("%d cards are %v in a hand and %v at a Location", n, perHand[n], perPlace[n])
		}
		for copies, share := range []float32{1: 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8, 1. / 9, 1. / 10, 1. / 11, 1. / 12,
			1. / maxCopies} {
			if got := shares[copies<<4|n]; got != float32(n)*share {
				t.Errorf("%d of %d copies are a share of %v, want %v", n, copies, got, float32(n)*share)
			}
		}
	}
}
