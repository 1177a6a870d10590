#include "base/standard_error.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

namespace tenure {
namespace {

TEST(StandardErrorTest, MoreThanAPipeHoldsArrives) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(STDERR_FILENO);
  ASSERT_EQ(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
  close(ends[1]);
  const std::string text(300'000, 'x');
  std::string read_text;
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
      read_text.append(buffer, static_cast<size_t>(count));
    }
  });
  WriteToStandardError(text);
  dup2(saved, STDERR_FILENO);
  reader.join();
  close(saved);
  close(ends[0]);
  EXPECT_EQ(read_text, text);
}

TEST(StandardErrorTest, ARefusalEndsIt) {
  const int saved = dup(STDERR_FILENO);
  close(STDERR_FILENO);
  WriteToStandardError("nobody reads this");
  dup2(saved, STDERR_FILENO);
  close(saved);
}

}  // namespace
}  // namespace tenure
