package fleet

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"powderkeg/engine/option"
)

// begins is where the next of several URLs begins.
var begins = regexp.MustCompile(`,\s*(nats|tls|wss?)://`)

// addresses reads the URLs of brokers, divided by commas. Users, passwords and tokens may hold
// any characters, as they are or as %XX: what stands before the last @ is no part of the address.
// An error shows nothing of what was given.
func addresses(urls string) (list []*url.URL, err error) {
	for urls != "" {
		one := urls
		if at := begins.FindStringIndex(urls); at != nil {
			one = urls[:at[0]]
		}
		urls = strings.TrimPrefix(urls[len(one):], ",")
		scheme, rest, there := strings.Cut(strings.TrimSpace(one), "://")
		if !there || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, scheme) {
			scheme, rest = "nats", strings.TrimSpace(one)
		}
		var user *url.Userinfo
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			name, password, both := strings.Cut(rest[:at], ":")
			if rest = rest[at+1:]; both {
				user = url.UserPassword(plain(name), plain(password))
			} else {
				user = url.User(plain(name))
			}
		}
		for host := range strings.SplitSeq(rest, ",") {
			u, err := url.Parse(scheme + "://" + strings.TrimSpace(host))
			if err != nil || u.Hostname() == "" || u.User != nil || u.Path != "" && !strings.HasPrefix(scheme, "ws") {
				return nil, fmt.Errorf("%w: the URL of a broker is like nats://host:4222 or tls://user:password@host:4222", option.ErrUsage)
			}
			u.User, user = user, nil
			list = append(list, u)
		}
	}
	return list, nil
}

// plain is a part of a URL without its %XX, or as it stands where it has others.
func plain(text string) string {
	if p, err := url.PathUnescape(text); err == nil {
		return p
	}
	return text
}

// Redacted is the URLs without what opens them, for people and logs.
func Redacted(urls string) string {
	list, err := addresses(urls)
	if err != nil {
		return "an address that is no URL"
	}
	return join(list, false)
}

// join writes URLs, with what opens them or without.
func join(list []*url.URL, open bool) string {
	var texts []string
	for _, u := range list {
		c := *u
		if c.User = nil; !open {
			c = url.URL{Scheme: u.Scheme, Host: u.Host}
		} else if u.User != nil { // a comma would divide URLs
			c.Host = strings.ReplaceAll(u.User.String(), ",", "%2C") + "@" + u.Host
		}
		texts = append(texts, c.Scheme+"://"+c.Host+c.Path)
	}
	return strings.Join(texts, ",")
}
