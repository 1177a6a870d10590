#include "compiler/format/unified_diff.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <vector>

namespace tenure::compiler {
namespace {

TEST(UnifiedDiffTest, EqualTextsHaveNone) {
  EXPECT_EQ(UnifiedDiff("a", "", ""), "");
  EXPECT_EQ(UnifiedDiff("a", "x\ny", "x\ny"), "");
}

TEST(UnifiedDiffTest, ShowsThreeLinesAroundAChange) {
  EXPECT_EQ(UnifiedDiff("A.m3", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- A.m3\n+++ A.m3\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiffTest, ChangesFarApartAreHunks) {
  EXPECT_EQ(UnifiedDiff("A", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\nb\nc\n"),
            "--- A\n+++ A\n@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -7,3 +6,4 @@\n 6\n 7\n b\n+c\n");
}

TEST(UnifiedDiffTest, TellsOfAMissingLastLineEnd) {
  EXPECT_EQ(UnifiedDiff("A", "x", "x\n"),
            "--- A\n+++ A\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  EXPECT_EQ(UnifiedDiff("A", "", "x\n"), "--- A\n+++ A\n@@ -0,0 +1 @@\n+x\n");
}

// Applies the hunks as `patch` does.
std::string Patched(const std::string& before, const std::string& diff) {
  std::vector<std::string> old;
  std::istringstream source(before), stream(diff);
  for (std::string line; std::getline(source, line);) old.push_back(line);
  std::string out;
  size_t at = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("---") || line.starts_with("+++")) continue;
    if (line.starts_with("@@")) {
      const size_t comma = line.find_first_of(", ", 4);
      const bool is_empty = line.substr(comma, 3) == ",0 ";
      const size_t first = std::stoul(line.substr(4)) - (is_empty ? 0 : 1);
      while (at < first) out += old[at++] + "\n";
    } else if (line[0] == '+') {
      out += line.substr(1) + "\n";
    } else {
      EXPECT_EQ(line.substr(1), old.at(at));
      if (line[0] == ' ') out += old[at] + "\n";
      ++at;
    }
  }
  while (at < old.size()) out += old[at++] + "\n";
  return out;
}

TEST(UnifiedDiffTest, RandomTextsArePatched) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    const auto text = [&] {
      std::string lines;
      for (unsigned i = random() % 40; i > 0; --i)
        lines += std::string(1, "abcd"[random() % 4]) + "\n";
      return lines;
    };
    const std::string before = text(), after = text();
    EXPECT_EQ(Patched(before, UnifiedDiff("x", before, after)), after) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tenure::compiler
