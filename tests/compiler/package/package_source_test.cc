#include "compiler/package/package_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/package/installation.h"
#include "tests/compiler/temporary_directory.h"

namespace tenure::compiler {
namespace {

namespace fs = std::filesystem;

class PackageTest : public testing::Test {
 protected:
  PackageTest() {
    fs::create_directory(here / "lib");
    fs::create_directory(here / "app");
  }

  std::string Open(const std::string& path) {
    return package.Open(path, here / "lib", diagnostics).text();
  }
  std::string OpenApp() { return Open(here / "app"); }

  static std::string NameOf(const SourceFile* file) {
    return file == nullptr ? "(none)" : fs::path(std::string(file->path())).filename().string();
  }
  std::vector<std::string> UnitNames() {
    std::vector<std::string> names;
    for (const SourceFile* file : package.PackageUnits()) names.push_back(NameOf(file));
    return names;
  }
  // The name as the package's own units mean it.
  const SourceFile* Interface(std::string_view name) {
    return package.Interface(name, package.PackageUnits()[0]);
  }
  std::vector<std::string> Exporters(std::string_view interface) {
    std::vector<std::string> names;
    const SourceFile* file = Interface(interface);
    for (const SourceFile* module : package.ModulesExporting(interface, file))
      names.push_back(NameOf(module));
    return names;
  }
  // Makes a library of one module with this text; returns which of the given interfaces the module
  // is found to export.
  std::vector<std::string> ExportsOf(const std::string& text,
                                     const std::vector<std::string>& candidates) {
    TemporaryDirectory library;
    library.Write("Module.m3", text);
    here.Write("app/Main.m3", "");
    PackageSource source;
    EXPECT_EQ(source.Open(here / "app", library.path(), diagnostics).text(), "");
    std::vector<std::string> exported;
    for (const std::string& interface : candidates) {
      if (!source.ModulesExporting(interface, nullptr).empty()) exported.push_back(interface);
    }
    return exported;
  }

  TemporaryDirectory here;
  Diagnostics diagnostics;
  PackageSource package;
};

using Names = std::vector<std::string>;

TEST_F(PackageTest, ADirectorysSourcesAreThePackage) {
  here.Write("app/Main.m3", "MODULE Main;");
  here.Write("app/B.i3", "INTERFACE B;");
  here.Write("app/A.m3", "MODULE A;");
  here.Write("app/G.ig", "GENERIC INTERFACE G();");
  here.Write("app/G.mg", "GENERIC MODULE G();");
  here.Write("app/notes.txt", "");
  here.Write("app/Main.m3.orig", "");
  here.Write("app/deeper/C.m3", "MODULE C;");
  ASSERT_EQ(OpenApp(), "");
  EXPECT_EQ(package.name(), "app");
  EXPECT_EQ(package.directory(), here / "app");
  EXPECT_EQ(UnitNames(), (Names{"A.m3", "B.i3", "Main.m3"}));
  EXPECT_EQ(NameOf(Interface("B")), "B.i3");
  EXPECT_EQ(Interface("B")->text(), "INTERFACE B;");
  EXPECT_EQ(NameOf(package.GenericInterface("G", package.PackageUnits()[0])), "G.ig");
  EXPECT_EQ(NameOf(package.GenericModule("G", package.PackageUnits()[0])), "G.mg");
  EXPECT_EQ(Interface("C"), nullptr);
  EXPECT_EQ(Interface("A"), nullptr);
  EXPECT_EQ(package.problem().text(), "");
}

TEST_F(PackageTest, AFileIsReadOnce) {
  here.Write("app/B.i3", "INTERFACE B;");
  ASSERT_EQ(OpenApp(), "");
  EXPECT_EQ(Interface("B"), Interface("B"));
  EXPECT_EQ(package.PackageUnits()[0], Interface("B"));
}

TEST_F(PackageTest, TheFolderSrcIsUsedWhenTheDirectoryHasNoSources) {
  here.Write("app/src/Main.m3", "MODULE Main;");
  ASSERT_EQ(OpenApp(), "");
  EXPECT_EQ(package.name(), "app");
  EXPECT_EQ(package.directory(), here / "app");
  EXPECT_EQ(UnitNames(), (Names{"Main.m3"}));
}

TEST_F(PackageTest, OneModuleMayBeAPackage) {
  here.Write("app/Hello.m3", "MODULE Hello EXPORTS Main;");
  here.Write("app/Other.m3", "MODULE Other;");
  ASSERT_EQ(Open(here / "app/Hello.m3"), "");
  EXPECT_EQ(package.name(), "Hello");
  EXPECT_EQ(package.directory(), here / "app");
  EXPECT_EQ(UnitNames(), (Names{"Hello.m3"}));
}

TEST_F(PackageTest, RelativePathsAreShownAsTheyWereGiven) {
  here.Write("app/Main.m3", "MODULE Main;");
  const fs::path before = fs::current_path();
  fs::current_path(here / "app");
  PackageSource dot;
  EXPECT_EQ(dot.Open(".", here / "lib", diagnostics).text(), "");
  EXPECT_EQ(dot.PackageUnits()[0]->path(), "Main.m3");
  EXPECT_EQ(dot.name(), "app");
  fs::current_path(here.path());
  EXPECT_EQ(Open("app/"), "");
  EXPECT_EQ(package.PackageUnits()[0]->path(), "app/Main.m3");
  EXPECT_EQ(package.name(), "app");
  fs::current_path(before);
}

TEST_F(PackageTest, WhatIsNoPackageIsRefusedWithAReason) {
  auto refuses = [&](const std::string& path, const std::string& why) {
    PackageSource source;
    const std::string problem = source.Open(path, here / "lib", diagnostics).text();
    EXPECT_NE(problem.find(why), std::string::npos) << path << ": " << problem;
  };
  refuses(here / "nowhere", "does not exist");
  refuses(here / "app", "no Modula-3 sources");
  refuses(here.Write("text.txt", ""), "neither a directory nor a .m3 file");
  refuses(here.Write("I.i3", ""), "neither a directory nor a .m3 file");
  fs::create_directory(here / "Dir.m3");
  refuses(here / "Dir.m3", "no Modula-3 sources");
  here.Write("app/Main.m3", "");
  PackageSource source;
  EXPECT_NE(
      source.Open(here / "app", here / "no-library", diagnostics).text().find("standard library"),
      std::string::npos);
}

TEST_F(PackageTest, WhatCannotBeReadIsAProblemAndNotACrash) {
  here.Write("app/Main.m3", "MODULE Main;");
  ASSERT_EQ(OpenApp(), "");
  fs::remove(here / "app/Main.m3");
  ASSERT_EQ(package.PackageUnits().size(), 1u);
  EXPECT_NE(package.problem().text().find("Main.m3"), std::string::npos);
}

TEST_F(PackageTest, ADirectoryThatCannotBeReadIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  chmod((here / "app").c_str(), 0);
  EXPECT_NE(OpenApp().find("cannot read"), std::string::npos);
  chmod((here / "app").c_str(), 0700);
}

TEST_F(PackageTest, TheLibraryIsFoundInAllItsFolders) {
  here.Write("lib/core/Text.i3", "INTERFACE Text;");
  here.Write("lib/io/deep/Wr.i3", "INTERFACE Wr;");
  here.Write("app/Main.m3", "");
  ASSERT_EQ(OpenApp(), "");
  EXPECT_EQ(NameOf(Interface("Text")), "Text.i3");
  EXPECT_EQ(NameOf(Interface("Wr")), "Wr.i3");
  EXPECT_EQ(UnitNames(), (Names{"Main.m3"}));
  EXPECT_TRUE(package.IsLibraryFile(Interface("Wr")));
  EXPECT_FALSE(package.IsLibraryFile(package.PackageUnits()[0]));
  EXPECT_FALSE(package.IsLibraryFile(nullptr));
}

TEST_F(PackageTest, ThePackagesUnitsHideTheLibrarys) {
  here.Write("lib/Text.i3", "INTERFACE Text; (* library *)");
  here.Write("lib/Text.m3", "MODULE Text;");
  here.Write("app/Text.i3", "INTERFACE Text; (* mine *)");
  here.Write("app/Main.m3", "");
  ASSERT_EQ(OpenApp(), "");
  EXPECT_EQ(Interface("Text")->text(), "INTERFACE Text; (* mine *)");
  EXPECT_FALSE(package.IsLibraryFile(Interface("Text")));
  // The library's module implements the library's interface, not this one.
  EXPECT_EQ(Exporters("Text"), Names{});
  // The library still sees its own interface.
  const SourceFile* library = package.Interface("Text", nullptr);
  EXPECT_EQ(library->text(), "INTERFACE Text; (* library *)");
  ASSERT_EQ(package.ModulesExporting("Text", library).size(), 1u);
  EXPECT_EQ(package.LinkPrefix(library), "");
  EXPECT_EQ(package.LinkPrefix(Interface("Text")), "program:");
}

TEST_F(PackageTest, ModulesAreFoundByWhatTheyExport) {
  here.Write("lib/Text.i3", "INTERFACE Text;");
  here.Write("lib/TextF.i3", "INTERFACE TextF;");
  here.Write("lib/Text.m3", "MODULE Text EXPORTS Text, TextF;");
  here.Write("lib/TextSub.m3", "MODULE TextSub EXPORTS Text;");
  here.Write("lib/Fmt.m3", "UNSAFE MODULE Fmt;");
  here.Write("app/Main.m3", "MODULE Main;");
  ASSERT_EQ(OpenApp(), "");
  EXPECT_EQ(Exporters("Text"), (Names{"Text.m3", "TextSub.m3"}));
  EXPECT_EQ(Exporters("TextF"), (Names{"Text.m3"}));
  EXPECT_EQ(Exporters("Fmt"), (Names{"Fmt.m3"}));
  EXPECT_EQ(Exporters("TextSub"), Names{});
  EXPECT_EQ(Exporters("Main"), Names{});
}

TEST_F(PackageTest, HeadingsAreReadPastCommentsAndPragmas) {
  const Names all = {"A", "B", "C", "Module", "MODULE"};
  EXPECT_EQ(ExportsOf("(* MODULE A (* nested *) EXPORTS B; *) MODULE C;", all), (Names{"C"}));
  EXPECT_EQ(ExportsOf("<*PRAGMA MODULE A*> UNSAFE (* x *) MODULE M EXPORTS A (*,*) , B;", all),
            (Names{"A", "B"}));
  EXPECT_EQ(ExportsOf("MODULE A EXPORTS B = G(C) END A.", all), (Names{"B"}));
  EXPECT_EQ(ExportsOf("MODULE A = G(B) END A.", all), (Names{"A"}));
  EXPECT_EQ(ExportsOf("GENERIC MODULE A(B);", all), Names{});
  EXPECT_EQ(ExportsOf("INTERFACE A;", all), Names{});
  EXPECT_EQ(ExportsOf("MODULE", all), Names{});
  EXPECT_EQ(ExportsOf("(* never closed MODULE A;", all), Names{});
  EXPECT_EQ(ExportsOf("", all), Names{});
}

TEST(InstallationTest, TheTestsOwnPlaceIsNoInstallation) {
  Installation installation;
  const std::string problem = FindInstallation(&installation).text();
  // If a whole build lies beside the test's executable, all parts must be found.
  if (!problem.empty()) {
    EXPECT_NE(problem.find("missing"), std::string::npos) << problem;
    return;
  }
  EXPECT_TRUE(fs::is_directory(installation.library_directory)) << installation.library_directory;
  EXPECT_TRUE(fs::exists(installation.runtime_archive)) << installation.runtime_archive;
}

}  // namespace
}  // namespace tenure::compiler
