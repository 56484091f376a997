// Package cli holds the subcommand that plays games: play.
package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"powderkeg/agents/human"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/replay"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/drawing"
	"powderkeg/env/file"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// playConfig holds the flags of "play".
type playConfig struct {
	seats []int
	vs    []string
	seed  uint64
	watch bool
	// practice lets every move be taken back.
	practice bool
	start    cli.StartAt
	// resume is the file of a replay that the game goes on from, "" for none.
	resume string
	// drawing is the file that holds what the person at the terminal sees, "" for none.
	drawing string
}

// Play is the command "play".
func Play() *cobra.Command {
	var p playConfig
	c := &cobra.Command{
		Use:   "play [GAME]",
		Short: "Play a game in the terminal",
		Long: fmt.Sprintf(`Play a game in the terminal, against agents or other people.

You are shown what your seat may see, and choose by number or name; ? lists what
else you can say, such as undo, rules and list. After the game, or when you leave
it by quit or Ctrl-C, a replay can be saved: "powderkeg replay" shows it, and play
--resume goes on with one that is not over.

Agents:
%s`, AgentHelp()),
		Example: `  powderkeg play jogu
  powderkeg play 'jogu(first=agents,second=engineers)' --seat 1 --vs 'mcts(sims=1000)'
  powderkeg play jogu --vs zoo:jogu
  powderkeg play leduc --seat 0 --seat 1          two people at one terminal
  powderkeg play 'insurgency(scenario=custom,mode=preset)' --position my_scenario.json
  powderkeg play insurgency --drawing table.svg   the table as a picture beside the terminal
  powderkeg play connect4 --watch --vs scripted   watch agents play
  powderkeg play --resume jogu.json               go on with a game that was saved`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			s := human.Session{
				In: c.InOrStdin(), Out: c.OutOrStdout(), Practice: p.practice,
				Interrupted: cli.Interrupted, Width: width(c.OutOrStdout()),
			}
			if err := p.begin(c, args, &s); err != nil {
				return err
			}
			if p.drawing != "" {
				if err := drawable(p.drawing); err != nil {
					return err
				}
				s.Draw = func(v engine.View) error { return draw(p.drawing, s.Game, v) }
			}
			saved := ""
			s.Save = func(name string, data []byte) error {
				err := save(name, data)
				if err == nil {
					saved = name
				}
				return err
			}
			s.Seed = p.seed
			if !c.Flags().Changed("seed") {
				s.Seed = randomSeed()
			}
			err := s.Play(c.Context())
			if saved == "" {
				return cli.Stopped(err, "without saving the game")
			}
			return cli.Stopped(err, "and saved; powderkeg play --resume %s goes on", saved)
		},
	}
	f := c.Flags()
	f.IntSliceVar(&p.seats, "seat", []int{0}, "your seat; may be repeated for several people")
	f.StringArrayVar(&p.vs, "vs", []string{"scripted"}, "agent on the other seats; may be repeated, one per seat in order")
	f.Uint64Var(&p.seed, "seed", 0, "seed of chance and of the agents (default: another one each time)")
	p.start.Add(c)
	f.StringVar(&p.drawing, "drawing", "", "file for an SVG of what you see, drawn anew before each of your decisions")
	f.BoolVar(&p.practice, "practice", false, "undo takes back any move, with all that followed")
	f.BoolVar(&p.watch, "watch", false, "put agents on all seats and watch: Enter plays the next move, secrets are told")
	f.StringVar(&p.resume, "resume", "",
		"replay of a game that is not over, to go on with: those who played it sit down again, unless --seat or --vs says otherwise")
	cli.BoundByGame(c, "seat")
	return cli.Asks(c)
}

// width returns how many columns a terminal has at the moment, 0 for what is none.
func width(out io.Writer) func() int {
	f, ok := out.(*os.File)
	if !ok {
		return nil
	}
	return func() int {
		columns, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return columns
	}
}

// begin fills in the game, where it begins, and who plays it.
func (p *playConfig) begin(c *cobra.Command, args []string, s *human.Session) (err error) {
	switch {
	case p.resume != "" && len(args) > 0:
		return fmt.Errorf("%w: play: give a GAME or --resume FILE, whose game it is", cli.ErrUsage)
	case p.resume != "" && c.Flags().Changed("position"):
		return fmt.Errorf("%w: play: --position is where a new game begins; --resume FILE goes on with another one", cli.ErrUsage)
	case p.resume != "":
		return p.goOn(c, s)
	case len(args) == 0:
		return fmt.Errorf("%w: play: name a GAME (powderkeg games lists them), or go on with one by --resume FILE", cli.ErrUsage)
	}
	if s.Game, err = env.NewGame(args[0]); err != nil {
		return err
	}
	if s.Game, s.Position, err = p.start.Game(c, s.Game); err != nil {
		return err
	}
	s.Seats, err = p.sit(s.Game, cli.Warn(c))
	return err
}

// goOn fills in the game of a replay, as far as it was played.
func (p *playConfig) goOn(c *cobra.Command, s *human.Session) error {
	wrong := func(err error) error { return option.Wrong(fmt.Errorf("%s: %w", option.Shorten(p.resume), err)) }
	data, err := cli.ReadNamed(c, p.resume)
	if err != nil {
		return err
	}
	record, err := replay.Parse(data)
	if err != nil {
		return wrong(err)
	}
	if s.Game, err = env.NewGame(record.Game); err != nil {
		return wrong(err)
	}
	last, err := replay.Play(s.Game, record, func(_ engine.State, a engine.Action) { s.Played = append(s.Played, a) })
	switch {
	case err != nil:
		return wrong(err)
	case last.ToAct() == engine.Terminal:
		return wrong(errors.New("the game is over; powderkeg replay shows it"))
	}
	if s.Position = record.Position; s.Position != nil {
		if s.Game, err = engine.StartAt(s.Game, s.Position); err != nil {
			return wrong(err)
		}
	}
	if !p.watch && !c.Flags().Changed("seat") && !c.Flags().Changed("vs") {
		p.seats, p.vs = sides(record.Players, s.Game.Spec().Seats)
	}
	if s.Seats, err = p.sit(s.Game, cli.Warn(c)); err != nil {
		return fmt.Errorf("%w (the replay's players are %s; --seat and --vs name others)", err, strings.Join(record.Players, ", "))
	}
	return nil
}

// you is who a person at the terminal is in a replay.
const you = "you"

// sides returns which seats the players of a replay leave to people, and who plays the others.
func sides(players []string, seats int) (people []int, agents []string) {
	for i, name := range players {
		if name == you && i < seats {
			people = append(people, i)
		} else {
			agents = append(agents, name)
		}
	}
	return people, agents
}

// sit puts people and agents on the seats.
func (p playConfig) sit(g engine.Game, warn func(string)) ([]human.Seat, error) {
	seats := make([]human.Seat, g.Spec().Seats)
	person := make([]bool, len(seats))
	if !p.watch {
		for _, s := range p.seats {
			if s < 0 || s >= len(seats) {
				return nil, fmt.Errorf("%w: --seat is %d; %s has the seats 0 to %d", cli.ErrUsage, s, g.Spec().Text, len(seats)-1)
			}
			person[s] = true
		}
	}
	free := len(seats)
	for _, taken := range person {
		if taken {
			free--
		}
	}
	if len(p.vs) > max(free, 1) {
		return nil, fmt.Errorf("%w: --vs names %d agents for %d seats", cli.ErrUsage, len(p.vs), free)
	}
	next := 0
	for i := range seats {
		if person[i] {
			seats[i].Name = you
			continue
		}
		name := p.vs[min(next, len(p.vs)-1)]
		next++
		agent, err := roster.Maker(roster.New).Warning(warn)(g, name)
		if err != nil {
			return nil, err
		}
		seats[i] = human.Seat{Name: name, Agent: agent}
	}
	return seats, nil
}

// drawable refuses a file that is there and is no picture of an earlier game.
func drawable(path string) error {
	const begins = "<svg"
	f, err := file.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // that it cannot be made either is no reason not to play
	}
	if err != nil {
		return option.Wrong(fmt.Errorf("--drawing: %w", err))
	}
	defer f.Close() // of a reader
	there := make([]byte, len(begins))
	if _, err := io.ReadFull(f, there); err != nil || string(there) != begins {
		return fmt.Errorf("%w: --drawing: %s exists already and is no SVG; give another name", cli.ErrUsage, path)
	}
	return nil
}

// draw replaces a file by a picture of a view, so that whoever looks at the file sees a whole
// one.
func draw(path string, g engine.Game, v engine.View) error {
	picture, err := drawing.Draw(g, v)
	if err != nil {
		return err
	}
	return durable.WriteFile(path, picture)
}

// save writes a replay, never over another file.
func save(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already; give another name", name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	return errors.Join(err, f.Close())
}

// AgentHelp lists the agents, a line each.
func AgentHelp() string {
	var b strings.Builder
	for _, k := range roster.List() {
		fmt.Fprintf(&b, "  %-10s %s\n", k.Name, k.Help)
		if k.Argument != "" {
			fmt.Fprintf(&b, "  %-10s   written %s\n", "", k.Usage())
		}
		for _, o := range k.Options {
			fmt.Fprintf(&b, "  %-10s   %s: %s (default %s)\n", "", o.Name, o.Help, o.Default)
		}
	}
	return b.String()
}
