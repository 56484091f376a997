package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// The page as it was bundled from ui: make ui.
//
//go:embed dist
var dist embed.FS

// files are those of the page, compressed once.
type files struct {
	byName map[string]*file
}

type file struct {
	kind  string
	plain []byte
	small []byte // compressed
	etag  string
}

// kinds of the files that the page consists of.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// bundle reads the embedded files.
func bundle() (*files, error) {
	list, err := fs.ReadDir(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	f := &files{byName: map[string]*file{}}
	for _, entry := range list {
		plain, err := dist.ReadFile("dist/" + entry.Name())
		if err != nil {
			return nil, fmt.Errorf("web: %w", err)
		}
		var small bytes.Buffer
		z, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
		if err != nil {
			return nil, fmt.Errorf("web: %w", err)
		}
		if _, err := z.Write(plain); err != nil {
			return nil, fmt.Errorf("web: %w", err)
		}
		if err := z.Close(); err != nil {
			return nil, fmt.Errorf("web: %w", err)
		}
		f.byName[entry.Name()] = &file{kinds[path.Ext(entry.Name())], plain, small.Bytes(), fmt.Sprintf(`"%x"`, digestOf(string(plain)))}
	}
	return f, nil
}

// index answers with the page. Which game it shows stands in its address.
func (f *files) index(w http.ResponseWriter, r *http.Request) { f.serve(w, r, "index.html") }

func (f *files) asset(w http.ResponseWriter, r *http.Request) { f.serve(w, r, r.PathValue("file")) }

func (f *files) serve(w http.ResponseWriter, r *http.Request, name string) {
	file := f.byName[name]
	if file == nil {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("ETag", file.etag)
	h.Set("Cache-Control", "no-cache") // it may be kept, and is asked for anew each time
	h.Set("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == file.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := file.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = file.small
	}
	w.Write(body)
}
