//go:build !library

package dataset

// Bounds of what is read of a file that somebody else may have written. A file of some kB can
// unpack to anything, so that its rows are taken a few at a time, and proved, before more are
// unpacked.
const (
	// maxManifest and maxMetadata bound JSON, in bytes. A shard takes 250 of a manifest, and the
	// largest layout 500 kB.
	maxManifest = 32 << 20
	maxMetadata = 8 << 20
	// chunkBytes is what rows that are read at once take, at most, and chunkRows how many they are.
	chunkBytes = 16 << 20
	chunkRows  = 1 << 10
	// maxOutcomes and maxText bound a row's outcomes of chance and the bytes of its text.
	maxOutcomes = 1 << 16
	maxText     = 1 << 20
)

// rowsAtOnce returns how many rows to read at once.
func (s shape) rowsAtOnce() int {
	row := 2*4*s.observation + s.actions + 2*4*s.seats + 64
	if s.logits {
		row += 4 * s.actions
	}
	return min(max(chunkBytes/row, 1), chunkRows)
}

// longest returns the most values that a row of a list column has.
func (s shape) longest(c column) int {
	switch c.name {
	case finalColumn:
		return s.observation
	case textColumn(nil).name:
		return maxText
	}
	return maxOutcomes
}
