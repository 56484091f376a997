package bank

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
	"powderkeg/env"
	"powderkeg/env/file"
)

// Bank is solved positions of a game.
type Bank struct {
	Game  string `json:"game"`
	Rules int    `json:"rules"` // version
	// Players played the games that the positions come from, on all seats; Seed decided those
	// games, of which Games were played.
	Players string `json:"players"`
	Seed    uint64 `json:"seed"`
	Games   int    `json:"games"`
	// Known says that all seats know the whole position: no other deal is possible in it.
	Known bool `json:"known,omitempty"`
	// Limits are those that the positions were chosen by.
	Limits    Limits     `json:"limits"`
	Positions []Position `json:"positions"`
}

// Limits say which positions are kept.
type Limits struct {
	// Deals and Nodes bound the deals that are possible in a position and the tree behind them.
	Deals int `json:"deals"`
	Nodes int `json:"nodes"`
	// Cut is the least that uniformly random play loses, over all seats, in units of the
	// largest return.
	Cut float64 `json:"cut"`
}

// Position is a solved position.
type Position struct {
	// Game is the number of the game, from 0, and Back how many choices among several actions
	// were still made in it, the one of the position included.
	Game int `json:"from_game"`
	Back int `json:"back"`
	// Position is as it was, one of the deals.
	Position json.RawMessage `json:"position"`
	// Deals and Nodes are the sizes of its tree, Digest that of the deals. In a cooperative game it
	// is the deal as it was, and Nodes are the different states that can come of it.
	Deals  int    `json:"deals"`
	Digest string `json:"digest"`
	Nodes  int    `json:"nodes"`
	// Value is what the first seat that decides can make sure of, in a cooperative game what the best
	// team expects, in the game's unit, exact to within Gap.
	Value float64 `json:"value"`
	Gap   float64 `json:"gap"`
	// Uniform is what uniformly random play loses, by seat.
	Uniform []float64 `json:"uniform"`
}

// Packed ends the names of files that hold a bank as gzip does: positions repeat each other, and
// take a twentieth of the room.
const Packed = ".gz"

// unpacked is the text of a bank that may be packed.
func unpacked(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(file.Limited(z, "what it unpacks to", file.Record))
}

// Read reads a bank, packed or not. Errors wrap option.ErrUsage.
func Read(data []byte) (*Bank, engine.Game, error) {
	b := &Bank{}
	text, err := unpacked(data)
	if err == nil {
		err = json.Unmarshal(text, b)
	}
	if err != nil {
		return nil, nil, option.Wrong(fmt.Errorf("no bank of positions: %s", position.Plainly(err, nil)))
	}
	g, err := env.NewGame(b.Game)
	if err != nil {
		return nil, nil, fmt.Errorf("bank: %w", err)
	}
	switch l := b.Limits; {
	case g.Spec().Version != b.Rules:
		return nil, nil, fmt.Errorf(
			"%w: the bank was made by version %d of the rules of %s, those of today are version %d; powderkeg bank make makes a new one",
			option.ErrUsage, b.Rules, g.Spec().Name, g.Spec().Version)
	case len(b.Positions) == 0:
		return nil, nil, fmt.Errorf("%w: the bank has no positions", option.ErrUsage)
	case l.Deals < 1 || l.Deals > MostDeals || l.Nodes < 1 || l.Nodes > MostNodes:
		return nil, nil, fmt.Errorf("%w: the bank's limits are %d deals and %d nodes, they must be from 1 to %d and %d",
			option.ErrUsage, l.Deals, l.Nodes, MostDeals, MostNodes)
	}
	for i := range b.Positions {
		if n := len(b.Positions[i].Uniform); n != g.Spec().Seats {
			return nil, nil, fmt.Errorf("%w: position %d of the bank has numbers for %d seats, %s has %d", option.ErrUsage, i+1, n, b.Game, g.Spec().Seats)
		}
	}
	return b, g, nil
}

// Digest is the SHA-256 of the bank as it is written.
func (b *Bank) Digest() string {
	h := sha256.New()
	if err := b.Write(h); err != nil {
		panic(err) // what was read can be written, and a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Pack writes the bank as a file that is Packed. The same bank gives the same bytes.
func (b *Bank) Pack(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(b.Write(z), z.Close())
}

// Write writes the bank as Read reads it, a line for each position.
func (b *Bank) Write(w io.Writer) error {
	head := *b
	head.Positions = nil
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.Write(bytes.TrimSuffix(text, []byte("null}")))
	for i := range b.Positions {
		line, err := json.Marshal(&b.Positions[i])
		if err != nil {
			return err
		}
		out.WriteString([]string{"[\n", ",\n"}[min(i, 1)])
		out.Write(line)
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}
