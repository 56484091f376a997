package suite

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine/position"
	"powderkeg/env/file"
)

// An archive is a gzip file of JSON, one Entry per line, in the order of the plan: tasks as
// the definition has them, then run, table, unit and seat.

// writeArchive writes the entries and returns the SHA-256 of the file. The same entries give
// the same bytes.
func writeArchive(path string, entries []Entry) (digest string, err error) {
	sum := sha256.New()
	err = durable.Replace(path, func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(io.MultiWriter(w, sum), gzip.BestCompression)
		if err != nil {
			return err
		}
		lines := json.NewEncoder(z)
		lines.SetEscapeHTML(false)
		for _, e := range entries {
			if err := lines.Encode(e); err != nil {
				return err
			}
		}
		return z.Close()
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// Bounds of what an archive unpacks to, which somebody else may have packed: bytes in all and
// in a line, and games. The largest of suite v1 has 41 MB, 65 kB and 15,680.
const (
	maxArchive = file.Record
	maxLine    = 4 << 20
	maxEntries = 1 << 18
)

// readArchive reads an archive and the SHA-256 of its file.
func readArchive(path string) (entries []Entry, digest string, err error) {
	data, err := file.Read(path, file.Record)
	if err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(data)
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	lines := bufio.NewScanner(file.Limited(z, "what it unpacks to", maxArchive))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e Entry
		line := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		line.DisallowUnknownFields()
		err := line.Decode(&e)
		switch {
		case err != nil:
		case e.Record == nil && e.Answers == nil:
			err = errors.New("it has no record")
		case len(entries) == maxEntries:
			err = fmt.Errorf("there are more than %d games", maxEntries)
		}
		if err != nil {
			return nil, "", fmt.Errorf("%s: game %d: %s", path, len(entries)+1, position.Plainly(err, nil))
		}
		entries = append(entries, e)
	}
	if err := lines.Err(); err != nil {
		return nil, "", fmt.Errorf("%s: game %d: %w", path, len(entries)+1, err)
	}
	return entries, hex.EncodeToString(sum[:]), nil
}

// draft is the games of a row that is being played: a file of JSON lines that grows.
type draft struct {
	file *os.File
	done map[Place]Entry
}

// openDraft reads what is there of a draft, without the line that a kill may have cut, and
// goes on with it.
func openDraft(path string) (*draft, error) {
	d := &draft{done: map[Place]Entry{}}
	text, err := file.Read(path, file.Record)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	r := bufio.NewReader(bytes.NewReader(whole))
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err != nil {
			break
		}
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s: line %d: %s; remove the file to begin anew", path, n, position.Plainly(err, nil))
		}
		d.done[e.Place] = e
	}
	if d.file, err = file.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return nil, err
	}
	if err := d.file.Truncate(int64(len(whole))); err != nil {
		return nil, errors.Join(err, d.file.Close())
	}
	if _, err := d.file.Seek(0, io.SeekEnd); err != nil {
		return nil, errors.Join(err, d.file.Close())
	}
	return d, nil
}

// add writes a game.
func (d *draft) add(e Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	d.done[e.Place] = e
	_, err = d.file.Write(append(line, '\n'))
	return err
}
