package server_test

import (
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/editions"
	"powderkeg/serve/protocol"
)

// A client names editions that the server was given, by name and by digest. A folder that it
// names is not read, be it there, broken or absent: all are answered alike.
func TestClientsNameListedEditions(t *testing.T) {
	e, report, err := games.Edition(enginetest.EditionFiles(t, "jogu", enginetest.Set{File: "setup", At: "parameters[start_morale].value", Value: 23}))
	if err != nil || e == nil {
		t.Fatalf("%v, %q", err, report.Faults)
	}
	if err := env.Editions.Add("server-test", e); err != nil {
		t.Fatal(err)
	}
	f, err := games.Find("jogu")
	if err != nil {
		t.Fatal(err)
	}
	there := filepath.Join(t.TempDir(), "there")
	if err := editions.Write(f, there); err != nil {
		t.Fatal(err)
	}
	address, _ := start(t, config())
	c := dial(t, address)
	for _, name := range []string{"server-test", e.Digest} {
		made, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "jogu(edition=" + name + ")"})
		if err != nil || made.Made.Game != "jogu(edition="+e.Digest+")" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, path := range []string{there, filepath.Dir(there), "/nowhere/at/all", "/etc/passwd", "."} {
		_, err := c.Spec(t.Context(), "jogu(edition="+path+")")
		if err == nil || !strings.Contains(err.Error(), "jogu has no edition") || !strings.Contains(err.Error(), "server-test "+e.Digest) {
			t.Errorf("%s: error %v", path, err)
		}
	}
}
