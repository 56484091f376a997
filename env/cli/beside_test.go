package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"powderkeg/env/cli"
)

// TestMain lets the test binary stand in for a program that is measured beside a command.
func TestMain(m *testing.M) {
	switch os.Getenv("POWDERKEG_CONTENDER") {
	case "":
		os.Exit(m.Run())
	case "ten a second":
		fmt.Println(`{"name": "ten a second"}`)
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			var seconds float64
			fmt.Sscan(in.Text(), &seconds)
			fmt.Printf(`{"units": %g, "seconds": %g, "processor_seconds": %g}`+"\n", 10*seconds, seconds, 2*seconds)
		}
	case "talks":
		fmt.Println("hello")
	case "idle":
		fmt.Println(`{"name": "idle"}`)
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			fmt.Println(`{"units": 0, "seconds": 1}`)
		}
	}
}

// beside starts the test binary as the contender of a name.
func beside(t *testing.T, name string) (*cli.Beside, error) {
	t.Helper()
	t.Setenv("POWDERKEG_CONTENDER", name)
	var b cli.Beside
	c := &cobra.Command{}
	b.Flag(c)
	if err := c.ParseFlags([]string{"--beside", os.Args[0]}); err != nil {
		t.Fatal(err)
	}
	return &b, b.Start(t.Context())
}

func TestBeside(t *testing.T) {
	b, err := beside(t, "ten a second")
	if err != nil {
		t.Fatal(err)
	}
	for _, units := range []float64{30, 20, 40} {
		err := b.Run(time.Second, func() (cli.Work, error) {
			return cli.Work{Units: units, Seconds: 1, Processor: 0.5}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := cli.Comparison{
		Name: "ten a second", PerSecond: 10, PerSecondMin: 10, PerSecondMax: 10, Times: 3, TimesMin: 2, TimesMax: 4,
		Cheaper: 12, CheaperMin: 8, CheaperMax: 16, // 60, 40, 80 by processor-second, and 5
	}
	if got := b.Comparisons(); len(got) != 1 || got[0] != want {
		t.Errorf("compared: %+v, want %+v", got, want)
	}
	var out bytes.Buffer
	if err := b.Print(&out, "units"); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "ten a second") || !strings.Contains(text, "3.00x") || !strings.Contains(text, "12.00x") {
		t.Errorf("printed:\n%s", text)
	}
	if err := b.Close(); err != nil {
		t.Errorf("closed: %v", err)
	}
}

func TestBesideRefuses(t *testing.T) {
	if _, err := beside(t, "talks"); err == nil || !strings.Contains(err.Error(), `prints "hello", not a line of JSON`) {
		t.Errorf("a program that talks: %v", err)
	}
	b, err := beside(t, "idle")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	err = b.Run(time.Second, func() (cli.Work, error) { return cli.Work{Units: 1, Seconds: 1}, nil })
	if err == nil || !strings.Contains(err.Error(), "idle: it has done 0 units in 1 s") {
		t.Errorf("a program that does nothing: %v", err)
	}
}

func TestNothingBeside(t *testing.T) {
	var b cli.Beside
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	runs := 0
	for range 2 {
		if err := b.Run(time.Second, func() (cli.Work, error) { runs++; return cli.Work{}, nil }); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := b.Print(&out, "units"); err != nil || out.Len() > 0 || runs != 2 || b.Comparisons() != nil {
		t.Errorf("%d runs, %q, %v, %v", runs, &out, b.Comparisons(), err)
	}
}
