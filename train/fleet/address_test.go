package fleet

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// nasty are passwords that URLs, shells and configurations take for something else.
var nasty = []string{
	"pa/ss", "pa@ss", "pa:ss", "pa#ss", "pa?ss=1", "pa,ss", "pa,nats:/ss", "12345", "1e9", "0x10", "true", "null",
	"pa ss", "pa%ss", "100%", "%zz", "[pa]", "{pa}",
	"$PA", "${PA}", "`pa`", `pa"ss`, "pa'ss", `pa\ss`, "pa;ss", "pa&ss", "pa=ss", "pa+ss", "päss", "//pa//", "@", ":", "/", "pa://ss@elsewhere",
}

// TestPasswordsMayBeAnything: a URL with the password as it is, or with %XX, opens the broker.
// Errors, and what is told, show none of it.
func TestPasswordsMayBeAnything(t *testing.T) {
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT}
	for i, password := range nasty {
		o.Users = append(o.Users, &server.User{Username: fmt.Sprintf("user%d", i), Password: password})
	}
	s := start(t, o)
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the broker does not start")
	}
	for i, password := range nasty {
		user := fmt.Sprintf("user%d", i)
		// What is no other text after "unescaping" may be written as it is.
		forms := []string{url.UserPassword(user, password).String()}
		if plain(password) == password {
			forms = append(forms, user+":"+password)
		}
		for _, form := range forms {
			var l log
			conn, err := Dial("nats://"+form+"@"+s.Addr().String(), "test", Access{}, l.tell)
			if err != nil {
				t.Errorf("%q: %v", form, err)
				continue
			}
			conn.Close()
			for _, where := range []string{"nats://" + form + "@127.0.0.1:1", "nats://" + form + "@no such host:4222", "nats://" + form + "@[::1",
				"tls://" + form + "@" + s.Addr().String(),
				"nats://" + form + "x@" + s.Addr().String(),
				"nats://" + form + "@127.0.0.1:1,nats://" + form + "@127.0.0.1:2", "nats://" + form + "@", form + "@127.0.0.1:99999"} {
				_, err := Dial(where, "test", Access{}, l.tell)
				if err == nil {
					t.Errorf("%q opens", where)
					continue
				}
				for _, text := range []string{err.Error(), l.String(), Redacted(where)} {
					shown := strings.Contains(text, form) || len(password) > 1 && strings.Contains(text, password) || strings.Contains(text, user)
					if shown || strings.Contains(text, "\n") {
						t.Errorf("%q: said is %q", where, text)
					}
				}
			}
		}
	}
}

func TestAddresses(t *testing.T) {
	for urls, want := range map[string]string{
		"nats://a:4222":                                   "nats://a:4222",
		"a:4222":                                          "nats://a:4222",
		"nats://a:4222,b:4222":                            "nats://a:4222,nats://b:4222",
		"nats://a:4222, tls://b":                          "nats://a:4222,tls://b",
		"nats://u:p@a:4222,nats://u:p/@b:4222":            "nats://u:p@a:4222,nats://u:p%2F@b:4222",
		"nats://to/ken@a:4222":                            "nats://to%2Fken@a:4222",
		"nats://u:p@a:4222,b:4222":                        "nats://u:p@a:4222,nats://b:4222",
		"tcp://a:4222":                                    "",
		"nats://[::1]:4222":                               "nats://[::1]:4222",
		"ws://u:p%2Fq@a:80/path":                          "ws://u:p%2Fq@a:80/path",
		"nats://u:p,q@a:4222, nats://u:p,q@b:4222,c:4222": "nats://u:p%2Cq@a:4222,nats://u:p%2Cq@b:4222,nats://c:4222",
	} {
		list, err := addresses(urls)
		if (err != nil) != (want == "") || join(list, true) != want {
			t.Errorf("%s: %s, error %v, want %s", urls, join(list, true), err, want)
		}
	}
}
