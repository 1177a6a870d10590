#include "compiler/doc/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/compiler/temporary_directory.h"

namespace tenure::compiler {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kShape = R"m3((* Shapes. They have an area (see Pair.First).

   A second paragraph, with a < in it. *)
INTERFACE Shape;
IMPORT Pair AS P, IntPair;
FROM Pair IMPORT Other;

TYPE
  T <: Public;  (* opaque *)
  Public = OBJECT a, b: INTEGER; METHODS area(x: Other): P.First; reset() OVERRIDES area := Area END;
  Callback = PROCEDURE (t: T);

CONST Text = "(* no comment *)";
VAR one, two: T;
EXCEPTION Bad(T); Worse;

(* Makes an InternalName of i. *)
PROCEDURE New(i: IntPair.First): T RAISES {Bad};
PROCEDURE InternalName(READONLY a: ARRAY OF T);

END Shape.
)m3";

std::vector<DocumentedInterface> Interfaces() {
  return {{"Shape", "group", kShape},
          {"Pair", "group", "GENERIC INTERFACE Pair(E); TYPE First = E.T; Other = E.T; END Pair."},
          {"IntPair", "group", "INTERFACE IntPair = Pair(Integer) END IntPair."}};
}

std::string Page(const std::string& file) {
  for (const DocumentationPage& page : MakeDocumentation(Interfaces())) {
    if (page.file == file) return page.contents;
  }
  return "";
}

TEST(DocumentTest, DeclarationsAreTargetsAndCanBeSearched) {
  const std::string page = Page("Shape.html");
  const std::string names = Page("names.js");
  for (const char* name : {"T", "Public", "Public.area", "Public.reset", "Callback", "Text", "one",
                           "two", "Bad", "Worse", "New", "InternalName"}) {
    EXPECT_THAT(page, HasSubstr(" id=\"" + std::string(name) + "\">"));
    EXPECT_THAT(names, HasSubstr("['Shape." + std::string(name) + "', 'Shape.html#" + name + "']"));
  }
  for (const char* name : {"a", "b", "t", "i", "Area", "Shape"}) {
    EXPECT_THAT(page, Not(HasSubstr(" id=\"" + std::string(name) + "\">")));
  }
}

TEST(DocumentTest, NamesAreLinkedToWhereTheyAreDeclared) {
  const std::string page = Page("Shape.html");
  EXPECT_THAT(page, HasSubstr(">P</a>.<a href=\"Pair.html#First\">First</a>"));  // IMPORT AS
  EXPECT_THAT(page, HasSubstr("x: <a href=\"Pair.html#Other\">Other</a>"));      // FROM
  EXPECT_THAT(page, HasSubstr("<a href=\"Pair.html#First\">First</a>): "));      // of an instance
  EXPECT_THAT(page, HasSubstr("{<a href=\"Shape.html#Bad\">Bad</a>}"));          // its own
}

TEST(DocumentTest, CommentsBetweenDeclarationsBecomeText) {
  const std::string page = Page("Shape.html");
  EXPECT_THAT(page,
              HasSubstr("<p>Shapes. They have an area (see <a href=\"Pair.html#First\">"
                        "Pair.First</a>).</p>\n<p>A second paragraph, with a &lt; in it.</p>"));
  EXPECT_THAT(page, HasSubstr("<p>Makes an <a href=\"Shape.html#InternalName\">"));
  EXPECT_THAT(page, HasSubstr("<span class=\"c\">(* opaque *)</span>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"l\">&quot;(* no comment *)&quot;</span>"));
}

TEST(DocumentTest, IndexHasTheFirstSentence) {
  EXPECT_THAT(Page("index.html"), HasSubstr("<h2>group</h2>"));
  EXPECT_THAT(Page("index.html"),
              HasSubstr("<a href=\"Shape.html\">Shape</a></td><td>Shapes.</td>"));
}

TEST(DocumentTest, DamagedSourceDoesNotHarm) {
  for (const char* text : {"", "INTERFACE", "(* never closed", "TYPE = ; \"open\n END END ) ] }",
                           "'\\", "PROCEDURE PROCEDURE (", "<* x"}) {
    EXPECT_FALSE(MakeDocumentation({{"X", "g", text}}).empty());
  }
}

TEST(DocumentTest, PackageHidesTheLibrary) {
  TemporaryDirectory directory;
  const std::filesystem::path root = directory.path();
  for (const char* file : {"library/io/A.i3", "library/io/B.ig", "package/src/A.i3",
                           "package/.hidden/C.i3", "package/M.m3"}) {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << "(* From " << file << ". *) INTERFACE X; END X.";
  }
  const std::string output = (root / "out/pages").string();
  ASSERT_EQ(WriteDocumentation((root / "library").string(), (root / "package").string(), output),
            "");
  std::ifstream file(output + "/A.html");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_THAT(page, HasSubstr("From package/src/A.i3."));
  EXPECT_TRUE(std::filesystem::exists(output + "/B.html"));
  EXPECT_FALSE(std::filesystem::exists(output + "/C.html"));
  EXPECT_FALSE(std::filesystem::exists(output + "/M.html"));
  EXPECT_THAT(WriteDocumentation((root / "none").string(), "", output), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace tenure::compiler
