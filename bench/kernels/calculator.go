package main

import (
	"fmt"
	"os"
	"strconv"
)

type node interface{ value(x int) int }
type number struct{ number int }
type variable struct{}
type operation struct {
	op          byte
	left, right node
}

func mod(a, b int) int { return (a%b + b) % b }
func div(a, b int) int { return (a - mod(a, b)) / b }

func (n *number) value(x int) int   { return n.number }
func (v *variable) value(x int) int { return x }
func (o *operation) value(x int) int {
	a, b := o.left.value(x), o.right.value(x)
	switch o.op {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return mod(a*b, 1000003)
	}
	return div(a, mod(b, 7)+1)
}

var text string
var at int

func peek() byte {
	if at < len(text) {
		return text[at]
	}
	return ';'
}

func factor() node {
	if peek() == '(' {
		at++
		n := sum()
		at++
		return n
	}
	if peek() == 'x' {
		at++
		return &variable{}
	}
	n := 0
	for peek() >= '0' && peek() <= '9' {
		n = 10*n + int(peek()) - '0'
		at++
	}
	return &number{n}
}

func product() node {
	n := factor()
	for peek() == '*' || peek() == '/' {
		op := peek()
		at++
		n = &operation{op, n, factor()}
	}
	return n
}

func sum() node {
	n := product()
	for peek() == '+' || peek() == '-' {
		op := peek()
		at++
		n = &operation{op, n, product()}
	}
	return n
}

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	total := 0
	for i := 1; i <= count; i++ {
		text = "(x+" + strconv.Itoa(i) + ")*3-x*x/(4+x)+(" + strconv.Itoa(i%100) + "-x)*(x+17)"
		at = 0
		tree := sum()
		for x := 0; x <= 9; x++ {
			total = mod(total+tree.value(x), 1000000007)
		}
	}
	fmt.Println(total)
}
