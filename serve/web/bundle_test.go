package web

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"powderkeg/engine/enginetest/kept"
)

// The bundle is what esbuild makes of the sources: what is committed is what can be read.
// With -update it is made anew.
func TestBundleIsFresh(t *testing.T) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"ui/src/main.tsx", "ui/src/shared.ts", "ui/src/main.css", "ui/src/index.html", "ui/src/icon.svg", "ui/src/turn.svg"},
		Outdir:      "dist",
		Bundle:      true,
		Format:      api.FormatIIFE,
		Target:      api.ES2023,
		JSX:         api.JSXAutomatic, JSXImportSource: "preact",
		Alias: map[string]string{
			"preact": "./ui/vendor/preact.mjs", "preact/hooks": "./ui/vendor/hooks.mjs", "preact/jsx-runtime": "./ui/vendor/jsxRuntime.mjs",
		},
		Loader:           map[string]api.Loader{".html": api.LoaderCopy, ".svg": api.LoaderCopy},
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		LegalComments: api.LegalCommentsNone,
	})
	for _, m := range append(result.Errors, result.Warnings...) {
		t.Errorf("%+v: %s", m.Location, m.Text)
	}
	if t.Failed() {
		return
	}
	made := map[string]bool{}
	for _, f := range result.OutputFiles {
		path := filepath.Join("dist", filepath.Base(f.Path))
		made[filepath.Base(path)] = true
		if *kept.Update {
			if err := os.WriteFile(path, f.Contents, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, f.Contents) {
			t.Errorf("%s is not what ui makes: run make ui, and commit it (%v)", path, err)
		}
	}
	list, err := os.ReadDir("dist")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if !made[e.Name()] {
			t.Errorf("dist/%s comes from nowhere", e.Name())
		}
	}
}

// first paint: what a browser loads before it shows the lobby.
func TestBundleIsSmall(t *testing.T) {
	f, err := bundle()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for name, file := range f.byName {
		if len(file.small) == 0 || file.kind == "" {
			t.Errorf("%s is empty or of no kind", name)
		}
		sum += len(file.small)
	}
	t.Logf("%d bytes, compressed", sum)
	if sum > 100<<10 {
		t.Errorf("the page has %d bytes, compressed, of at most 100 KiB", sum)
	}
}
