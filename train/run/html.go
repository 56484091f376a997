package run

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	xhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"powderkeg/env/file"
)

// style is all of the look of report.html.
const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #ccc;padding:.2rem .6rem;text-align:left}
pre{background:#f4f4f4;padding:.8rem;overflow:auto}code{background:#f4f4f4}img{max-width:100%;display:block;margin:1rem 0}`

// markdown reads what reports are written in. It leaves out raw HTML.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(xhtml.WithXHTML()))

// htmlPage turns the Markdown of a report, whose first line is its title, into a page
// that needs no other file: the PNG pictures, whose paths are relative to dir, are in it.
func htmlPage(report, dir string) (string, error) {
	source := []byte(report)
	document := markdown.Parser().Parse(text.NewReader(source))
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		image, ok := n.(*ast.Image)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		picture, err := file.Read(filepath.Join(dir, filepath.FromSlash(string(image.Destination))), file.Record)
		image.Destination = []byte("data:image/png;base64," + base64.StdEncoding.EncodeToString(picture))
		return ast.WalkContinue, err
	})
	if err != nil {
		return "", err
	}
	title, _, _ := strings.Cut(strings.TrimPrefix(report, "# "), "\n")
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>%s</title><style>%s</style></head>\n<body>\n",
		html.EscapeString(title), style)
	if err := markdown.Renderer().Render(&b, source, document); err != nil {
		return "", err
	}
	b.WriteString("</body></html>\n")
	return b.String(), nil
}
