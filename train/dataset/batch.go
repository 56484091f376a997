package dataset

// Batch holds whole episodes as columns, n rows in all, one per decision. D is the
// size of an observation, A the number of actions, P the number of seats;
// two-dimensional columns are row-major. What the numbers mean is written in
// README.md.
type Batch struct {
	Observations []float32   // [n × D] as the actor sees it before the action
	Masks        []uint8     // [n × A] 1 for a legal action
	Actions      []int32     // [n]
	Rewards      []float32   // [n × P] what each seat gains up to the next row, or the end
	Returns      []float32   // [n × P] what the episode ends with, the same in all its rows
	Actors       []int8      // [n] seat that decides
	Episodes     []int64     // [n]
	Steps        []int32     // [n] 0, 1, ... within an episode
	Terminated   []uint8     // [n] 1 on the last row of a game that the rules ended
	Truncated    []uint8     // [n] 1 on the last row of one that was cut off
	Seeds        []uint64    // [n] the episode's seed
	Hashes       []uint64    // [n] of the full state at the next row, or the end (engine.State.Hash)
	Opening      List[int32] // outcomes of chance before the episode's first row; empty elsewhere
	Chance       List[int32] // outcomes of chance between the action and the next row, or the end

	// Finals has what the actor sees at the end of the episode [D], in the actor's last row
	// of it; empty elsewhere.
	Finals List[float32]

	// Logits is [n × A]: the logarithms of the probabilities by which the actor drew
	// its action, -Inf for illegal ones. Only rows with 1 in HasLogits have them; in
	// the others the actor is no learned agent and all entries are NaN. Both are
	// empty unless Config.Logits.
	Logits    []float32
	HasLogits []uint8 // [n]
	// Text is [n] if Config.Text, empty otherwise.
	Text []string
}

// List is a column of lists: row i has Values[Offsets[i]:Offsets[i+1]].
type List[T any] struct {
	Values  []T
	Offsets []int32 // [n + 1], from 0
}

// Row returns the list of row i, which belongs to the batch.
func (l *List[T]) Row(i int) []T { return l.Values[l.Offsets[i]:l.Offsets[i+1]] }

func (l *List[T]) reset() { l.Values, l.Offsets = l.Values[:0], append(l.Offsets[:0], 0) }

// end closes a row.
func (l *List[T]) end() { l.Offsets = append(l.Offsets, int32(len(l.Values))) }

// Rows returns n.
func (b *Batch) Rows() int { return len(b.Actions) }

// reset empties the batch and keeps its memory.
func (b *Batch) reset() {
	b.Observations, b.Masks, b.Actions = b.Observations[:0], b.Masks[:0], b.Actions[:0]
	b.Rewards, b.Returns, b.Actors = b.Rewards[:0], b.Returns[:0], b.Actors[:0]
	b.Episodes, b.Steps, b.Seeds = b.Episodes[:0], b.Steps[:0], b.Seeds[:0]
	b.Terminated, b.Truncated, b.Hashes = b.Terminated[:0], b.Truncated[:0], b.Hashes[:0]
	b.Opening.reset()
	b.Chance.reset()
	b.Finals.reset()
	b.Logits, b.HasLogits, b.Text = b.Logits[:0], b.HasLogits[:0], b.Text[:0]
}

// extend lengthens s by n entries of any content and returns it with the new
// part.
func extend[T any](s []T, n int) (whole, part []T) {
	from := len(s)
	if cap(s)-from < n {
		s = append(s, make([]T, n)...)
	}
	s = s[:from+n]
	return s, s[from:]
}
