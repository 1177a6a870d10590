#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

static constexpr long kSize = 64;
static std::mutex mutex;
static std::condition_variable not_full, not_empty;
static long queue[kSize], first, count;

int main(int, char** argv) {
  const long numbers = std::atol(argv[1]);
  std::thread producer([&] {
    for (long i = 1; i <= numbers; ++i) {
      {
        std::unique_lock lock(mutex);
        while (count == kSize) not_full.wait(lock);
        queue[(first + count) % kSize] = i;
        ++count;
      }
      not_empty.notify_one();
    }
  });
  long sum = 0;
  for (long i = 1; i <= numbers; ++i) {
    {
      std::unique_lock lock(mutex);
      while (count == 0) not_empty.wait(lock);
      sum += queue[first];
      first = (first + 1) % kSize;
      --count;
    }
    not_full.notify_one();
  }
  producer.join();
  std::printf("%ld\n", sum);
}
