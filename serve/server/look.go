package server

import (
	"context"
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/drawing"
	"powderkeg/serve/protocol"
	"powderkeg/serve/told"
)

// look returns the environment that a request names, what one of the client's seats sees
// of it, and the seat: the observer, if the request names none.
func (c *conn) look(p *protocol.EnvText) (*environment, engine.View, engine.Player, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, nil, 0, err
	}
	seat := e.observer()
	if p.Seat != nil {
		if seat, err = e.own(*p.Seat); err != nil {
			return nil, nil, 0, err
		}
	}
	return e, e.env.View(seat), seat, nil
}

func (c *conn) envText(_ context.Context, p *protocol.EnvText) (any, error) {
	e, view, seat, err := c.look(p)
	if err != nil {
		return nil, err
	}
	teller, ok := view.(engine.Teller)
	if !ok {
		return nil, fmt.Errorf("%s cannot be told in words", e.env.Game().Spec().Name)
	}
	return &protocol.Text{Text: teller.Text(seat)}, nil
}

func (c *conn) envDrawing(_ context.Context, p *protocol.EnvText) (any, error) {
	e, view, _, err := c.look(p)
	if err != nil {
		return nil, err
	}
	picture, err := drawing.Draw(e.env.Game(), view)
	if err != nil {
		return nil, err
	}
	return &protocol.Drawing{SVG: string(picture)}, nil
}

func (c *conn) envView(_ context.Context, p *protocol.EnvText) (any, error) {
	_, view, seat, err := c.look(p)
	if err != nil {
		return nil, err
	}
	data, err := view.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return &protocol.View{Seat: int64(seat), View: string(data)}, nil
}

func (c *conn) envLegal(_ context.Context, p *protocol.Env) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	legal := &protocol.Legal{Actor: int64(e.env.Actor()), Names: []string{}, Descriptions: []string{}, Verbs: []string{}, Objects: []string{}}
	if len(e.env.Legal()) == 0 || e.fault != nil {
		return legal, nil
	}
	if e.reader == nil {
		e.reader = told.NewReader(e.env.Game())
	}
	view := e.env.View(e.env.Actor())
	q := e.reader.Question(view)
	legal.Question, legal.Rule, legal.RuleTitle, legal.RuleText, legal.Says = q.Name, q.Rule, q.Title, q.Text, q.Says
	for _, choice := range e.reader.Choices(view) {
		amount := int32(-1)
		if choice.Amount != nil {
			amount = int32(*choice.Amount)
		}
		legal.Actions = append(legal.Actions, engine.Action(choice.Action))
		legal.Names = append(legal.Names, choice.Name)
		legal.Descriptions = append(legal.Descriptions, choice.Words)
		legal.Verbs = append(legal.Verbs, choice.Verb)
		legal.Objects = append(legal.Objects, choice.Object)
		legal.Amounts = append(legal.Amounts, amount)
	}
	return legal, nil
}
