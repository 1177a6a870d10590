#include "compiler/driver/object_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <set>

#include "tests/compiler/temporary_directory.h"

namespace tenure::compiler {
namespace {

namespace fs = std::filesystem;

// A program of interface I with the opaque type I.T, revealed by module I; interface J that imports
// I; interface K alone; and Main, that imports J and K.
class SampleProgram {
 public:
  SampleProgram() {
    program_.name = "sample";
    i_ = Unit("I", true, {});
    j_ = Unit("J", true, {i_});
    k_ = Unit("K", true, {});
    main_ = Unit("Main", false, {j_, k_});
    for (OpaqueType** opaque : {&t_, &u_}) {
      *opaque = program_.types.New<OpaqueType>();
      (*opaque)->bound = program_.types.refany;
    }
    t_->name = "I.T";
    u_->name = "K.U";
    t_->concrete = Branded("t", program_.types.integer);
    u_->concrete = Branded("u", program_.types.integer);
  }

  RefType* Branded(const char* brand, Type* referent) {
    auto* ref = program_.types.New<RefType>();
    ref->brand = brand;
    ref->referent = referent;
    return ref;
  }

  Program program_;
  CheckedUnit *i_, *j_, *k_, *main_;
  OpaqueType *t_, *u_;

 private:
  CheckedUnit* Unit(const char* name, bool is_interface, std::vector<CheckedUnit*> imports) {
    auto* unit = program_.Make<CheckedUnit>();
    unit->name = name;
    unit->is_interface = is_interface;
    unit->imports = std::move(imports);
    unit->content_key = std::hash<std::string>()(name);
    program_.units.push_back(unit);
    return unit;
  }
};

class ObjectCacheTest : public testing::Test {
 protected:
  // All paths that a build of the program asks for, by unit; "" is the program.
  std::map<std::string, std::string> Paths(const SampleProgram& sample, uint64_t options_key = 1) {
    const ProgramLayout layout(sample.program_);
    ObjectCache cache(sample.program_, layout, optimize_, options_key, here / "objects",
                      here / "library");
    std::map<std::string, std::string> paths;
    for (const CheckedUnit* unit : sample.program_.units) paths[unit->name] = cache.PathFor(*unit);
    paths[""] = cache.PathForProgram();
    return paths;
  }
  // The units whose object files change after a change of the source; "" is the program.
  std::set<std::string> Changed(const std::function<void(SampleProgram&)>& change) {
    SampleProgram before, after;
    change(after);
    const auto old_paths = Paths(before), new_paths = Paths(after);
    std::set<std::string> changed;
    for (const auto& [name, path] : old_paths) {
      if (new_paths.at(name) != path) changed.insert(name);
    }
    return changed;
  }

  TemporaryDirectory here;
  bool optimize_ = true;
};

using Units = std::set<std::string>;

TEST_F(ObjectCacheTest, NothingChangedNothingCompiled) {
  EXPECT_EQ(Changed([](SampleProgram&) {}), Units{});
}

TEST_F(ObjectCacheTest, AChangedSourceChangesItsUnitAndTheProgram) {
  EXPECT_EQ(Changed([](SampleProgram& p) { p.k_->content_key++; }), (Units{"K", ""}));
}

// Main calls a procedure of module I.
void AddCall(SampleProgram& p, bool is_inline) {
  auto* procedure = p.program_.Make<Procedure>();
  procedure->unit = p.i_;
  procedure->has_body = procedure->exported = true;
  procedure->is_inline = is_inline;
  p.i_->procedures.push_back(procedure);
  auto* call = p.program_.Make<CallExpr>();
  call->procedure = procedure;
  auto* statement = p.program_.Make<CallStmt>();
  statement->call = call;
  p.main_->body.push_back(statement);
}

TEST_F(ObjectCacheTest, WhatMayBeInLineCountsForThoseThatCallIt) {
  const auto changed = [&](bool is_inline, bool is_standard) {
    SampleProgram before, after;
    for (SampleProgram* sample : {&before, &after}) {
      AddCall(*sample, is_inline);
      sample->i_->is_standard = is_standard;
    }
    ++after.i_->content_key;
    return Paths(before).at("Main") != Paths(after).at("Main");
  };
  EXPECT_TRUE(changed(false, false));
  EXPECT_TRUE(changed(true, false));
  EXPECT_TRUE(changed(false, true));
  optimize_ = false;
  EXPECT_FALSE(changed(true, false));
}

TEST_F(ObjectCacheTest, ARevelationChangesAllThatCanSeeTheOpaqueType) {
  EXPECT_EQ(
      Changed([](SampleProgram& p) { p.t_->concrete = p.Branded("t", p.program_.types.real); }),
      (Units{"I", "J", "Main", ""}));
  EXPECT_EQ(
      Changed([](SampleProgram& p) { p.u_->concrete = p.Branded("u", p.program_.types.real); }),
      (Units{"K", "Main", ""}));
}

TEST_F(ObjectCacheTest, TextsAreKnownToAll) {
  EXPECT_EQ(Changed([](SampleProgram& p) {
              p.program_.types.text->concrete = p.Branded("x", p.program_.types.real);
            }),
            (Units{"I", "J", "K", "Main", ""}));
  // The types of text literals, which units need not import.
  EXPECT_EQ(Changed([](SampleProgram& p) {
              auto* flat = p.program_.types.New<ObjectType>();
              flat->name = "TextFlat.T8";
              flat->super = p.program_.types.root;
              p.program_.text8_type = flat;
            }),
            (Units{"I", "J", "K", "Main", ""}));
}

TEST_F(ObjectCacheTest, TheOrderInWhichTypesWereMadeDoesNotMatter) {
  SampleProgram a, b;
  for (bool first : {true, false}) {
    for (auto* sample : {&a, &b}) {
      auto* opaque = sample->program_.types.New<OpaqueType>();
      opaque->name = first == (sample == &a) ? "I.V" : "I.W";
      opaque->bound = sample->program_.types.refany;
    }
  }
  EXPECT_EQ(Paths(a), Paths(b));
}

TEST_F(ObjectCacheTest, OptionsChangeEverything) {
  SampleProgram sample;
  const auto one = Paths(sample, 1), two = Paths(sample, 2);
  for (const auto& [name, path] : one) EXPECT_NE(path, two.at(name)) << name;
}

TEST_F(ObjectCacheTest, InterfacesAndModulesOfOneNameAreTwoFiles) {
  SampleProgram sample;
  CheckedUnit module = *sample.i_;
  module.is_interface = false;
  const ProgramLayout layout(sample.program_);
  ObjectCache cache(sample.program_, layout, true, 1, here / "objects", here / "library");
  EXPECT_NE(cache.PathFor(*sample.i_), cache.PathFor(module));
}

TEST_F(ObjectCacheTest, UnitsOfTheLibraryGoToItsOwnPlaceIfItCanBeWritten) {
  SampleProgram sample;
  sample.i_->is_standard = true;
  const ProgramLayout layout(sample.program_);
  ObjectCache cache(sample.program_, layout, true, 1, here / "objects", here / "library");
  EXPECT_EQ(cache.PathFor(*sample.i_).rfind(here / "library/", 0), 0u);
  EXPECT_EQ(cache.PathFor(*sample.main_).rfind(here / "objects/", 0), 0u);
  EXPECT_TRUE(fs::is_directory(fs::path(cache.PathFor(*sample.i_)).parent_path()));

  // A file where the folder should be.
  here.Write("occupied", "");
  ObjectCache without(sample.program_, layout, true, 1, here / "objects", here / "occupied");
  EXPECT_EQ(without.PathFor(*sample.i_).rfind(here / "objects/", 0), 0u);
}

TEST_F(ObjectCacheTest, WhatAFormerCompilerLeftIsRemovedFromTheLibrarysPlace) {
  const std::string old_object = here.Write("library/0123456789abcdef/Text.m3-1.o", "");
  const std::string recent = here.Write("library/fedcba9876543210/Text.m3-1.o", "");
  const std::string unrelated = here.Write("library/notes/keep.txt", "");
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(48);
  fs::last_write_time(here / "library/0123456789abcdef", long_ago);
  fs::last_write_time(here / "library/notes", long_ago);
  SampleProgram sample;
  sample.i_->is_standard = true;
  const ProgramLayout layout(sample.program_);
  std::string mine;
  {
    ObjectCache cache(sample.program_, layout, true, 1, here / "objects", here / "library");
    EXPECT_FALSE(fs::exists(old_object));
    EXPECT_TRUE(fs::exists(recent));
    EXPECT_TRUE(fs::exists(unrelated));
    mine = cache.PathFor(*sample.i_);
    std::ofstream(mine) << "object";
  }
  ObjectCache again(sample.program_, layout, true, 1, here / "objects", here / "library");
  EXPECT_EQ(again.PathFor(*sample.i_), mine);
  EXPECT_TRUE(fs::exists(mine));
}

TEST_F(ObjectCacheTest, ObjectsThatNoUnitAskedForAreRemoved) {
  SampleProgram sample;
  sample.i_->is_standard = true;
  const ProgramLayout layout(sample.program_);
  ObjectCache cache(sample.program_, layout, true, 1, here / "objects", here / "library");
  const std::string used = cache.PathFor(*sample.main_), tables = cache.PathForProgram();
  const std::string library_object = cache.PathFor(*sample.i_);
  for (const std::string& path : {used, tables, library_object}) std::ofstream(path) << "object";
  const std::string old = here.Write("objects/Main.m3-0000000000000000.o", "");
  const std::string other = here.Write("objects/README", "");
  ObjectCache::RemoveUnused(here / "objects", cache.used());
  EXPECT_TRUE(fs::exists(used));
  EXPECT_TRUE(fs::exists(tables));
  EXPECT_TRUE(fs::exists(library_object));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace tenure::compiler
