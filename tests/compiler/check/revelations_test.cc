// The revelations of opaque types that units see (docs/language.md 9), and generic instances (21).
#include <gtest/gtest.h>

#include "tests/compiler/check/checked_strings.h"

namespace tenure::compiler {
namespace {

class RevelationsTest : public testing::Test {
 protected:
  RevelationsTest() {
    source.Basics();
    source.Library(
        "Pen.i3",
        "INTERFACE Pen; TYPE T <: Public; Public = OBJECT METHODS draw(x: INTEGER) := Draw END; "
        "PROCEDURE Draw(t: Public; x: INTEGER); END Pen.");
    source.Library("Pen.m3",
                   "MODULE Pen; IMPORT PenRep; PROCEDURE Draw(<*UNUSED*> t: Public; x: INTEGER) = "
                   "BEGIN EVAL x END Draw; BEGIN EVAL PenRep.Dummy END Pen.");
    source.Library("PenRep.i3",
                   "INTERFACE PenRep; IMPORT Pen; CONST Dummy = 1; "
                   "REVEAL Pen.T = Pen.Public BRANDED \"Pen\" OBJECT ink := 0 END; END PenRep.");
  }
  bool Compiles(const std::string& text) {
    source.Package("Main.m3", text);
    program = source.Check();
    return program != nullptr;
  }
  StringSource source;
  std::unique_ptr<Program> program;
};

TEST_F(RevelationsTest, PartlyKnownObjectsHaveKnownMembers) {
  EXPECT_TRUE(Compiles("MODULE Main; IMPORT Pen; VAR p := NEW(Pen.T); BEGIN p.draw(1) END Main."))
      << source.Messages();
}

TEST_F(RevelationsTest, HiddenFieldsAreUnknown) {
  EXPECT_FALSE(
      Compiles("MODULE Main; IMPORT Pen; VAR p := NEW(Pen.T); BEGIN p.ink := 1 END Main."));
}

TEST_F(RevelationsTest, FromImportsRevealNothing) {
  EXPECT_FALSE(
      Compiles("MODULE Main; IMPORT Pen; FROM PenRep IMPORT Dummy; VAR p := NEW(Pen.T); "
               "BEGIN p.ink := Dummy END Main."));
}

TEST_F(RevelationsTest, AnImportBesideFromReveals) {
  EXPECT_TRUE(
      Compiles("MODULE Main; IMPORT Pen; FROM PenRep IMPORT Dummy; IMPORT PenRep; "
               "VAR p := NEW(Pen.T); BEGIN p.ink := Dummy END Main."))
      << source.Messages();
}

TEST_F(RevelationsTest, RevelationsAreNotTransitive) {
  source.Library("Between.i3",
                 "INTERFACE Between; IMPORT PenRep; CONST D = PenRep.Dummy; END Between.");
  EXPECT_FALSE(Compiles(
      "MODULE Main; IMPORT Pen, Between; VAR p := NEW(Pen.T); BEGIN p.ink := Between.D END Main."));
}

TEST_F(RevelationsTest, ConcreteTypesAreFilledIn) {
  ASSERT_TRUE(Compiles(
      "MODULE Main; IMPORT Pen; TYPE S = Pen.T OBJECT x: INTEGER END; VAR s := NEW(S, x := 1); "
      "BEGIN s.draw(1) END Main."))
      << source.Messages();
  const Type* s = FindVariable(FindUnit(*program, "Main"), "s")->type;
  const Type* super = As<ObjectType>(s)->super;
  ASSERT_EQ(super->kind, TypeKind::kOpaque);
  ASSERT_NE(As<OpaqueType>(super)->concrete, nullptr);
  EXPECT_EQ(As<ObjectType>(As<OpaqueType>(super)->concrete)->fields[0].name, "ink");
}

TEST_F(RevelationsTest, CompleteRevelationMakesTypesInterchangeable) {
  EXPECT_TRUE(
      Compiles("MODULE Main; IMPORT Pen; IMPORT PenRep; PROCEDURE P(VAR t: Pen.T) = BEGIN t.ink := "
               "PenRep.Dummy "
               "END P; VAR p: Pen.T; BEGIN P(p) END Main."))
      << source.Messages();
}

TEST_F(RevelationsTest, GenericInstancesAreSeparate) {
  source.Library("Int.i3", "INTERFACE Int; TYPE T = INTEGER; CONST Brand = \"Int\"; END Int.");
  source.Library("Ch.i3", "INTERFACE Ch; TYPE T = CHAR; CONST Brand = \"Ch\"; END Ch.");
  source.Library("Box.ig",
                 "GENERIC INTERFACE Box(E); TYPE T = BRANDED \"Box\" & E.Brand REF E.T; "
                 "PROCEDURE Make(e: E.T): T; EXCEPTION Full; END Box.");
  source.Library(
      "Box.mg",
      "GENERIC MODULE Box(E); PROCEDURE Make(e: E.T): T = VAR t := NEW(T); BEGIN t^ := e; RETURN t "
      "END Make; BEGIN END Box.");
  source.Library("IntBox.i3", "INTERFACE IntBox = Box(Int) END IntBox.");
  source.Library("IntBox.m3", "MODULE IntBox = Box(Int) END IntBox.");
  source.Library("ChBox.i3", "INTERFACE ChBox = Box(Ch) END ChBox.");
  source.Library("ChBox.m3", "MODULE ChBox = Box(Ch) END ChBox.");
  ASSERT_TRUE(
      Compiles("MODULE Main; IMPORT IntBox, ChBox; VAR a := IntBox.Make(1); b := ChBox.Make('c'); "
               "BEGIN a^ := ORD(b^) END Main."))
      << source.Messages();
  EXPECT_EQ(FindProcedure(FindUnit(*program, "IntBox"), "IntBox.Make")->symbol, "IntBox.Make");
  EXPECT_EQ(FindProcedure(FindUnit(*program, "ChBox"), "ChBox.Make")->symbol, "ChBox.Make");
  EXPECT_NE(FindUnit(*program, "IntBox")->content_key, FindUnit(*program, "ChBox")->content_key);
}

TEST_F(RevelationsTest, OneBrandOfTwoTypesIsAnError) {
  source.Library("Box.ig",
                 "GENERIC INTERFACE Box(); TYPE T = BRANDED \"Box\" REF INTEGER; U = BRANDED "
                 "\"Box\" REF CHAR; END Box.");
  source.Library("BoxA.i3", "INTERFACE BoxA = Box() END BoxA.");
  EXPECT_FALSE(Compiles("MODULE Main; IMPORT BoxA; VAR a: BoxA.T; BEGIN a := NIL END Main."));
  EXPECT_NE(source.Messages().find("M0508"), std::string::npos) << source.Messages();
}

TEST_F(RevelationsTest, OneBrandWrittenTwiceIsAnErrorThatNamesBothPlaces) {
  source.Library("One.i3", "INTERFACE One; TYPE T = BRANDED \"same\" REF INTEGER; END One.");
  source.Library("Two.i3", "INTERFACE Two; TYPE T = BRANDED \"same\" REF INTEGER; END Two.");
  EXPECT_FALSE(
      Compiles("MODULE Main; IMPORT One, Two; VAR a: One.T; b: Two.T; BEGIN a := b END Main."));
  const std::string messages = source.Messages();
  EXPECT_NE(messages.find("M0508"), std::string::npos) << messages;
  EXPECT_NE(messages.find("One.i3:1"), std::string::npos) << messages;
  EXPECT_NE(messages.find("Two.i3:1"), std::string::npos) << messages;
}

TEST_F(RevelationsTest, TwoInstancesWithOneBrandAreAnError) {
  source.Library("Cell.ig",
                 "GENERIC INTERFACE Cell(); TYPE T = BRANDED \"Cell\" REF INTEGER; END Cell.");
  source.Library("CellA.i3", "INTERFACE CellA = Cell() END CellA.");
  source.Library("CellB.i3", "INTERFACE CellB = Cell() END CellB.");
  EXPECT_FALSE(Compiles(
      "MODULE Main; IMPORT CellA, CellB; VAR a: CellA.T; b: CellB.T; BEGIN a := b END Main."));
  EXPECT_NE(source.Messages().find("M0508"), std::string::npos) << source.Messages();
}

}  // namespace
}  // namespace tenure::compiler
