package web

import (
	"cmp"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The page in a real browser: ui/test/page.mjs says what is tried. It takes Node.js, what
// ui/package.json names, and a headless Chromium; make test installs them where it can.
func TestInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode")
	}
	for _, want := range []string{"ui/node_modules/playwright-core/package.json", "ui/node_modules/axe-core/axe.min.js"} {
		if _, err := os.Stat(want); err != nil {
			t.Skip("skipped: the page in a browser, for want of what ui/package.json names (npm ci in serve/web/ui)")
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: the page in a browser, for want of Node.js")
	}
	chromium := os.Getenv("POWDERKEG_CHROMIUM")
	for _, name := range []string{"chromium-headless-shell", "chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium = cmp.Or(chromium, path)
		}
	}
	if chromium == "" {
		t.Skip("skipped: the page in a browser, for want of one (apt-get install -y chromium-headless-shell)")
	}
	p := open(t, "", nil)
	arguments := []string{"ui/test/page.mjs", p.http.URL + "/"}
	if *update {
		arguments = append(arguments, "--update")
	}
	if os.Getenv("POWDERKEG_SOAK") != "" {
		arguments = append(arguments, "--whole")
	}
	run := exec.CommandContext(t.Context(), node, arguments...)
	run.Env = append(os.Environ(), "POWDERKEG_CHROMIUM="+chromium)
	said, err := run.CombinedOutput()
	t.Logf("%s", said)
	if err != nil || !strings.Contains(string(said), "ok   figures") {
		t.Errorf("the page fails in the browser: %v", err)
	}
}
