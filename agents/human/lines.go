package human

import (
	"bufio"
	"context"
	"io"
	"strings"
)

// maxLine limits a line of input, so that a stream without line ends cannot fill
// the memory.
const maxLine = 1 << 16

// lines reads lines so that waiting for one can be given up. A read that has
// begun cannot be called back, so at most one goroutine is left in it; it ends
// with the line or the input, and the next call takes what it has read.
type lines struct {
	scanner *bufio.Scanner
	pending chan line // the read that is going on, nil if there is none
}

type line struct {
	text string
	err  error
}

func newLines(r io.Reader) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	return &lines{scanner: s}
}

// next returns the next line without the space around it, io.EOF after the last
// one, or ctx's error when ctx ends first.
func (l *lines) next(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if l.pending == nil {
		l.pending = make(chan line, 1)
		go func(to chan<- line) { to <- l.read() }(l.pending)
	}
	select {
	case got := <-l.pending:
		l.pending = nil
		return got.text, got.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (l *lines) read() line {
	if l.scanner.Scan() {
		return line{text: strings.TrimSpace(l.scanner.Text())}
	}
	if err := l.scanner.Err(); err != nil {
		return line{err: err}
	}
	return line{err: io.EOF}
}
