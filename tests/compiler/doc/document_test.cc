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

constexpr const char* kPair = R"m3((* Pairs of an E. *)
GENERIC INTERFACE Pair(E);
TYPE
  First = E.T;
  Other = E.T;
  T = OBJECT METHODS swap(); compare(READONLY a: E.T): BOOLEAN END;
END Pair.
)m3";

constexpr const char* kSorted = R"m3(INTERFACE Sorted;
IMPORT IntPair;
TYPE
  T <: Public;  (* keeps a secret order *)
  Public = IntPair.T OBJECT METHODS
    sort();

    (* Not a type of its own. *)
    stop();
  END;

(* Sorts everything.

   Like this:

       MODULE Main; IMPORT Sorted;
       BEGIN Sorted.All(2 < 3) END Main.

   And so on. *)
PROCEDURE All(b: BOOLEAN);
END Sorted.
)m3";

constexpr const char* kSortedModule = R"m3(MODULE Sorted;
IMPORT Shape;

PROCEDURE All(b: BOOLEAN) =
  BEGIN END All;

BEGIN END Sorted.
)m3";

std::vector<DocumentedUnit> Interfaces() {
  return {{"Shape", "group", kShape, "Shape.i3"},
          {"Pair", "group", kPair, "Pair.ig"},
          {"Integer", "group", "INTERFACE Integer; TYPE T = INTEGER; END Integer.", "Integer.i3"},
          {"IntPair", "group", "INTERFACE IntPair = Pair(Integer) END IntPair.", "IntPair.i3"},
          {"Sorted", "group", kSorted, "Sorted.i3"}};
}

std::vector<DocumentedUnit> Modules() {
  return {{"Sorted", "group", kSortedModule, "Sorted.m3"},
          {"Tool", "group", "MODULE Tool EXPORTS Main; IMPORT Sorted; BEGIN END Tool.", "Tool.m3"}};
}

std::string Page(const std::string& file, const Site& site = {}) {
  for (const DocumentationPage& page : MakeDocumentation(Interfaces(), Modules(), site)) {
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
  EXPECT_THAT(page, HasSubstr("<a href=\"IntPair.html#First\">First</a>): "));   // of an instance
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

TEST(DocumentTest, AnInstanceHasTheDeclarationsOfItsGeneric) {
  const std::string page = Page("IntPair.html");
  EXPECT_THAT(page, HasSubstr("An instance of the generic <a href=\"Pair.html\">Pair</a> with E = "
                              "<a href=\"Integer.html\">Integer</a>"));
  EXPECT_THAT(page, HasSubstr("<p>Pairs of an E.</p>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"d\" id=\"T.swap\">"));
  EXPECT_THAT(page,
              HasSubstr("<a href=\"Integer.html\">Integer</a>.<a href=\"Integer.html#T\">T</a>"));
  EXPECT_THAT(page, Not(HasSubstr(" = E.")));
  EXPECT_THAT(page, Not(HasSubstr("GENERIC")));
  EXPECT_THAT(Page("names.js"), HasSubstr("['IntPair.T.swap', 'IntPair.html#T.swap']"));
  EXPECT_THAT(Page("index.html"), HasSubstr("An instance: Pair(Integer)."));
}

TEST(DocumentTest, InheritedMethodsAreListedBelowTheTypes) {
  const std::string page = Page("Sorted.html");
  const std::string from_pair =
      "<a href=\"IntPair.html#T.swap\">swap</a>, <a href=\"IntPair.html#T.compare\">compare</a> "
      "(of "
      "<a href=\"IntPair.html#T\">IntPair.T</a>)";
  EXPECT_THAT(page, HasSubstr("T inherits <a href=\"Sorted.html#Public.sort\">sort</a>, <a "
                              "href=\"Sorted.html#Public.stop\">stop</a> (of <a "
                              "href=\"Sorted.html#Public\">Public</a>), " +
                              from_pair));
  EXPECT_THAT(page, HasSubstr("Public inherits " + from_pair));
  // A blank line in a type's declaration does not end the declaration.
  EXPECT_LT(page.find("id=\"Public.stop\""), page.find("T inherits"));
}

TEST(DocumentTest, ATypeThatIsItsOwnSupertypeEnds) {
  const auto pages =
      MakeDocumentation({{"X", "g",
                          "INTERFACE X; TYPE A = B OBJECT END; B = A OBJECT METHODS m() "
                          "END; END X.",
                          ""}});
  EXPECT_FALSE(pages.empty());
}

TEST(DocumentTest, APageSaysWhoUsesTheInterface) {
  EXPECT_THAT(Page("IntPair.html"), HasSubstr("Used by</h2>\n<p><a href=\"Shape.html\">Shape</a>, "
                                              "<a href=\"Sorted.html\">Sorted</a></p>"));
  EXPECT_THAT(Page("Sorted.html"),
              HasSubstr("<p>module <a href=\"source/Tool.m3.html\">Tool</a></p>"));
  // A module of an interface's name counts as the interface if both use it.
  EXPECT_THAT(Page("Shape.html"),
              HasSubstr("<p>module <a href=\"source/Sorted.m3.html\">Sorted</a></p>"));
  EXPECT_THAT(Page("Integer.html"), HasSubstr("<a href=\"IntPair.html\">IntPair</a>"));
}

TEST(DocumentTest, NamesLeadToTheirSources) {
  const std::string page = Page("Sorted.html");
  EXPECT_THAT(page, HasSubstr("Source: <a href=\"source/Sorted.i3.html\">Sorted.i3</a> <a "
                              "href=\"source/Sorted.m3.html\">Sorted.m3</a>"));
  EXPECT_THAT(page, HasSubstr("id=\"All\"><a href=\"source/Sorted.m3.html#L4\">All</a>"));
  EXPECT_THAT(page, HasSubstr("id=\"Public\"><a href=\"source/Sorted.i3.html#L5\">Public</a>"));
  EXPECT_THAT(Page("IntPair.html"), HasSubstr("<a href=\"source/Pair.ig.html#L4\">First</a>"));
  EXPECT_THAT(Page("source/Sorted.m3.html"),
              HasSubstr("<span id=\"L4\"><span class=\"k\">PROCEDURE</span> All("));
}

TEST(DocumentTest, WordsOfCommentsCanBeSearched) {
  const std::string comments = Page("comments.js");
  EXPECT_THAT(comments, HasSubstr("[\"Sorted.T\", \"Sorted.html#T\", \"keeps a secret order\"]"));
  EXPECT_THAT(comments,
              HasSubstr("[\"Sorted.All\", \"Sorted.html#All\", \"Sorts everything. Like"));
  EXPECT_THAT(comments, HasSubstr("[\"Shape\", \"Shape.html\", \"Shapes. They have an area"));
  EXPECT_THAT(comments, HasSubstr("a \\x3c in it"));
  EXPECT_THAT(Page("Sorted.html"), HasSubstr("<script src=\"comments.js\">"));
  EXPECT_THAT(Page("source/Sorted.m3.html"), HasSubstr("<script src=\"../comments.js\">"));
}

TEST(DocumentTest, IndentedLinesOfCommentsAreCode) {
  EXPECT_THAT(
      Page("Sorted.html"),
      HasSubstr("<p>Like this:</p>\n<pre>MODULE Main; IMPORT Sorted;\nBEGIN Sorted.All(2 &lt; "
                "3) END Main.</pre>\n<p>And so on.</p>"));
}

TEST(DocumentTest, LinesOfCommentsBehindABarAreCode) {
  const auto pages = MakeDocumentation(
      {{"X", "g",
        "(* Like this:\n\n   | BEGIN\n   |   x\n   |\n   | END\n\n   Or so. *) INTERFACE X; END X.",
        ""}});
  EXPECT_THAT(pages[0].contents,
              HasSubstr("<p>Like this:</p>\n<pre>BEGIN\n  x\n\nEND</pre>\n<p>Or so.</p>"));
}

TEST(DocumentTest, CommentsMayBeUtf8OrLatin1) {
  for (const char* text :
       {"(* caf\xC3\xA9 *) INTERFACE X; END X.", "(* caf\xE9 *) INTERFACE X; END X."}) {
    for (const DocumentationPage& page : MakeDocumentation({{"X", "g", text, "X.i3"}})) {
      if (page.file == "X.html" || page.file == "comments.js") {
        EXPECT_THAT(page.contents, HasSubstr("caf\xC3\xA9"));
      }
    }
  }
}

TEST(DocumentTest, PagesMayLinkToAGuide) {
  EXPECT_THAT(Page("Shape.html", {"../guide.html"}),
              HasSubstr("<a href=\"../guide.html\">Guide</a>"));
  EXPECT_THAT(Page("source/Shape.i3.html", {"../guide.html"}),
              HasSubstr("<a href=\"../../guide.html\">Guide</a>"));
  EXPECT_THAT(Page("Shape.html"), Not(HasSubstr("Guide")));
}

TEST(DocumentTest, AFolderWithSourcesIsAPackage) {
  TemporaryDirectory directory;
  const std::filesystem::path root = directory.path();
  for (const char* file : {"a/A.i3", "b/src/m3makefile", "c/notes.txt", "c/deeper/A.i3"}) {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << "x";
  }
  EXPECT_TRUE(IsPackage((root / "a").string()));
  EXPECT_TRUE(IsPackage((root / "b").string()));
  EXPECT_FALSE(IsPackage((root / "c").string()));
  EXPECT_FALSE(IsPackage((root / "none").string()));
}

TEST(DocumentTest, IndexHasTheFirstSentence) {
  EXPECT_THAT(Page("index.html"), HasSubstr("<h2>group</h2>"));
  EXPECT_THAT(Page("index.html"),
              HasSubstr("<a href=\"Shape.html\">Shape</a></td><td>Shapes.</td>"));
}

TEST(DocumentTest, DamagedSourceDoesNotHarm) {
  for (const char* text : {"", "INTERFACE", "(* never closed", "TYPE = ; \"open\n END END ) ] }",
                           "'\\", "PROCEDURE PROCEDURE (", "<* x"}) {
    EXPECT_FALSE(MakeDocumentation({{"X", "g", text, "X.i3"}}, {{"X", "g", text, "X.m3"}}).empty());
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
  EXPECT_TRUE(std::filesystem::exists(output + "/source/M.m3.html"));
  EXPECT_THAT(WriteDocumentation((root / "none").string(), "", output), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace tenure::compiler
