#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

int main(int, char** argv) {
  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
  std::thread thread([&] {
    std::unique_lock lock(mutex);
    while (!done) condition.wait(lock);
  });
  size_t letters = 0, length = 0;
  for (long n = std::atol(argv[1]); n > 0; --n) {
    std::FILE* in = std::fopen(argv[2], "r");
    std::string out;
    for (int c; (c = std::getc(in)) != EOF;) {
      if ('a' <= c && c <= 'z') {
        ++letters;
        out += static_cast<char>(c);
      }
    }
    length += out.size();
    std::fclose(in);
  }
  {
    std::lock_guard lock(mutex);
    done = true;
  }
  condition.notify_one();
  thread.join();
  std::printf("%zu %zu\n", letters, length);
}
