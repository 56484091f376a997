package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/replay"
	"powderkeg/env/drawing"
	"powderkeg/env/file"
)

// mostFrames bounds the pictures of a game.
const mostFrames = 100_000

// frames are the pictures of a recorded game, all as one seat sees the table.
type frames struct {
	Game    string   `json:"game"`
	Players []string `json:"players,omitempty"`
	Seat    int      `json:"seat"`
	Frames  []frame  `json:"frames"`
}

// frame is a picture of a game, and what the seat was told since the one before.
type frame struct {
	File  string   `json:"file"`
	Move  int      `json:"move"` // how many moves have been made, chance included
	Lines []string `json:"lines"`
}

// makeFrames makes the folder that the pictures go into, which must be new.
func makeFrames(folder string) error {
	if err := file.CheckFolder(filepath.Dir(folder)); err != nil {
		return option.Wrong(fmt.Errorf("--frames: %w", err))
	}
	if err := os.Mkdir(folder, 0o777); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: --frames: %s exists already; give another name", ErrUsage, option.Shorten(folder))
	} else if err != nil {
		return option.Wrong(fmt.Errorf("--frames: %w", err))
	}
	return nil
}

// drawFrames draws a recorded game as a seat sees it, at most so many moments, evenly spread
// over those at which somebody was to decide, and its end. A picture that shows nothing new is
// left out.
func drawFrames(g engine.Game, r *replay.Record, seat engine.Player, folder string, most int) (frames, error) {
	out := frames{Game: r.Game, Players: r.Players, Seat: int(seat)}
	decisions := 0
	end, err := replay.Play(g, r, func(s engine.State, _ engine.Action) {
		if s.ToAct() >= 0 {
			decisions++
		}
	})
	if err != nil {
		return out, err
	}
	var last []byte
	var lines []string
	draw := func(s engine.State, move int) error {
		picture, err := drawing.Draw(g, engine.Look(s, seat))
		if err != nil || bytes.Equal(picture, last) {
			return err
		}
		f := frame{fmt.Sprintf("%04d.svg", len(out.Frames)+1), move, append([]string{}, lines...)}
		out.Frames, last, lines = append(out.Frames, f), picture, nil
		return os.WriteFile(filepath.Join(folder, f.File), picture, 0o666)
	}
	log := engine.NewLog(g, seat, func(line string) { lines = append(lines, line) })
	move, decision := 0, 0
	_, err = replay.Play(g, r, func(s engine.State, a engine.Action) {
		// The last moment is the end of the game.
		if s.ToAct() >= 0 && err == nil {
			if decision == 0 || decision*(most-1)/decisions != (decision-1)*(most-1)/decisions {
				err = draw(s, move)
			}
			decision++
		}
		if narrator, ok := s.(engine.Narrator); ok {
			narrator.Listen(log.Event)
		}
		log.Move(s, a)
		move++
	})
	if err != nil {
		return out, err
	}
	return out, draw(end, move)
}

// writeFrames draws a game into a new folder, with a list of the pictures.
func writeFrames(g engine.Game, r *replay.Record, seat engine.Player, folder string, most int) (int, error) {
	if _, err := drawing.Draw(g, engine.Look(g.New(), seat)); err != nil {
		return 0, option.Wrong(fmt.Errorf("--frames: %w", err))
	}
	if err := makeFrames(folder); err != nil {
		return 0, err
	}
	list, err := drawFrames(g, r, seat, folder, most)
	if err != nil {
		return 0, err
	}
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return 0, err
	}
	return len(list.Frames), os.WriteFile(filepath.Join(folder, "frames.json"), append(text, '\n'), 0o666)
}
