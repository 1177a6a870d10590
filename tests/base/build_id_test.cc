#include "base/build_id.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "base/executable_path.h"

namespace tenure {
namespace {

TEST(BuildId, IsWhatToolsFindInTheFile) {
  FILE* tool = popen(("readelf -n '" + ExecutablePath() + "'").c_str(), "r");
  ASSERT_NE(tool, nullptr);
  std::string said;
  std::array<char, 256> part;
  while (fgets(part.data(), part.size(), tool) != nullptr) said += part.data();
  ASSERT_EQ(pclose(tool), 0);
  const std::string id = BuildId();
  ASSERT_FALSE(id.empty());
  EXPECT_NE(said.find("Build ID: " + id + "\n"), std::string::npos) << said;
}

}  // namespace
}  // namespace tenure
