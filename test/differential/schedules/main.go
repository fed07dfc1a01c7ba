// Reads lines of JSON, a cron schedule and a time in seconds, and prints what robfig/cron says: the next times, or an error.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"
	_ "time/tzdata"

	"github.com/robfig/cron/v3"
)

type question struct {
	Schedule string
	After    int64
	Count    int
}

type answer struct {
	Error string  `json:"error,omitempty"`
	Times []int64 `json:"times,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := out.Encode(answerTo(asked)); err != nil {
			panic(err)
		}
	}
}

func answerTo(asked question) (said answer) {
	// As Kubernetes does.
	defer func() {
		if reason := recover(); reason != nil {
			said = answer{Error: fmt.Sprintf("invalid schedule format: %v", reason)}
		}
	}()
	schedule, err := cron.ParseStandard(asked.Schedule)
	if err != nil {
		return answer{Error: err.Error()}
	}
	at := time.Unix(asked.After, 0).UTC()
	for range asked.Count {
		if at = schedule.Next(at); at.IsZero() {
			break
		}
		said.Times = append(said.Times, at.Unix())
	}
	return said
}
