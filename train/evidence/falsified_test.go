package evidence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFalsified changes one figure after another of every page, in a copy, and sees that it is noticed: in what
// people have written by Check, in what a test writes by that test.
func TestFalsified(t *testing.T) {
	s := &Sources{Root: root}
	for _, name := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		changed := 0
		for _, p := range parts(string(text)) {
			for _, c := range claims(plain(p.text)) {
				if strings.HasPrefix(p.text, "#") || !strings.ContainsAny(c.text, "0123456789") {
					continue
				}
				unnoticed := ""
				for step := byte(1); step < 10; step++ {
					wrong := other(c.text, step)
					problems, err := s.Check(name, p.text[:c.at]+wrong+p.text[c.at+len(wrong):])
					if err != nil {
						t.Fatal(err)
					}
					if len(problems) == 0 {
						unnoticed += ", " + wrong
					}
				}
				// A record may have another figure that happens to be the wrong one.
				if changed++; strings.Count(unnoticed, ", ") > 2 {
					t.Errorf("%s:%d: in the place of %q nobody notices%s", name, p.line, c.text, unnoticed)
				}
			}
		}
		if changed == 0 {
			t.Errorf("%s has no figures", name)
		}
	}
}

// other is a figure with the last digit of its first number moved on by so much.
func other(text string, step byte) string {
	text = strings.TrimSuffix(text, "%")
	at := strings.IndexAny(text, "0123456789")
	end := at
	for end < len(text) && strings.ContainsRune("0123456789.,", rune(text[end])) {
		end++
	}
	for end > at && !strings.ContainsRune("0123456789", rune(text[end-1])) {
		end--
	}
	last := text[end-1]
	return text[:end-1] + string('0'+(last-'0'+step)%10) + text[end:]
}
