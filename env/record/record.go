// Package record keeps measurements: what was measured, by which command of which program, and
// everything that is needed to say later whether the figures still hold.
//
// A command that measures writes its record with --record. The records that pages quote are
// committed under experiments/records, one file per measurement.
package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Format is the version of the form of a record.
const Format = "powderkeg-record/1"

// Record is one measurement. Its JSON is indented, in the order of the fields; figures are in the order of
// their names.
type Record struct {
	Format string `json:"format"`
	// Name says what was measured, by the path of the record's file below experiments/records,
	// such as jogu/quick. Commands name a record after its file.
	Name string `json:"name"`
	// Command is the command line, as it was typed.
	Command string `json:"command"`
	// Commit is that of the program, with -dirty behind it where files had been changed since.
	Commit string `json:"commit"`
	// Games has the versions of each game that was played.
	Games []Version `json:"games,omitempty"`
	// Config is the configuration that was trained by, nil without one.
	Config *Config `json:"config,omitempty"`
	// Networks has the digest of the weights of each network that played, by the agent's name.
	Networks map[string]string `json:"networks,omitempty"`
	// Build is what the program was made with.
	Build Build `json:"build"`
	// Seeds are those that the measurement began with.
	Seeds []uint64 `json:"seeds,omitempty"`
	// Played is how many games were played to measure, 0 where none were, or nobody knows.
	Played int `json:"games_played,omitempty"`
	// Figures are what was found, by name.
	Figures map[string]Figure `json:"figures"`
	// Curves are what was found on the way, by name, for pictures.
	Curves map[string][]Point `json:"curves,omitempty"`
	// Processor is how many processor-seconds the process and those that it started have taken,
	// 0 where others took part whom nobody counted.
	Processor float64 `json:"processor_seconds,omitempty"`
	// Seconds is how long it took by the clock, 0 where that is not known.
	Seconds float64 `json:"seconds,omitempty"`
	Machine Machine `json:"machine"`
	// Date is the day on which the measurement ended, such as 2026-11-27.
	Date string `json:"date"`
	// Source is the page that the figures were taken from, for a measurement from before there were
	// records, empty otherwise.
	Source string `json:"source,omitempty"`
}

// Version is a game with the versions that were played.
type Version struct {
	Game   string `json:"game"`             // game string
	Rules  int    `json:"rules"`            // of its rules
	Layout int    `json:"layout,omitempty"` // of its observation, 0 where nobody observed any
}

// Config is a training configuration.
type Config struct {
	// File is where it stands, below the repository's root, empty if it is of no file.
	File string `json:"file,omitempty"`
	// Digest is that of its settings, whatever the comments of the file are.
	Digest string `json:"digest"`
}

// Build says what a program was made with.
type Build struct {
	BLAS   string `json:"blas"`   // pure Go or OpenBLAS, empty where nobody knows
	System string `json:"system"` // linux/amd64
	Go     string `json:"go"`     // go1.26.4
}

// Machine says on what a measurement was made.
type Machine struct {
	CPU        string `json:"cpu,omitempty"`
	Processors int    `json:"processors,omitempty"`
	// Others is the share of the machine's processor time that other processes took meanwhile, nil
	// where the system does not tell.
	Others *float64 `json:"others,omitempty"`
}

// mostOthers is the share of a quiet machine's processor time that others take at most.
const mostOthers = 0.05

// Quiet reports whether the machine is known to have had nothing else to do, so that a time by the
// clock says something.
func (m Machine) Quiet() bool { return m.Others != nil && *m.Others <= mostOthers }

// Figure is a number that was found.
type Figure struct {
	Value float64 `json:"value"`
	// Low and High are the ends of its interval, of 95% unless the name says otherwise, nil without
	// one.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Unit is share (1 is printed as 100%), return, elo, s, /s or another; empty for a pure number.
	Unit string `json:"unit,omitempty"`
}

// Point is a point of a curve.
type Point struct {
	X    float64  `json:"x"`
	Y    float64  `json:"y"`
	Low  *float64 `json:"low,omitempty"` // of its interval, as in Figure
	High *float64 `json:"high,omitempty"`
}

// Write writes the record.
func (r *Record) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Read reads a record. It refuses fields that it does not know, and a record that leaves out what
// every measurement has.
func Read(text []byte) (*Record, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var r Record
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &r, r.check()
}

// check returns what the record lacks, all of it at once.
func (r *Record) check() error {
	var errs []error
	lacks := func(bad bool, what string) {
		if bad {
			errs = append(errs, fmt.Errorf("record %s: %s", r.Name, what))
		}
	}
	lacks(r.Format != Format, fmt.Sprintf("format is %q, this program reads %q", r.Format, Format))
	lacks(r.Name == "", "it has no name")
	lacks(r.Command == "", "it has no command")
	lacks(r.Commit == "" || r.Commit == unknown, "its commit is not known")
	lacks(len(r.Figures) == 0, "it has no figures")
	lacks(r.Config != nil && r.Config.Digest == "", "its config has no digest")
	_, err := time.Parse(time.DateOnly, r.Date)
	lacks(err != nil, fmt.Sprintf("its date is %q, not of the form 2026-11-27", r.Date))
	for name, f := range r.Figures {
		lacks((f.Low == nil) != (f.High == nil), name+" has one end of an interval")
		lacks(f.Low != nil && f.High != nil && *f.Low > *f.High, name+" has an interval whose ends are the wrong way round")
	}
	return errors.Join(errs...)
}

// Dirty reports whether files had been changed since the commit, so that nobody can build the
// program again.
func (r *Record) Dirty() bool { return strings.HasSuffix(r.Commit, "-dirty") }
