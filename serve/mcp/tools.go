package mcp

import (
	"context"
	"errors"
	"strings"

	"powderkeg/engine/option"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// instructions tell a model what the tools are for.
const instructions = `Tabletop games of insurgency and war, and small reference games, with exact rules.
Call games to choose one, new_game to begin it, then act with the number or the name of a legal action, again and again
until the game is over: each answer shows what has happened, what has changed in what your seat sees, what you are asked and what is legal.
Moves are chains of small choices (a card, then a space, then an amount), of which act takes a list. look shows the whole situation, with a JSON of
it; legal says what each legal action would do; rules reads the rules that questions and events cite by number; hint says what a bot would do. You know what your seat knows.`

// tool is a tool in the making: what it takes and answers, and what it does.
type tool[In, Out any] struct {
	name, title, description string
	// reads is true of a tool that changes nothing.
	reads bool
	// in adds to the schema of the arguments what their Go type does not say.
	in func(s *jsonschema.Schema)
	do func(ctx context.Context, in *In) (out *Out, text string, err error)
}

// add adds a tool. What goes wrong in a call of it, arguments that cannot be read included,
// is an answer of one line.
func add[In, Out any](s *Server, t tool[In, Out]) error {
	in, err := schemaOf[In]()
	if err != nil {
		return err
	}
	if t.in != nil {
		t.in(in)
	}
	out, err := schemaOf[Out]()
	if err != nil {
		return err
	}
	s.protocol.AddTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: in, OutputSchema: out,
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: t.reads, DestructiveHint: new(false), OpenWorldHint: new(false)},
	}, func(ctx context.Context, r *sdk.CallToolRequest) (answer *sdk.CallToolResult, _ error) {
		defer func() {
			if v := recover(); v != nil {
				s.log.Error("a tool broke down", "tool", t.name, "error", v)
				answer = failed(t.name, errors.New("the server could not do it; its log says why"))
			}
		}()
		var args In
		if err := read(r.Params.Arguments, &args, in); err != nil {
			return failed(t.name, err), nil
		}
		result, text, err := t.do(ctx, &args)
		if err != nil {
			return failed(t.name, err), nil
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: result}, nil
	})
	return nil
}

// failed is the answer of a call that could not be done: one line.
func failed(tool string, err error) *sdk.CallToolResult {
	line := strings.ReplaceAll(strings.TrimPrefix(err.Error(), option.ErrUsage.Error()+": "), "\n", "; ")
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: tool + ": " + line}}}
}

// addTools adds all tools.
func (s *Server) addTools() error {
	return errors.Join(
		add(s, tool[struct{}, Games]{
			name: "games", title: "List the games", reads: true,
			description: "Lists every game with its options (type, default, what they do), number of seats and the bots to play against.",
			do: func(context.Context, *struct{}) (*Games, string, error) {
				l, err := s.listed()
				if err != nil {
					return nil, "", err
				}
				return l, l.read(), nil
			},
		}),
		add(s, tool[rulesArgs, Rules]{
			name: "rules", title: "Read the rules", reads: true,
			description: "Reads a game's rules in our own words. Questions and events cite them by number. Without find the numbers and titles are listed.",
			do: func(_ context.Context, a *rulesArgs) (*Rules, string, error) {
				r, err := a.find()
				if err != nil {
					return nil, "", err
				}
				return r, r.read(), nil
			},
		}),
		add(s, tool[newGameArgs, Situation]{
			name: "new_game", title: "Begin a game", in: typedOptions,
			description: "Begins a game in which you play one seat and bots the others, and shows it at your first decision.",
			do:          s.newGame,
		}),
		add(s, tool[lookArgs, Situation]{
			name: "look", title: "Look at the game", reads: true,
			description: "Shows everything that your seat sees of its game: what has happened since your last decision, the situation in words and as JSON, " +
				"what you are asked, what is legal.",
			do: func(_ context.Context, a *lookArgs) (*Situation, string, error) {
				return with(s, a.ID, func(g *game) (*Situation, string, error) {
					o, text := g.situation("")
					if a.JSON == nil || *a.JSON {
						if err := o.looked(g.view()); err != nil {
							return nil, "", err
						}
					}
					return o, text, g.fault
				})
			},
		}),
		add(s, tool[idArgs, Choices]{
			name: "legal", title: "List the legal actions", reads: true,
			description: "Lists what you are asked and the legal actions: number, name, what each would do, and the name taken apart into verb, object and " +
				"amount.",
			do: func(_ context.Context, a *idArgs) (*Choices, string, error) {
				return with(s, a.ID, func(g *game) (*Choices, string, error) {
					if err := g.open(); err != nil {
						return nil, "", err
					}
					v := g.view()
					c := &Choices{g.id, g.reader.Question(v), g.reader.Choices(v)}
					return c, asked(c.Question) + list(c.Legal), nil
				})
			},
		}),
		add(s, tool[actArgs, Step]{
			name: "act", title: "Act", in: numbersOrNames,
			description: "Plays one of your legal actions, or several one after another, and what follows up to your next decision or the end, and shows " +
				"what is new then. " +
				"An action that is not legal changes nothing; of a list, what comes before it is played.",
			do: func(ctx context.Context, a *actArgs) (*Step, string, error) {
				actions, err := a.actions()
				if err != nil {
					return nil, "", err
				}
				return with(s, a.ID, func(g *game) (*Step, string, error) {
					unplayed, err := s.act(ctx, g, actions)
					if err != nil {
						return nil, "", err
					}
					o, text := g.step(unplayed)
					return o, text, nil
				})
			},
		}),
		add(s, tool[idArgs, Hint]{
			name: "hint", title: "Ask for a hint", reads: true,
			description: "Says what a bot that knows no more than you would play here, how likely each action is for it, and what it is worth. It thinks " +
				"for about a second.",
			do: func(ctx context.Context, a *idArgs) (*Hint, string, error) {
				return with(s, a.ID, func(g *game) (*Hint, string, error) {
					h, err := s.hint(ctx, g)
					if err != nil {
						return nil, "", err
					}
					return h, h.read(), nil
				})
			},
		}),
	)
}

// with does something with a game, locked.
func with[Out any](s *Server, id string, do func(g *game) (*Out, string, error)) (*Out, string, error) {
	g, err := s.find(id)
	if err != nil {
		return nil, "", err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return do(g)
}
