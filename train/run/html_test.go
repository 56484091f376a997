package run

import (
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPagesNeedNoOtherFile takes the page of a run apart: it is well formed, has no
// script and refers to nothing but pictures within itself, which are those of the run,
// byte for byte, and it has the intervals of the Markdown.
func TestPagesNeedNoOtherFile(t *testing.T) {
	c := small("kuhn")
	c.Evaluation.Tournament = 20
	dir := filepath.Join(t.TempDir(), "run")
	if err := Begin(t.Context(), c, Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, pageName))
	if err != nil {
		t.Fatal(err)
	}
	markdown, err := os.ReadFile(filepath.Join(dir, reportName))
	if err != nil {
		t.Fatal(err)
	}
	var pictures, text []string
	d := xml.NewDecoder(strings.NewReader(string(page)))
	d.Strict = true
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if name := e.Name.Local; name == "script" || name == "link" || name == "a" || name == "iframe" {
				t.Errorf("the page has a %s", name)
			}
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "src":
					pictures = append(pictures, a.Value)
				case "alt", "lang", "charset", "class":
				default:
					t.Errorf("element %s has the attribute %s=%q", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			text = append(text, string(e))
		}
	}
	if all := strings.Join(text, ""); strings.Contains(all, "url(") || strings.Contains(all, "@import") {
		t.Error("the style refers to another file")
	}
	paths := regexp.MustCompile(`!\[[^\]]*\]\(([^)]+)\)`).FindAllStringSubmatch(string(markdown), -1)
	if len(paths) < 5 || len(paths) != len(pictures) {
		t.Fatalf("the page has %d pictures, the Markdown %d; want at least 5 and as many", len(pictures), len(paths))
	}
	for i, p := range paths {
		data, ok := strings.CutPrefix(pictures[i], "data:image/png;base64,")
		got, err := base64.StdEncoding.DecodeString(data)
		if !ok || err != nil {
			t.Fatalf("picture %d is %.40q (%v), want PNG data", i, pictures[i], err)
		}
		want, err := os.ReadFile(filepath.Join(dir, p[1]))
		if err != nil || string(got) != string(want) {
			t.Errorf("picture %d is not %s (%v)", i, p[1], err)
		}
	}
	whole := strings.Join(text, " ")
	for _, m := range regexp.MustCompile(`\[[-+0-9.]+, [-+0-9.]+\]`).FindAllString(string(markdown), -1) {
		if !strings.Contains(whole, m) {
			t.Errorf("the interval %s of the Markdown is not on the page", m)
		}
	}
}

func TestMarkdownOfReportsBecomesHTML(t *testing.T) {
	page, err := htmlPage("# A < B: `x`\n\n## Part\n\ntext & `a|b` more\n\n| n | `k` |\n|---|---|\n| 1 |  |\n\n```yaml\nkey: <v>\n\n# no head\n```",
		t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<h1>A &lt; B: <code>x</code></h1>", "<h2>Part</h2>", "<p>text &amp; <code>a|b</code> more</p>",
		"<tr>\n<th>n</th>\n<th><code>k</code></th>\n</tr>", "<tr>\n<td>1</td>\n<td></td>\n</tr>",
		"<pre><code class=\"language-yaml\">key: &lt;v&gt;\n\n# no head\n</code></pre>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if _, err := htmlPage("# t\n\n![a](plots/none.png)", t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a picture that is not there: error %v", err)
	}
}
