package jogu

import (
	"encoding/json"
	"fmt"
	"slices"
)

type rawCard struct {
	ID               int      `json:"id"`
	Key              string   `json:"key"`
	Name             string   `json:"name"`
	Faction          string   `json:"faction"`
	Copies           int      `json:"copies"`
	Strength         int      `json:"strength"`
	Morale           int      `json:"morale"`
	Protected        bool     `json:"protected"`
	Traits           []string `json:"traits"`
	FaceDown         bool     `json:"face_down"`
	CapacityStrength int      `json:"capacity_strength"`
	Timing           []string `json:"timing"`
	OrderFree        bool     `json:"order_free"`
	Restrictions     []rawOp  `json:"restrictions"`
	Effects          []rawOp  `json:"effects"`
	Text             string   `json:"text"`
	NameSource       string   `json:"name_source"`
	AbilitySource    string   `json:"ability_source"`
	NumbersSource    string   `json:"numbers_source"`
	source
}

type rawFaction struct {
	Index         int      `json:"index"`
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	NameSource    string   `json:"name_source"`
	Edition       string   `json:"edition"`
	Theme         string   `json:"theme"`
	DeckSize      int      `json:"deck_size"`
	TotalStrength int      `json:"total_strength"`
	TotalMorale   int      `json:"total_morale"`
	CardKeys      []string `json:"card_keys"`
	source
}

// readCards reads cards.json and factions.json.
func readCards(b *box) error {
	var cards struct {
		source
		FieldNotes   map[string]string `json:"field_notes"`
		PrimitiveOps map[string]string `json:"primitive_ops"`
		Cards        []rawCard         `json:"cards"`
	}
	var factions struct {
		Game           json.RawMessage `json:"game"`
		MembershipNote string          `json:"membership_note"`
		Factions       []rawFaction    `json:"factions"`
	}
	if err := decodeFile("cards", &cards); err != nil {
		return err
	}
	if err := decodeFile("factions", &factions); err != nil {
		return err
	}
	for _, name := range opNames {
		if cards.PrimitiveOps[name] == "" {
			return fmt.Errorf("cards.json does not explain the op %s", name)
		}
	}
	next := 0
	seen := map[string]bool{}
	for i, f := range factions.Factions {
		if f.Index != i || seen[f.ID] {
			return fmt.Errorf("faction %s: index %d is out of order, or its id is not unique", f.ID, f.Index)
		}
		seen[f.ID] = true
		if next+len(f.CardKeys) > len(cards.Cards) {
			return fmt.Errorf("faction %s names more cards than there are", f.ID)
		}
		d, err := compileDeck(f, cards.Cards[next:next+len(f.CardKeys)], next)
		if err != nil {
			return fmt.Errorf("faction %s: %w", f.ID, err)
		}
		next += len(f.CardKeys)
		if !d.expansion {
			if b.baseDecks != i {
				return fmt.Errorf("faction %s: base decks come before those of the expansion", f.ID)
			}
			b.baseDecks, b.baseCards = i+1, next
		}
		b.decks = append(b.decks, d)
	}
	if next != len(cards.Cards) {
		return fmt.Errorf("%d cards belong to no faction", len(cards.Cards)-next)
	}
	return b.finishCards()
}

// finishCards fills what depends on all decks.
func (b *box) finishCards() error {
	keys := map[string]bool{}
	for i := range b.decks {
		d := &b.decks[i]
		tokens := uint8(0)
		for t := range d.cards {
			c := &d.cards[t]
			if keys[c.key] || c.id != len(b.cards) {
				return fmt.Errorf("card %s: its key is not unique or its id %d is out of order", c.key, c.id)
			}
			keys[c.key] = true
			b.cards = append(b.cards, c)
			for _, e := range c.effects {
				switch e.op {
				case placeStayToken:
					tokens += d.copies[t] * e.n
				case gainMorale:
					d.spare += uint16(d.copies[t]) * (b.capacity - uint16(c.strength))
				}
			}
		}
		if numSeats*tokens > b.tokenSupply {
			return fmt.Errorf("two decks %s could need more than the %d Stay tokens (Q22)", d.id, b.tokenSupply)
		}
	}
	return nil
}

// compileDeck checks a faction's totals and compiles its cards.
func compileDeck(f rawFaction, raw []rawCard, first int) (deck, error) {
	d := deck{id: f.ID, name: f.Name, expansion: f.Edition == "expansion", first: first, watcher: noType, tokened: noType}
	if err := f.source.check("deck"); err != nil {
		return d, err
	}
	if f.Edition != "base" && f.Edition != "expansion" {
		return d, fmt.Errorf("edition %q is not base or expansion", f.Edition)
	}
	if len(raw) > maxTypes {
		return d, fmt.Errorf("%d card types, at most %d fit", len(raw), maxTypes)
	}
	copies, strength, morale := 0, 0, 0
	for t, r := range raw {
		if r.Key != f.CardKeys[t] || r.Faction != f.ID {
			return d, fmt.Errorf("card_keys has %s where the cards have %s of %s", f.CardKeys[t], r.Key, r.Faction)
		}
		c, err := compileCard(r)
		if err != nil {
			return d, fmt.Errorf("card %s: %w", r.Key, err)
		}
		d.cards = append(d.cards, c)
		d.copies[t] = uint8(r.Copies)
		copies += r.Copies
		strength += r.Copies * r.Strength
		morale += r.Copies * r.Morale
		if err := d.index(uint8(t), r.Traits); err != nil {
			return d, fmt.Errorf("card %s: %w", r.Key, err)
		}
	}
	if copies != f.DeckSize || copies != maxPile || strength != f.TotalStrength || morale != f.TotalMorale {
		return d, fmt.Errorf("the cards add up to %d copies, Strength %d, Morale %d; the faction says %d, %d, %d",
			copies, strength, morale, f.DeckSize, f.TotalStrength, f.TotalMorale)
	}
	return d, d.checkMix()
}

// index enters card type t into the deck's sets.
func (d *deck) index(t uint8, traits []string) error {
	c := &d.cards[t]
	bit := typeSet(1) << t
	if c.protected {
		d.protected |= bit
	}
	if c.faceDown {
		d.faceDown |= bit
	}
	for _, name := range traits {
		i := slices.Index(traitNames[:], name)
		if i < 0 {
			return fmt.Errorf("unknown trait %q", name)
		}
		d.traits[i] |= bit
	}
	if c.timing == atResolution {
		d.resolving |= bit
	}
	if c.timing == opponentPlaysHere {
		if d.watcher != noType {
			return fmt.Errorf("a second type that reacts to plays")
		}
		d.watcher = t
	}
	for _, e := range c.effects {
		if e.op == placeStayToken {
			if d.tokened != noType {
				return fmt.Errorf("a second type with Stay tokens")
			}
			d.tokened = t
		}
	}
	return nil
}

// checkMix refuses combinations that a position could not represent: face-down
// cards are told apart by their slots only, and nothing else in their deck may
// play, move or take up cards by type.
func (d *deck) checkMix() error {
	for _, c := range d.cards {
		for _, e := range c.effects {
			if e.op == bottomFromPlay && d.tokened != noType {
				return fmt.Errorf("card %s: op %s cannot stand beside Stay tokens", c.key, opNames[e.op])
			}
		}
	}
	if d.faceDown == 0 {
		return nil
	}
	if d.faceDown&(d.protected|d.resolving|d.traits[gang]|d.traits[engineer]|d.traits[tower]) != 0 || d.tokened != noType || d.watcher != noType {
		return fmt.Errorf("face-down cards stand beside Protected ones, traits, Stay tokens or other abilities")
	}
	for _, c := range d.cards {
		for _, e := range c.effects {
			if e.op == playCard || e.op == bottomFromPlay {
				return fmt.Errorf("card %s: op %s cannot stand beside face-down cards", c.key, opNames[e.op])
			}
		}
	}
	return nil
}
