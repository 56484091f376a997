package bloc

import (
	"fmt"
	"strings"
)

// sentences put the questions of stages to people where the words of the table do not say enough: the
// district, the piece, and what is left.
var sentences = [numStages]func(b Board) string{
	menu:             Board.saysMenu,
	moveCount:        func(b Board) string { return fmt.Sprintf("Choose how many blocs leave %s", b.cellName(b.Now.From)) },
	moveDestination:  Board.saysDestination,
	barricadeArm:     Board.saysBarricade,
	advancedCell:     func(b Board) string { return fmt.Sprintf("Choose a district (%s)", b.verbText()) },
	chooseOccupation: func(b Board) string { return "Choose an occupation to build in " + b.cellName(b.Now.Cell) },
	stopAction:       Board.saysStop,
	discardDrawn:     func(b Board) string { return fmt.Sprintf("Discard one of the %d cards that were drawn", b.DrawnSize) },
	attackCell:       func(b Board) string { return fmt.Sprintf("Choose a clash (%s)", b.verbText()) },
	attackBoost:      Board.saysBoost,
	kickArm:          Board.saysKick,
	attackOn:         func(b Board) string { return fmt.Sprintf("Attack again in %s?", b.cellName(b.Now.Cell)) },
	answerReaction:   func(b Board) string { return fmt.Sprintf("Cancel the reaction roll of %d?", b.Now.Roll) },
	tradeGive:        func(b Board) string { return fmt.Sprintf("Choose what to offer the %s", b.Now.Partner) },
	tradeWant:        Board.saysWant,
	tradeResponse:    Board.saysResponse,
	tradePick:        func(b Board) string { return fmt.Sprintf("Choose a card to hand over to the %s", b.Now.Who) },
	askDoors:         Board.saysDefence,
	askMasks:         Board.saysDefence,
	nameVictims:      Board.saysVictim,
	rescue: func(b Board) string {
		return fmt.Sprintf("Play a Medic Kit for the blocs lost in %s?", b.cellName(b.Now.Cell))
	},
	askSound:    func(b Board) string { return fmt.Sprintf("Play a Sound System in %s?", b.cellName(b.Now.Cell)) },
	manifestArm: Board.saysBarricade,
}

// says is a question as a sentence (flow.Row.Says).
func (b Board) says() string {
	if says := sentences[b.Ask]; says != nil {
		return says(b)
	}
	if words := stages[b.Ask].question; words != "" {
		return capital(words)
	}
	return "Chance decides"
}

// cellName names a district, as far as it is known.
func (b Board) cellName(c CellID) string {
	if c == NoCell || b.Tile[c] == noTile {
		return "a district"
	}
	return b.box.tiles[b.Tile[c]].Name
}

func (b Board) verbText() string {
	if b.Now.Verb == NoVerb {
		return "a card"
	}
	return verbTexts[b.Now.Verb]
}

func (b Board) saysMenu() string {
	var dice []string
	for value := Sides; value > 0; value-- {
		for range b.Dice[value-1] {
			dice = append(dice, fmt.Sprint(value))
		}
	}
	return fmt.Sprintf("Choose what to do (dice left: %s)", orNone(strings.Join(dice, ", ")))
}

func (b Board) saysDestination() string {
	blocs := "the bloc"
	if b.Now.Blocs > 1 {
		blocs = fmt.Sprintf("the %d blocs", b.Now.Blocs)
	}
	return fmt.Sprintf("Choose where to move %s from %s", blocs, b.cellName(b.Now.From))
}

func (b Board) saysBarricade() string {
	stop := ""
	if b.Now.Enough {
		stop = ", or stop"
	}
	return fmt.Sprintf("Choose a connection of %s for a barricade%s (%d left)", b.cellName(b.Now.Cell), stop, b.Now.Barricades)
}

func (b Board) saysStop() string {
	return fmt.Sprintf("Stop the %s in %s (%s)?", b.Now.Who, b.cellName(b.Now.Cell), b.verbText())
}

func (b Board) saysBoost() string {
	text := fmt.Sprintf("Play Molotovs for the attack in %s, or attack as it is", b.cellName(b.Now.Cell))
	if b.Now.Bonus > 0 {
		text += fmt.Sprintf(" (+%d so far)", b.Now.Bonus)
	}
	return text
}

func (b Board) saysKick() string {
	return fmt.Sprintf("Choose where to kick cops out of %s to (up to %d)", b.cellName(b.Now.Cell), b.Now.Kicks)
}

func (b Board) saysWant() string {
	return fmt.Sprintf("Choose what to ask the %s for (you offer %s)", b.Now.Partner, b.offerText(b.Now.Give))
}

func (b Board) saysResponse() string {
	return fmt.Sprintf("The %s offer %s and want %s: accept?", b.Now.Who, b.offerText(b.Now.Give), b.offerText(b.Now.Want))
}

func (b Board) saysDefence() string {
	return fmt.Sprintf("Play a card against the police in %s, or none", b.cellName(b.Now.Cell))
}

func (b Board) saysVictim() string {
	return fmt.Sprintf("Name a faction that loses a bloc in %s (%d left)", b.cellName(b.Now.Cell), b.Now.Victims)
}
