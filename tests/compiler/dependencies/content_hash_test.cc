#include "compiler/dependencies/content_hash.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/compiler/temporary_directory.h"

namespace tenure::compiler {
namespace {

namespace fs = std::filesystem;

std::string HashOf(const TemporaryDirectory& here) {
  std::string hash;
  EXPECT_EQ(HashPackage(here.path(), &hash).text(), "");
  return hash;
}

TEST(ContentHash, IsThatOfTheListThatTheDocumentDescribes) {
  const TemporaryDirectory here;
  here.Write("README.md", "hello\n");
  here.Write("src/A.m3", "MODULE A;\n");
  fs::create_symlink("README.md", here / "link");
  // Computed by another program from docs/packages.md.
  EXPECT_EQ(HashOf(here),
            "sha256:fce3f6a2e2079201ab7b9f382a26f12f9e4c38d9b93ee8813b24bcd849b5dfe8");
}

TEST(ContentHash, CountsContentsAndNamesAndNothingElse) {
  const TemporaryDirectory here;
  here.Write("A.m3", "MODULE A;");
  const std::string before = HashOf(here);
  here.Write(".git/HEAD", "x");
  here.Write("tests/.tenure/bin/p", "x");
  fs::create_directory(here / "empty");
  fs::permissions(here / "A.m3", fs::perms::owner_all);
  EXPECT_EQ(HashOf(here), before);
  here.Write("A.m3", "MODULE B;");
  EXPECT_NE(HashOf(here), before);
  here.Write("A.m3", "MODULE A;");
  EXPECT_EQ(HashOf(here), before);
  fs::rename(here / "A.m3", here / "B.m3");
  EXPECT_NE(HashOf(here), before);
}

TEST(ContentHash, RefusesWhatIsNoFile) {
  const TemporaryDirectory here;
  ASSERT_EQ(mkfifo((here / "pipe").c_str(), 0600), 0);
  std::string hash;
  EXPECT_NE(HashPackage(here.path(), &hash).text().find("pipe"), std::string::npos);
  EXPECT_NE(HashPackage(here / "none", &hash).text(), "");
}

}  // namespace
}  // namespace tenure::compiler
