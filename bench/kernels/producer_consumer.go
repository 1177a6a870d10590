package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

const size = 64

func main() {
	numbers, _ := strconv.Atoi(os.Args[1])
	var mutex sync.Mutex
	notFull, notEmpty := sync.NewCond(&mutex), sync.NewCond(&mutex)
	var queue [size]int
	first, count := 0, 0
	done := make(chan bool)
	go func() {
		for i := 1; i <= numbers; i++ {
			mutex.Lock()
			for count == size {
				notFull.Wait()
			}
			queue[(first+count)%size] = i
			count++
			mutex.Unlock()
			notEmpty.Signal()
		}
		done <- true
	}()
	sum := 0
	for i := 1; i <= numbers; i++ {
		mutex.Lock()
		for count == 0 {
			notEmpty.Wait()
		}
		sum += queue[first]
		first = (first + 1) % size
		count--
		mutex.Unlock()
		notFull.Signal()
	}
	<-done
	fmt.Println(sum)
}
