// Streams from Tweencast and posts updates, with only Go's standard library (1.19 or later).
//
//	go run client.go stream http://localhost:8080 'ticker=visitors'
//	go run client.go add http://localhost:8080 visitors 1
//
// TWEENCAST_TOKEN is sent where the server asks for tokens. TWEENCAST_KEY names what is added: with the same key it
// counts once, even if a cron job runs twice.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// errRefused is an answer that a retry would repeat.
var errRefused = errors.New("refused")

// Pauses of its own are at most `longest`; those that an answer asks for at most `patient`.
const longest, patient = 30 * time.Second, time.Minute

// A redirect isn't followed: the token is for this server alone.
var client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// later is an answer that is no stream, but may be one after the pause that it asks for, or 0.
type later struct {
	status string
	pause  time.Duration
}

func (l later) Error() string { return l.status }

func retryAfter(answer *http.Response) time.Duration {
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
	if seconds > int(patient.Seconds()) {
		fmt.Fprintf(os.Stderr, "%d: the server asks for %d s, trying again in %.0f s\n", answer.StatusCode, seconds,
			patient.Seconds())
		return patient
	}
	return time.Duration(seconds) * time.Second
}

func send(ctx context.Context, method, url, body string, header map[string]string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	if token := os.Getenv("TWEENCAST_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	status := answer.StatusCode
	if status == http.StatusNoContent || status >= 300 && status < 500 && status != http.StatusTooManyRequests {
		defer answer.Body.Close()
		problem, _ := io.ReadAll(answer.Body)
		return nil, fmt.Errorf("%w: %d %s", errRefused, status, problem)
	}
	return answer, nil
}

// stream passes on names and data of events, over any number of connections.
func stream(url string, handle func(name, data string)) error {
	last, retry := "", 2*time.Second // the id to go on from; until the next connection, as the server asks
	for failures := 0; ; {
		err := connection(url, &last, &retry, func(name, data string) { failures = 0; handle(name, data) })
		if errors.Is(err, errRefused) {
			return err
		} else if err != nil {
			fmt.Fprintln(os.Stderr, "no stream:", err)
			failures++
		}
		// What the server asked for spreads its clients; a server that stays away is asked less and less.
		pause := retry
		for i := 1; i < failures && pause < longest; i++ {
			pause *= 2
		}
		var answer later
		if errors.As(err, &answer) && answer.pause > 0 {
			pause = answer.pause
		}
		time.Sleep(pause)
	}
}

// connection reads one connection's events until it ends.
func connection(url string, last *string, retry *time.Duration, handle func(name, data string)) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// A heartbeat that stays out twice is a connection that is dead: reading it fails then.
	patience := 10 * time.Second
	silence := time.AfterFunc(patience, cancel)
	defer silence.Stop()
	header := map[string]string{}
	if *last != "" {
		header["Last-Event-ID"] = *last
	}
	answer, err := send(ctx, http.MethodGet, url, "", header)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return later{answer.Status, retryAfter(answer)}
	}
	name, id, data := "message", "", []string{}
	for lines := bufio.NewReader(answer.Body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		silence.Reset(patience)
		line = strings.TrimRight(line, "\r\n")
		field, value, _ := strings.Cut(line, ": ")
		switch field {
		case "event":
			name = value
		case "id":
			id = value
		case "retry":
			if milliseconds, err := strconv.Atoi(value); err == nil {
				*retry = time.Duration(milliseconds) * time.Millisecond
			}
		case "data":
			data = append(data, value)
		case "":
			if line != "" {
				continue // a comment
			}
			// Only now is the event whole. One that was cut off comes again, so its id must not count yet.
			if id != "" {
				*last = id
			}
			if name == "hello" {
				var hello struct{ Heartbeat float64 }
				if err := json.Unmarshal([]byte(data[0]), &hello); err != nil {
					return err
				}
				patience = time.Duration((2*hello.Heartbeat + 1) * float64(time.Second))
			}
			if len(data) > 0 {
				handle(name, strings.Join(data, "\n"))
			}
			if name == "bye" {
				return nil
			}
			name, id, data = "message", "", nil
		}
	}
}

// add adds to a ticker's target once, however often it is sent, and returns the target.
func add(url, number string) (target json.Number, err error) {
	key := os.Getenv("TWEENCAST_KEY")
	if key == "" {
		bytes := make([]byte, 16)
		if _, err := rand.Read(bytes); err != nil {
			return "", err
		}
		key = fmt.Sprintf("%x", bytes)
	}
	header := map[string]string{"Idempotency-Key": key, "Content-Type": "application/json"}
	for attempt := 0; attempt < 10; attempt++ {
		wait := time.Second / 2 << attempt
		if wait > longest {
			wait = longest
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		answer, err := send(ctx, http.MethodPost, url, `{"by":`+number+`,"duration":0.5}`, header)
		if errors.Is(err, errRefused) {
			cancel()
			return "", err
		} else if err != nil {
			fmt.Fprintln(os.Stderr, "not answered:", err)
		} else if answer.StatusCode < 400 {
			var ticker struct{ Target json.Number }
			err := json.NewDecoder(answer.Body).Decode(&ticker)
			answer.Body.Close()
			cancel()
			return ticker.Target, err
		} else if asked := retryAfter(answer); asked > 0 {
			wait = asked
		}
		cancel()
		time.Sleep(wait)
	}
	return "", errors.New("the server doesn't answer")
}

func main() {
	verb, url, rest := os.Args[1], strings.TrimRight(os.Args[2], "/"), os.Args[3:]
	if !strings.Contains(url, "://") {
		url = "http://" + url
	}
	var err error
	if verb == "add" {
		var target json.Number
		if target, err = add(url+"/v1/tickers/"+rest[0], rest[1]); err == nil {
			fmt.Println(target)
		}
	} else {
		err = stream(url+"/v1/events?"+rest[0], func(name, data string) { fmt.Println(name, data) })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
