// Package jogu encodes Warriors of Jogu: Feint.
//
// Everything is seen from the observer's side ("own" and "opponent"), and card
// types are slots 0 to 9 of a faction, in the order of the game's cards.json: a
// slot means another card in another faction, which the faction fields tell. So
// one network can play all match-ups, and mirrored positions look alike.
package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/jogu"
	"powderkeg/env/encoding"
)

// layout of version 1.
var layout = encoding.Layout{Game: "jogu", Version: 1}

// Scales: counts of cards in a hand are halved, counts at a Location are divided
// by 4, both so that usual numbers lie near 1; what can be stated as a share of
// the deck's copies of a type is.
const (
	handScale  = 2
	placeScale = 4
	maxCopies  = 13
	maxMorale  = 670 // 30 and the most that Masters of Earth can add in ten rounds
	// Capacity strength of both whole decks at one Location; far above what play
	// reaches, and a bound that no position breaks.
	maxUsed = 300
)

var (
	places = []string{"2", "3", "4", "5", "6"}
	rounds = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}
	ids    = []string{"guards", "wu", "mibits", "agents", "engineers", "hours"}

	ownFactionAt = layout.Add("own_faction", 0, 1, "one-hot: the observer's faction", ids, len(ids))
	oppFactionAt = layout.Add("opponent_faction", 0, 1, "one-hot: the opponent's faction", ids, len(ids))

	ownHandAt    = layout.Add("own_hand", 0, 3.5, "cards in hand by type, divided by 2; pending discards included", nil, jogu.Types)
	ownShownAt   = layout.Add("own_hand_known", 0, 3.5, "of these the opponent knows, divided by 2", nil, jogu.Types)
	ownPendingAt = layout.Add("own_pending_discards", 0, 3.5, "chosen in D1 and not yet public, divided by 2", nil, jogu.Types)
	ownDiscardAt = layout.Add("own_discard", 0, 1, "discard by type, share of the deck's copies", nil, jogu.Types)
	ownBoardAt   = layout.Add("own_board", 0, 3.25, "own cards in play by Location (2 to 6) and type, face-down ones included, divided by 4", nil,
		jogu.Places, jogu.Types)
	ownTokensAt   = layout.Add("own_tokens", 0, 1.25, "own cards with a Stay token by Location, divided by 4", places, jogu.Places)
	ownDownAt     = layout.Add("own_face_down", 0, 1, "own face-down cards by Location, divided by 3", places, jogu.Places)
	ownStrengthAt = layout.Add("own_strength", 0, 15, "Strength of own cards by Location, divided by 10", places, jogu.Places)
	ownPileSizeAt = layout.Add("own_pile_size", 0, 1, "cards in the own draw pile, divided by 40", nil, 1)
	ownPileAt     = layout.Add("own_pile", 0, 1, "cards in the own draw pile by type, share of the deck's copies", nil, jogu.Types)
	ownTopAt      = layout.Add("own_top", 0, 1, "one-hot type of the first, second, third card of the own pile, zero if not known", nil, 3, jogu.Types)
	ownTopKnownAt = layout.Add("own_top_opponent_knows", 0, 1, "1 if the opponent knows the first, second, third card of the own pile", nil, 3)
	ownDeepAt     = layout.Add("own_deeper", 0, 1, "known cards of the own pile below the third by type, share of the deck's copies", nil, jogu.Types)

	oppHandSizeAt = layout.Add("opponent_hand_size", 0, 1, "cards in the opponent's hand, divided by 7", nil, 1)
	oppHandAt     = layout.Add("opponent_hand_known", 0, 3.5, "of these the observer knows by type, divided by 2", nil, jogu.Types)
	oppDiscardAt  = layout.Add("opponent_discard", 0, 1, "discard by type, share of the deck's copies", nil, jogu.Types)
	oppBoardAt    = layout.Add("opponent_board", 0, 3.25, "opponent's cards in play whose type is open, by Location and type, divided by 4", nil,
		jogu.Places, jogu.Types)
	oppTokensAt   = layout.Add("opponent_tokens", 0, 1.25, "opponent's cards with a Stay token by Location, divided by 4", places, jogu.Places)
	oppDownAt     = layout.Add("opponent_face_down", 0, 1, "opponent's face-down cards by Location, divided by 3", places, jogu.Places)
	oppStrengthAt = layout.Add("opponent_strength", 0, 15, "Strength of the opponent's open cards by Location, divided by 10", places, jogu.Places)
	oppPileSizeAt = layout.Add("opponent_pile_size", 0, 1, "cards in the opponent's draw pile, divided by 40", nil, 1)
	oppUnseenAt   = layout.Add("opponent_unseen", 0, 1,
		"cards that may be in the opponent's hand, pile or face down by type, share of the deck's copies", nil, jogu.Types)
	oppTopAt  = layout.Add("opponent_top", 0, 1, "one-hot type of the first, second card of the opponent's pile, zero if not known", nil, 2, jogu.Types)
	oppDeepAt = layout.Add("opponent_deeper", 0, 1, "known cards of the opponent's pile below the second by type, share of the deck's copies", nil,
		jogu.Types)

	usedAt        = layout.Add("capacity_used", 0, maxUsed/10, "capacity strength of all cards by Location, divided by 10", places, jogu.Places)
	ownCardAt     = layout.Add("own_location_card", 0, 1, "one-hot: own current Location Card", places, jogu.Places)
	ownShownLocAt = layout.Add("own_location_revealed", 0, 1, "1 if the own Location Card is public", nil, 1)
	ownNextAt     = layout.Add("own_next_location", 0, 1, "one-hot: top of the own Location pile, if known", places, jogu.Places)
	oppCardAt     = layout.Add("opponent_location_card", 0, 1, "one-hot: the opponent's current Location Card if public, else not_public",
		append(places[:5:5], "not_public"), jogu.Places+1)
	oppLookedAt = layout.Add("opponent_looked_ahead", 0, 1, "1 if the opponent knows its next Location Card", nil, 1)
	ownLeftAt   = layout.Add("own_locations_left", 0, 1,
		"own Location Cards not used since the last reshuffle by number, current one included, divided by 2", places, jogu.Places)
	oppLeftAt = layout.Add("opponent_locations_left", 0, 1, "the same of the opponent", places, jogu.Places)

	roundAt  = layout.Add("round", 0, 1, "one-hot: round", rounds, jogu.Rounds)
	endAt    = layout.Add("end_marker", 0, 1, "one-hot: space of the end-game marker", rounds[6:], 4)
	startAt  = layout.Add("start_player", 0, 1, "1 if the observer is start player of the round", nil, 1)
	passedAt = layout.Add("passed", 0, 1, "1 if own side, opponent has passed", []string{"own", "opponent"}, 2)
	moraleAt = layout.Add("morale", 0, maxMorale/30.0+0.01, "morale of own side, opponent, divided by 30", []string{"own", "opponent"}, 2)
	wonAt    = layout.Add("round_winners", -1, 1, "1 for a round that the observer won, -1 for one it lost, 0 for one to come", rounds, jogu.Rounds)

	lastBattleAt = layout.Add("last_battle_locations", 0, 1, "1 for each Battle Location of the last Resolution", places, jogu.Places)
	lastRatingAt = layout.Add("last_ratings", 0, 1, "Strategy Ratings of own side, opponent in the last Resolution, r/(r+50)",
		[]string{"own", "opponent"}, 2)
	lastWonAt = layout.Add("last_winner", -1, 1, "1 if the observer won the last round, -1 if it lost, 0 if there was none", nil, 1)
	lastOwnAt = layout.Add("last_own_location", 0, 1, "one-hot: own Location Card of the last round", places, jogu.Places)
	lastOppAt = layout.Add("last_opponent_location", 0, 1, "one-hot: the opponent's Location Card of the last round", places, jogu.Places)

	toActAt    = layout.Add("to_act", 0, 1, "1 if the observer is to act", nil, 1)
	decisionAt = layout.Add("decision", 0, 1, "one-hot: the question that is asked, of whomever; zero at chance and at the end", decisionNames(),
		jogu.Decisions)
	playOwnAt  = layout.Add("play_own", 0, 1, "1 if the card that is being played is the observer's", nil, 1)
	playCardAt = layout.Add("play_card", 0, 1,
		"one-hot type, in its owner's faction, of the card that is being played innermost; zero if none or hidden", nil, jogu.Types)
	playPlaceAt  = layout.Add("play_location", 0, 1, "one-hot: where that card lies, zero until it is chosen", places, jogu.Places)
	depthAt      = layout.Add("play_depth", 0, 1, "plays that are not over, divided by 9", nil, 1)
	scramblersAt = layout.Add("play_scramblers", 0, 1, "Scrambler triggers still to come, divided by 8", nil, 1)
	lowestAt     = layout.Add("play_lowest_destination", 0, 1, "one-hot: lowest Location open to the next Scrambler of the run", places, jogu.Places)
	picksAt      = layout.Add("play_medic_picks", 0, 1, "cards that the Medic may still put back, divided by 3; zero elsewhere", nil, 1)
	chosenAt     = layout.Add("play_chosen_location", 0, 1, "one-hot: where the Trojan Bit takes its card, once chosen", places, jogu.Places)
)

func decisionNames() []string {
	names := make([]string, jogu.Decisions)
	for d := range names {
		names[d] = jogu.Decision(d).String()
	}
	return names
}

// V1 writes layout 1, which the networks of that time read and with which layout 2
// begins.
type V1 struct{}

// Layout implements encoding.Encoder.
func (V1) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder.
func (V1) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*jogu.View)
	dst = dst[:layout.Size]
	clear(dst)
	o := 1 - p
	if f := s.Faction(p); f >= 0 {
		dst[ownFactionAt+f] = 1
	}
	if f := s.Faction(o); f >= 0 {
		dst[oppFactionAt+f] = 1
	}
	encodeOwn(dst, s, p)
	encodeOpponent(dst, s, o)
	encodeBoards(dst, s, p)
	encodeLocations(dst, s, p)
	encodeMarkers(dst, s, p)
	encodeLastRound(dst, s, p)
	encodePlay(dst, s, p)
}

// Counts are not converted but looked up, which is faster.
var (
	perHand  = scale(handScale)
	perPlace = scale(placeScale)
	// shares holds n/copies at copies<<4|n. Neither is above maxCopies.
	shares = func() (list [256]float32) {
		for i := range list {
			if copies := i >> 4; copies > 0 {
				list[i] = float32(i&15) * float32(1/float64(copies))
			}
		}
		return list
	}()
)

// scale returns each count divided by a number.
func scale(by float32) (list [256]float32) {
	for n := range list {
		list[n] = float32(n) / by
	}
	return list
}

// scaled writes counts as a scale has them. dst is zero already, as many counts are.
func scaled(dst []float32, counts *jogu.Counts, scale *[256]float32) {
	if *counts == (jogu.Counts{}) {
		return
	}
	row := (*[jogu.Types]float32)(dst)
	for t, n := range counts {
		row[t] = scale[n]
	}
}

// shareOf writes counts as shares of the deck's copies. dst is zero already.
func shareOf(dst []float32, counts, copies *jogu.Counts) {
	if *counts == (jogu.Counts{}) {
		return
	}
	row := (*[jogu.Types]float32)(dst)
	for t, n := range counts {
		row[t] = shares[copies[t]<<4|n]
	}
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// encodeOwn writes what belongs to the observer p apart from the board.
func encodeOwn(dst []float32, s *jogu.View, p engine.Player) {
	copies, seat := s.Copies(p), &s.P.Seats[p]
	scaled(dst[ownHandAt:], &seat.Hand, &perHand)
	scaled(dst[ownShownAt:], &seat.Revealed, &perHand)
	scaled(dst[ownPendingAt:], &seat.Pending, &perHand)
	shareOf(dst[ownDiscardAt:], &seat.Discard, copies)
	dst[ownPileSizeAt] = float32(seat.PileSize()) * (1. / jogu.DeckSize)
	pile, deeper := seat.Unknown, jogu.Counts{}
	top, bottom := s.FixedCards(p)
	for i := range top + bottom {
		t, _, known := s.FixedCard(p, i)
		if i < 3 && i < top {
			dst[ownTopKnownAt+i] = flag(known)
		}
		if t < 0 {
			continue
		}
		pile[t]++
		if i < 3 && i < top {
			dst[ownTopAt+i*jogu.Types+t] = 1
		} else {
			deeper[t]++
		}
	}
	shareOf(dst[ownPileAt:], &pile, copies)
	shareOf(dst[ownDeepAt:], &deeper, copies)
}

// encodeOpponent writes what the observer knows of the opponent o apart from the
// board.
func encodeOpponent(dst []float32, s *jogu.View, o engine.Player) {
	copies, seat := s.Copies(o), &s.P.Seats[o]
	dst[oppHandSizeAt] = float32(seat.HandSize) * (1. / jogu.MaxHand)
	scaled(dst[oppHandAt:], &seat.Hand, &perHand)
	shareOf(dst[oppDiscardAt:], &seat.Discard, copies)
	dst[oppPileSizeAt] = float32(seat.PileSize()) * (1. / jogu.DeckSize)
	shareOf(dst[oppUnseenAt:], &seat.Unknown, copies)
	var deeper jogu.Counts
	top, bottom := s.FixedCards(o)
	for i := range top + bottom {
		t, _, _ := s.FixedCard(o, i)
		switch {
		case t < 0:
		case i < 2 && i < top:
			dst[oppTopAt+i*jogu.Types+t] = 1
		default:
			deeper[t]++
		}
	}
	shareOf(dst[oppDeepAt:], &deeper, copies)
}

// encodeBoards writes the cards at the five Locations.
func encodeBoards(dst []float32, s *jogu.View, p engine.Player) {
	o := 1 - p
	if s.Faction(p) < 0 || s.Faction(o) < 0 {
		return
	}
	mine, theirs := &s.P.Seats[p], &s.P.Seats[o]
	for place := range jogu.Places {
		if s.P.Room.Cards[place] == 0 {
			continue
		}
		dst[usedAt+place] = float32(s.P.Room.Used[place]) * (1. / 10)
		own := dst[ownBoardAt+place*jogu.Types:]
		scaled(own, &mine.Play[place], &perPlace)
		scaled(dst[oppBoardAt+place*jogu.Types:], &theirs.Play[place], &perPlace)
		dst[ownTokensAt+place] = float32(mine.Tokens[place]) * (1. / placeScale)
		dst[oppTokensAt+place] = float32(theirs.Tokens[place]) * (1. / placeScale)
		dst[ownStrengthAt+place] = float32(s.Strength(p, place)) * (1. / 10)
		dst[oppStrengthAt+place] = float32(s.Strength(o, place)) * (1. / 10)
		if down := s.FaceDown(p, place); down > 0 {
			dst[ownDownAt+place] = float32(down) * (1. / jogu.Slots)
			for slot := range down {
				if t := s.FaceDownType(p, place, slot); t >= 0 {
					own[t] += 1. / placeScale
				}
			}
		}
		dst[oppDownAt+place] = float32(s.FaceDown(o, place)) * (1. / jogu.Slots)
	}
}

// location sets the one-hot entry of a Location number, none for 0.
func location(dst []float32, number int) {
	if number > 0 {
		dst[number-jogu.FirstPlace] = 1
	}
}

// encodeLocations writes what is known of the Location Cards.
func encodeLocations(dst []float32, s *jogu.View, p engine.Player) {
	o := 1 - p
	location(dst[ownCardAt:], s.LocationCard(p))
	location(dst[ownNextAt:], s.NextLocation(p))
	dst[ownShownLocAt] = flag(s.P.Locs[p].Revealed)
	dst[oppLookedAt] = flag(s.P.Locs[o].TopKnown)
	if s.P.Locs[o].Revealed {
		location(dst[oppCardAt:], s.LocationCard(o))
	} else {
		dst[oppCardAt+jogu.Places] = 1
	}
	own, opponent := &s.P.Locs[p].Discard, &s.P.Locs[o].Discard
	for place := range jogu.Places {
		dst[ownLeftAt+place] = 1 - float32(own[place])*0.5
		dst[oppLeftAt+place] = 1 - float32(opponent[place])*0.5
	}
}

// encodeMarkers writes the scoring board.
func encodeMarkers(dst []float32, s *jogu.View, p engine.Player) {
	o := 1 - p
	dst[roundAt+int(s.P.Round)-1] = 1
	dst[endAt+int(s.P.EndMarker)-jogu.FirstEnd] = 1
	dst[startAt] = flag(engine.Player(s.P.Start) == p)
	dst[passedAt], dst[passedAt+1] = flag(s.P.Passed[p]), flag(s.P.Passed[o])
	dst[moraleAt], dst[moraleAt+1] = float32(s.P.Morale[p])*(1./30), float32(s.P.Morale[o])*(1./30)
	for i, winner := range s.P.Winners[:s.P.Scored] {
		dst[wonAt+i] = side(winner, p)
	}
}

// side is 1 for the observer and -1 for the opponent.
func side(who jogu.SeatID, p engine.Player) float32 {
	if engine.Player(who) == p {
		return 1
	}
	return -1
}

// encodeLastRound writes the public facts of the last Resolution.
func encodeLastRound(dst []float32, s *jogu.View, p engine.Player) {
	if s.P.LastWinner == jogu.NoSeat {
		return
	}
	for place := range jogu.Places {
		dst[lastBattleAt+place] = float32(s.P.LastBattle >> place & 1)
	}
	dst[lastWonAt] = side(s.P.LastWinner, p)
	o := 1 - p
	dst[lastRatingAt], dst[lastRatingAt+1] = rating(s.P.LastRatings[p]), rating(s.P.LastRatings[o])
	location(dst[lastOwnAt:], int(s.P.LastCards[p]))
	location(dst[lastOppAt:], int(s.P.LastCards[o]))
}

// rating is a Strategy Rating as the layout has it.
func rating(r uint16) float32 { return float32(r) / (float32(r) + 50) }

// encodePlay writes the question and the card that is being played.
func encodePlay(dst []float32, s *jogu.View, p engine.Player) {
	dst[toActAt] = flag(s.ToAct() == p)
	if d := s.Decision(); d != jogu.NoDecision {
		dst[decisionAt+int(d)] = 1
	}
	if s.P.Depth == 0 {
		return
	}
	play := s.Play()
	dst[playOwnAt] = flag(s.Turn() == p)
	dst[depthAt] = float32(s.P.Depth) * (1. / jogu.MaxDepth)
	dst[scramblersAt] = float32(play.Scramblers) * (1. / 8)
	dst[lowestAt+play.Lowest] = 1
	dst[picksAt] = float32(play.MedicPicks) * (1. / 3)
	if play.Card >= 0 {
		dst[playCardAt+play.Card] = 1
	}
	if play.Place >= 0 {
		dst[playPlaceAt+play.Place] = 1
	}
	if play.Chosen >= 0 {
		dst[chosenAt+play.Chosen] = 1
	}
}
