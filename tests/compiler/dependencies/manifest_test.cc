#include "compiler/dependencies/manifest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "compiler/dependencies/lock_file.h"
#include "compiler/dependencies/text_file.h"
#include "tests/compiler/temporary_directory.h"

namespace tenure::compiler {
namespace {

Dependency AtPath(const std::string& name, const std::string& path) {
  return {name, path, "", "", "", ""};
}

std::string TextOf(const TemporaryDirectory& here) {
  std::string text;
  EXPECT_EQ(ReadTextFile(here / kManifestName, &text).text(), "");
  return text;
}

TEST(Manifest, SaysNameVersionAndDependencies) {
  const TemporaryDirectory here;
  here.Write(kManifestName, R"([package]
name = "app"
version = "1.2.3-rc.1"
[dependencies]
b = { git = "https://h/b.git", tag = "v1" }
[dependencies.a]
path = "../a"
[overrides]
c = { git = "u", commit = "0123456789012345678901234567890123456789", directory = "d/c" }
)");
  Manifest manifest;
  bool found = false;
  ASSERT_EQ(ReadManifest(here.path(), &manifest, &found).text(), "");
  EXPECT_TRUE(found);
  EXPECT_EQ(manifest.name, "app");
  EXPECT_EQ(manifest.version, "1.2.3-rc.1");
  ASSERT_EQ(manifest.dependencies.size(), 2u);
  EXPECT_EQ(manifest.dependencies[0], AtPath("a", "../a"));
  EXPECT_EQ(manifest.dependencies[1].Version(), "tag v1");
  ASSERT_EQ(manifest.overrides.size(), 1u);
  EXPECT_EQ(manifest.overrides[0].subdirectory, "d/c");
}

TEST(Manifest, AChangeLeavesAllElseAsItWas) {
  const TemporaryDirectory here;
  const std::string head =
      "# about\n[package]\nname = \"app\"  # name\n\n[ dependencies ]  # list\n";
  const std::string tail = "\n[overrides]\n# none\n";
  here.Write(kManifestName, head + "b = { path = \"../b\" }  # b\n" + tail);
  ASSERT_EQ(WriteDependency(here.path(), AtPath("a", "../a b")).text(), "");
  EXPECT_EQ(TextOf(here),
            head + "b = { path = \"../b\" }  # b\na = { path = \"../a b\" }\n" + tail);
  ASSERT_EQ(WriteDependency(here.path(), AtPath("a", "..\\a\"")).text(), "");
  EXPECT_EQ(TextOf(here),
            head + "b = { path = \"../b\" }  # b\na = { path = \"..\\\\a\\\"\" }\n" + tail);
  ASSERT_EQ(RemoveDependency(here.path(), "b").text(), "");
  ASSERT_EQ(RemoveDependency(here.path(), "a").text(), "");
  EXPECT_EQ(TextOf(here), head + tail);
  EXPECT_NE(RemoveDependency(here.path(), "a").text(), "");
}

TEST(Manifest, ADependencyThatIsWrittenInAnotherWayIsNotChanged) {
  for (const std::string text :
       {"[dependencies.a]\npath = \"x\"\n", "dependencies = { a = { path = \"x\" } }\n",
        "dependencies.a = { path = \"x\" }\ndependencies.b = { path = \"y\" }\n"}) {
    const TemporaryDirectory here;
    here.Write(kManifestName, text);
    const std::string problem = WriteDependency(here.path(), AtPath("a", "new")).text();
    if (problem.empty()) {
      Manifest manifest;
      bool found = false;
      EXPECT_EQ(ReadManifest(here.path(), &manifest, &found).text(), "");
      EXPECT_EQ(manifest.dependencies[0], AtPath("a", "new"));
    } else {
      EXPECT_EQ(TextOf(here), text);
    }
  }
}

TEST(Manifest, AChangeKeepsLineEndsAndTheCommentBehindADependency) {
  const TemporaryDirectory here;
  here.Write(kManifestName,
             "[dependencies]\r\na = { path = \"}\" }  # why: \"}\"\r\nb = { path = \"b\" }");
  ASSERT_EQ(WriteDependency(here.path(), AtPath("a", "x")).text(), "");
  ASSERT_EQ(WriteDependency(here.path(), AtPath("c", "y")).text(), "");
  EXPECT_EQ(TextOf(here),
            "[dependencies]\r\na = { path = \"x\" }  # why: \"}\"\r\n"
            "b = { path = \"b\" }\r\nc = { path = \"y\" }\r\n");
}

TEST(Manifest, AChangeKeepsTheModeAndTheLink) {
  const TemporaryDirectory here;
  const std::string file = here.Write("kept/manifest", "[dependencies]\n");
  std::filesystem::permissions(file, std::filesystem::perms(0640));
  std::filesystem::create_symlink("kept/manifest", here / kManifestName);
  ASSERT_EQ(WriteDependency(here.path(), AtPath("a", "x")).text(), "");
  EXPECT_TRUE(std::filesystem::is_symlink(here / kManifestName));
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(TextOf(here), "[dependencies]\na = { path = \"x\" }\n");
}

TEST(Lock, IsReadAsItWasWritten) {
  const TemporaryDirectory here;
  LockedPackage fetched;
  fetched.version = "1.0.0";
  fetched.source = {"a", "", "https://h/\"a\".git", "v1", "", "d"};
  fetched.commit = std::string(40, 'c');
  fetched.hash = "sha256:" + std::string(64, '0');
  fetched.needs = {"b", "c"};
  LockedPackage beside;
  beside.source = AtPath("b", "../b");
  const LockFile lock = {{fetched, beside}};
  here.Write(kLockName, TextOfLock(lock));
  LockFile read;
  bool found = false;
  ASSERT_EQ(ReadLock(here.path(), &read, &found).text(), "");
  EXPECT_TRUE(found);
  ASSERT_EQ(read.packages.size(), 2u);
  EXPECT_EQ(read.packages[0].source, fetched.source);
  EXPECT_EQ(read.packages[0].needs, fetched.needs);
  EXPECT_EQ(read.packages[1].source, beside.source);
  EXPECT_EQ(TextOfLock(read), TextOfLock(lock));
}

TEST(Lock, WithLessThanABuildReliesOnIsRefused) {
  for (const std::string text :
       {"", "format = 9\n", "format = 1\n[[package]]\n", "format = 1\npackage = [1]\n",
        "format = 1\n[[package]]\nname = \"a\"\ngit = \"u\"\ncommit = \"c\"\n", "format = \n"}) {
    const TemporaryDirectory here;
    here.Write(kLockName, text);
    LockFile lock;
    bool found = false;
    EXPECT_NE(ReadLock(here.path(), &lock, &found).text(), "") << text;
  }
}

}  // namespace
}  // namespace tenure::compiler
