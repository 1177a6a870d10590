package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

const size = 200

func times(a, b, c [][]float64) {
	for i := range a {
		for j := range b[0] {
			sum := 0.0
			for k := range b {
				sum += a[i][k] * b[k][j]
			}
			c[i][j] = sum
		}
	}
}

func matrix() [][]float64 {
	m := make([][]float64, size)
	for i := range m {
		m[i] = make([]float64, size)
	}
	return m
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	a, b, c := matrix(), matrix(), matrix()
	for i := range a {
		for j := range a[i] {
			a[i][j] = float64(i + j)
			b[i][j] = float64(i - j)
		}
	}
	sum := 0.0
	for round := 1; round <= rounds; round++ {
		times(a, b, c)
		sum += c[round%size][7]
	}
	fmt.Println(int(math.Round(sum)))
}
