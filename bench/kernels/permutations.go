package main

import (
	"fmt"
	"os"
	"strconv"
)

func run(n int) (int, int) {
	p, q, s := make([]int, n), make([]int, n), make([]int, n)
	sign, most, checksum := 1, 0, 0
	for k := range p {
		p[k], s[k] = k, k
	}
	for {
		first := p[0]
		if first != 0 {
			for k := 1; k < n; k++ {
				q[k] = p[k]
			}
			flips := 1
			for q[first] != 0 {
				t := q[first]
				q[first] = first
				if first > 2 {
					for i, j := 1, first-1; i < j; i, j = i+1, j-1 {
						q[i], q[j] = q[j], q[i]
					}
				}
				first = t
				flips++
			}
			checksum += sign * flips
			if flips > most {
				most = flips
			}
		}
		if sign == 1 {
			p[0], p[1] = p[1], p[0]
			sign = -1
		} else {
			p[1], p[2] = p[2], p[1]
			sign = 1
			i := 2
			for {
				if s[i] != 0 {
					s[i]--
					break
				}
				if i == n-1 {
					return checksum, most
				}
				s[i] = i
				t := p[0]
				for k := 0; k <= i; k++ {
					p[k] = p[k+1]
				}
				i++
				p[i] = t
			}
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	checksum, most := run(n)
	fmt.Println(checksum, most)
}
