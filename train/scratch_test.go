package train

import (
	"context"
	"fmt"
	"os"
	"testing"
	"powderkeg/train/solve"
	"time"
	"strconv"
)

func TestScratch(t *testing.T) {
	path := os.Getenv("SCRATCH")
	if path == "" {
		t.Skip()
	}
	text, _ := os.ReadFile(path)
	c, err := ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	if s := os.Getenv("SEED"); s != "" {
		n, _ := strconv.Atoi(s)
		c.Seed = uint64(n)
	}
	tr, err := NewTrainer(c)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	ex, err := newEquilibria(context.Background(), tr.Game())
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	var recent []*solve.Policy
	for i := 0; i <= c.Updates; i++ {
		if i > c.Updates/4 && i%(c.Updates/200) == 0 {
			p, _ := ex.policy(tr.Network())
			recent = append(recent, p)
		}
		if i%(c.Updates/10) == 0 {
			v, _ := ex.measure(tr.Network())
			line := fmt.Sprintf("%6d %5.1fs last %.4f value %.4f", i, time.Since(start).Seconds(), v.Exploitability, v.Values[0])
			if m := tr.learner.Magnet(); m != nil {
				w, _ := ex.measure(m)
				line += fmt.Sprintf("  magnet %.4f", w.Exploitability)
			}
			if len(recent) > 0 {
				line += fmt.Sprintf(" mixture %.4f", ex.tree.Evaluate(ex.tree.Mixture(recent)).Exploitability)
				half := recent[len(recent)/2:]
				line += fmt.Sprintf(" later half %.4f", ex.tree.Evaluate(ex.tree.Mixture(half)).Exploitability)
			}
			fmt.Println(line)
		}
		if i < c.Updates {
			if _, err := tr.Update(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
