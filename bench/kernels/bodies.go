package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

type body struct{ x, y, z, vx, vy, vz, mass float64 }

func advance(b []body, dt float64) {
	for i := range b {
		for j := i + 1; j < len(b); j++ {
			p, q := &b[i], &b[j]
			dx, dy, dz := p.x-q.x, p.y-q.y, p.z-q.z
			squared := dx*dx + dy*dy + dz*dz
			magnitude := dt / (squared * math.Sqrt(squared))
			p.vx -= dx * q.mass * magnitude
			p.vy -= dy * q.mass * magnitude
			p.vz -= dz * q.mass * magnitude
			q.vx += dx * p.mass * magnitude
			q.vy += dy * p.mass * magnitude
			q.vz += dz * p.mass * magnitude
		}
	}
	for i := range b {
		p := &b[i]
		p.x += dt * p.vx
		p.y += dt * p.vy
		p.z += dt * p.vz
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	bodies := make([]body, 5)
	for i := range bodies {
		f := float64(i + 1)
		bodies[i] = body{f * 1.5, 10.0 / f, f * f * 0.25, 0.1 * f, 0.2 / f, -0.05 * f, 1.0 / f}
	}
	for ; n > 0; n-- {
		advance(bodies, 0.001)
	}
	for _, b := range bodies {
		fmt.Println(int(math.Round(b.x * 1000000.0)))
	}
}
