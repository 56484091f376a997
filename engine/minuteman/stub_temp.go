package minuteman

import "powderkeg/engine"

func (p *position) hash() uint64                                                  { return 0 }
func (g *game) validate(p *position) error                                        { return nil }
func (g *game) Load(position []byte, how engine.Strictness) (engine.State, error) { return nil, nil }
func (s *State) MarshalJSON() ([]byte, error)                                     { return []byte("{}"), nil }
