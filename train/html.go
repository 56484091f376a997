package train

import (
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// style is all of the look of report.html.
const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #ccc;padding:.2rem .6rem;text-align:left}
pre{background:#f4f4f4;padding:.8rem;overflow:auto}code{background:#f4f4f4}img{max-width:100%;display:block;margin:1rem 0}`

var (
	imageLine = regexp.MustCompile(`^!\[([^\]]*)\]\(([^)]+)\)$`)
	codeSpan  = regexp.MustCompile("`([^`]+)`")
)

// htmlPage turns the Markdown of a report into a page that needs no other file:
// the PNG pictures, whose paths are relative to dir, are in it. It knows what
// reports use: headings, tables, pictures on lines of their own, fenced code,
// code in a line, paragraphs.
func htmlPage(markdown, dir string) (string, error) {
	var b strings.Builder
	lines := strings.Split(markdown, "\n")
	title := strings.TrimPrefix(lines[0], "# ")
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>%s</title><style>%s</style></head>\n<body>\n", html.EscapeString(title), style)
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			var code []string
			for i++; i < len(lines) && lines[i] != "```"; i++ {
				code = append(code, lines[i])
			}
			fmt.Fprintf(&b, "<pre>%s</pre>\n", html.EscapeString(strings.Join(code, "\n")))
		case strings.HasPrefix(line, "## "):
			fmt.Fprintf(&b, "<h2>%s</h2>\n", inline(line[3:]))
		case strings.HasPrefix(line, "# "):
			fmt.Fprintf(&b, "<h1>%s</h1>\n", inline(line[2:]))
		case strings.HasPrefix(line, "|"):
			from := i
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|") {
				i++
			}
			writeTable(&b, lines[from:i+1])
		case imageLine.MatchString(line):
			parts := imageLine.FindStringSubmatch(line)
			picture, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(parts[2])))
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "<img alt=\"%s\" src=\"data:image/png;base64,%s\"/>\n", html.EscapeString(parts[1]), base64.StdEncoding.EncodeToString(picture))
		case line != "":
			fmt.Fprintf(&b, "<p>%s</p>\n", inline(line))
		}
	}
	b.WriteString("</body></html>\n")
	return b.String(), nil
}

// inline marks the code in a line.
func inline(text string) string {
	return codeSpan.ReplaceAllString(html.EscapeString(text), "<code>$1</code>")
}

// writeTable writes rows of | a | b |, of which the second is the rule below the
// heads.
func writeTable(b *strings.Builder, rows []string) {
	b.WriteString("<table>\n")
	for i, row := range rows {
		tag := "td"
		switch i {
		case 0:
			tag = "th"
		case 1:
			continue
		}
		b.WriteString("<tr>")
		for cell := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|"), "|") {
			fmt.Fprintf(b, "<%s>%s</%s>", tag, inline(strings.TrimSpace(cell)), tag)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}
