package main

import (
	"fmt"
	"os"
	"strconv"
)

type shape interface {
	area() int
	move(dx, dy int)
	left() int
}
type place struct{ x, y int }
type square struct {
	place
	side int
}
type box struct {
	square
	height int
}
type group struct {
	place
	a, b shape
}

func (p *place) move(dx, dy int) { p.x += dx; p.y += dy }
func (p *place) left() int       { return p.x }
func (s *square) area() int      { return s.side * s.side }
func (b *box) area() int         { return b.side * b.height }
func (g *group) area() int       { return g.a.area() + g.b.area() }
func (g *group) move(dx, dy int) {
	g.place.move(dx, dy)
	g.a.move(dx, dy)
	g.b.move(dx, dy)
}

func main() {
	const count = 5000
	shapes := make([]shape, count)
	for i := range shapes {
		switch i % 3 {
		case 0:
			shapes[i] = &square{place{i, 0}, i % 10}
		case 1:
			shapes[i] = &box{square{place{0, i}, i % 7}, i % 5}
		default:
			shapes[i] = &group{place{1, 1}, shapes[i-1], shapes[i-2]}
		}
	}
	rounds, _ := strconv.Atoi(os.Args[1])
	sum, boxes := 0, 0
	for round := 1; round <= rounds; round++ {
		for _, s := range shapes {
			s.move(round%3, 1)
			sum += s.area() + s.left()
			if _, is := s.(*box); is {
				boxes++
			}
		}
	}
	fmt.Println(sum, boxes)
}
