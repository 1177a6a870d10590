#include "dbtool/change/field_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "store/server/memory_page_server.h"

namespace tenure::dbtool {
namespace {

using store::MemoryPageServer;
using store::OpenMode;

class FieldTextsTest : public ::testing::Test {
 protected:
  FieldTextsTest() {
    store_.server = *MemoryPageServer::Open("texts", OpenMode::kCreate);
    id_ = *store_.server->OpenDatabase("main", OpenMode::kCreate);
    type_.name = "Main.T";
    type_.payload_bytes = 16;
  }
  void TearDown() override {
    store_.server.reset();
    MemoryPageServer::Forget("texts");
  }
  // The only field of the type; it begins at bit 8 if it is short.
  void Field(const std::string& type, uint64_t bits) {
    StoredField field;
    field.name = "f";
    field.type = type;
    field.bit_size = bits;
    field.bit_offset = bits < 64 ? 8 : 64;
    type_.fields = {field};
  }
  std::string Text() {
    ObjectReader reader(*store_.server, id_, store_.types);
    StoredObject object;
    object.type = &type_;
    object.payload = made_.payload;
    // The parts of a type are remembered by its address.
    const auto values = FieldTexts(store_, program_, true).Of(object, reader);
    return values.ok() && values->size() == 1 ? Narrowed(values->front().second) : "no value";
  }
  bool Put(const std::string& text) {
    return FieldTexts(store_, program_, true).Put(type_, "f", Widened(text), &made_).ok();
  }

  OpenedStore store_;
  const std::vector<ProgramType> program_;
  store::DatabaseId id_;
  StoredType type_;
  Converted made_{std::vector<std::byte>(16), {}};
};

TEST_F(FieldTextsTest, AConverterReadsWhatItHasSet) {
  const struct {
    const char* type;
    uint64_t bits;
    const char* text;
  } cases[] = {{"INTEGER", 64, "-5"},
               {"CARDINAL", 64, "7"},
               {"[-3..4]", 8, "-3"},
               {"[0..200]", 8, "200"},
               {"BITS 4 FOR [-8..7]", 4, "-8"},
               {"CHAR", 8, "255"},
               {"WIDECHAR", 16, "65535"},
               {"{Red, Green, Blue}", 8, "2"},
               {"BOOLEAN", 8, "true"},
               {"BITS 1 FOR BOOLEAN", 1, "true"},
               {"REAL", 32, "0.1"},
               {"LONGREAL", 64, "-2.5e+100"},
               {"BITS 64 FOR LONGREAL", 64, "0.5"},
               {"LONGREAL", 64, "inf"},
               {"Other.T", 8, "-1"},
               {"Other.T", 64, "-1"}};
  for (const auto& c : cases) {
    Field(c.type, c.bits);
    EXPECT_TRUE(Put(c.text)) << c.type;
    EXPECT_EQ(Text(), c.text) << c.type;
  }
}

TEST_F(FieldTextsTest, AValueThatTheTypeDoesNotHaveIsRefused) {
  Field("[-3..4]", 8);
  EXPECT_FALSE(Put("5"));
  Field("{Red, Green}", 8);
  EXPECT_FALSE(Put("2"));
  Field("REAL", 32);
  EXPECT_FALSE(Put("1e100"));
}

TEST_F(FieldTextsTest, AFieldBehindTheEndOfItsObjectHasNoValue) {
  Field("INTEGER", 64);
  made_.payload.resize(8);
  EXPECT_EQ(Text(), "?");
}

}  // namespace
}  // namespace tenure::dbtool
