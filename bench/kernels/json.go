package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

var text string
var at int

func blanks() {
	for text[at] == ' ' || text[at] == '\n' {
		at++
	}
}

func take(c byte) bool {
	blanks()
	if text[at] != c {
		return false
	}
	at++
	return true
}

func parseString() string {
	at++
	start := at
	for text[at] != '"' && text[at] != '\\' {
		at++
	}
	if text[at] == '"' {
		at++
		return strings.Clone(text[start : at-1])
	}
	result := []byte(text[start:at])
	for text[at] != '"' {
		if text[at] == '\\' {
			at++
		}
		result = append(result, text[at])
		at++
	}
	at++
	return string(result)
}

func parse() any {
	blanks()
	switch text[at] {
	case '{':
		at++
		object := map[string]any{}
		if take('}') {
			return object
		}
		for {
			blanks()
			key := parseString()
			take(':')
			object[key] = parse()
			if !take(',') {
				break
			}
		}
		take('}')
		return object
	case '[':
		at++
		var array []any
		if take(']') {
			return array
		}
		for {
			array = append(array, parse())
			if !take(',') {
				break
			}
		}
		take(']')
		return array
	case '"':
		return parseString()
	}
	n := 0
	for text[at] >= '0' && text[at] <= '9' {
		n = 10*n + int(text[at]-'0')
		at++
	}
	return n
}

func sum(v any) int {
	total := 0
	switch v := v.(type) {
	case int:
		return v
	case string:
		return len(v)
	case []any:
		for _, value := range v {
			total += sum(value)
		}
	case map[string]any:
		for key, value := range v {
			total += len(key) + sum(value)
		}
	}
	return total
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	file, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	text = string(file)
	total := 0
	for ; n > 0; n-- {
		at = 0
		total += sum(parse())
	}
	fmt.Println(total)
}
