package solve_test

import (
	"context"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/train/solve"
)

func BenchmarkIterate(b *testing.B) {
	for _, name := range []string{"kuhn", "leduc"} {
		for _, a := range solve.Algorithms() {
			b.Run("game="+name+"/algo="+string(a), func(b *testing.B) {
				s := solver(b, build(b, name), solve.Default(a))
				b.ReportAllocs()
				for b.Loop() {
					s.Iterate()
				}
			})
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for _, name := range []string{"kuhn", "leduc", "tictactoe"} {
		b.Run("game="+name, func(b *testing.B) {
			tree := build(b, name)
			p := tree.Uniform()
			for b.Loop() {
				tree.Evaluate(p)
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, name := range []string{"leduc", "tictactoe"} {
		b.Run("game="+name, func(b *testing.B) {
			g, err := games.New(name)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := solve.Build(context.Background(), g, solve.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
