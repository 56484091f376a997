package web

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// expiryPause is the longest time between two looks for games that have expired.
const expiryPause = time.Hour

// watchExpired removes games that have expired, from time to time.
func (s *Server) watchExpired() {
	tick := time.NewTicker(min(max(s.config.Expire/8, time.Millisecond), expiryPause))
	defer tick.Stop()
	for {
		s.expire(time.Now())
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// expire removes the games in which nothing has happened for Config.Expire though they are not over.
// Those that are over are kept: they can be reviewed.
func (s *Server) expire(now time.Time) {
	if s.config.Expire == 0 {
		return
	}
	kept, err := filepath.Glob(s.path("*"))
	if err != nil {
		return // the folder's name is no pattern, and new games are refused for it
	}
	for _, path := range kept {
		id := strings.TrimSuffix(filepath.Base(path), journalSuffix)
		s.mu.Lock()
		known := s.finished[id]
		s.mu.Unlock()
		if known || !s.left(path, now) || s.ctx.Err() != nil {
			continue
		}
		over := s.isOver(id) // which takes its time
		s.mu.Lock()
		if over {
			s.finished[id] = true // there are at most Config.Games
		} else if s.awake[id] == nil && s.left(path, now) {
			if err := os.Remove(path); err != nil {
				s.log.Error("a game that has expired cannot be removed", "game", id, "error", err)
			} else {
				s.log.Info("an unfinished game has expired", "game", id)
			}
		}
		s.mu.Unlock()
	}
}

// left reports whether nothing has happened in a game for too long.
func (s *Server) left(path string, now time.Time) bool {
	info, err := os.Stat(path)
	return err == nil && now.Sub(info.ModTime()) >= s.config.Expire
}

// isOver reports whether a game that sleeps has been played to its end. One that cannot be read any
// more is not: nobody can look at it either.
func (s *Server) isOver(id string) bool {
	t, _, err := s.readGame(id)
	if err != nil {
		return false
	}
	t.journal.close()
	return t.over()
}
