package web

import (
	"net"
	"net/http"
	"slices"
	"strings"
)

// gate decides who may ask for anything at all.
type gate struct {
	tokens []digest
	secure bool
	origin *http.CrossOriginProtection
}

func newGate(tokens []string, secure bool) gate {
	g := gate{secure: secure, origin: http.NewCrossOriginProtection()}
	for _, t := range tokens {
		g.tokens = append(g.tokens, digestOf(t))
	}
	return g
}

// pass is the name of the cookie that holds the token of a browser.
const pass = "powderkeg"

// enter gives a browser its cookie for a token.
func (g *gate) enter(w http.ResponseWriter, r *http.Request) error {
	var asks struct {
		Token string `json:"token"`
	}
	if err := read(r, &asks); err != nil {
		return err
	}
	if !g.admits(asks.Token) {
		return &problem{http.StatusForbidden, "no_token", "This is not a token of this server."}
	}
	http.SetCookie(w, &http.Cookie{Name: pass, Value: asks.Token, Path: "/", MaxAge: 90 * 24 * 3600, Secure: g.secure, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// guard lets those through whose browser has a token of the server, if it demands one.
func (g *gate) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		named := ""
		if c, err := r.Cookie(pass); err == nil {
			named = c.Value
		}
		if !g.admits(named) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			w.Write([]byte(`{"error":"no_token","text":"This server asks for a token."}`))
			return
		}
		next(w, r)
	}
}

// admits reports whether a token is one of the server's, or none is demanded. It looks at
// all of them, so that its time does not tell which was close.
func (g *gate) admits(token string) bool {
	found := len(g.tokens) == 0
	for _, d := range g.tokens {
		if d.fits(token) {
			found = true
		}
	}
	return found
}

// sameOrigin refuses what pages of other sites ask for: requests that change something by
// the headers that browsers send with them, and, on a server without TLS, whatever names a
// host other than this machine, as the page of another site does whose name suddenly means
// this machine.
func (g *gate) sameOrigin(next http.Handler) http.Handler {
	return g.origin.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.secure && !local(r.Host) {
			http.Error(w, "This server answers for this machine only, not for the host "+r.Host+".", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// local reports whether a host is this machine by a name that only it can have.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if slices.Contains([]string{"localhost", "powderkeg.localhost"}, strings.ToLower(name)) {
		return true
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return ip != nil && ip.IsLoopback()
}
