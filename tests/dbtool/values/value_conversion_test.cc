// Conversions of values against another way to the same result: the old value as JSON, whose
// members and elements have names, and the new value as JSON. Types, values and changes are random.

#include "dbtool/values/value_conversion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>

#include "dbtool/values/object_json.h"
#include "dbtool/values/object_shape.h"
#include "tests/support/random.h"

namespace tenure::dbtool {
namespace {

// A record type T with one field f of this type.
StoredType TypeWith(const std::string& value, uint64_t bits) {
  const std::string description = "fingerprint 0000000000000001\nname Main.T\nkind ref\npayload " +
                                  std::to_string((bits + 63) / 64 * 8) + "\nfield 0 " +
                                  std::to_string(bits) + " f Main.V = " + value + "\nend\n";
  return *ParseType(1, description);
}

struct Made {
  StoredType type;
  ValueTypePtr value;
  explicit Made(const std::string& text) : value(ParseValueType(text)) {
    if (value != nullptr) type = TypeWith(text, value->bits);
  }
  PlacedField placed() const { return {type, type.fields[0], type.slots}; }
};

// A type as a tree, so that it can be changed and written.
struct Tree {
  enum Kind { kPlain, kEnumeration, kRange, kSet, kArray, kRecord, kPacked } kind = kPlain;
  std::string word;                // kPlain
  std::vector<std::string> names;  // of elements, or of fields
  int64_t first = 0, last = 0;     // kRange; of kPacked last is the bits
  std::vector<Tree> parts;         // index and element of an array; of a record, a set the fields

  std::string Text() const {
    switch (kind) {
      case kPlain: return word;
      case kRange: return "[" + std::to_string(first) + ".." + std::to_string(last) + "]";
      case kSet: return "SET OF " + parts[0].Text();
      case kArray: return "ARRAY " + parts[0].Text() + " OF " + parts[1].Text();
      case kPacked: return "BITS " + std::to_string(last) + " FOR " + parts[0].Text();
      case kEnumeration: {
        std::string out;
        for (const std::string& name : names) out += (out.empty() ? "{" : ", ") + name;
        return out + "}";
      }
      case kRecord: {
        std::string out = "RECORD";
        for (size_t i = 0; i < parts.size(); ++i) {
          out += (i == 0 ? " " : "; ") + names[i] + ": " + parts[i].Text();
        }
        return out + " END";
      }
    }
    return "";
  }
};

Tree Enumeration(Random& random) {
  constexpr uint64_t kCounts[] = {1, 2, 3, 7, 8, 9, 16, 17, 32, 33, 64, 65, 255, 256, 257};
  Tree tree{Tree::kEnumeration, "", {}, 0, 0, {}};
  const uint64_t count = kCounts[random.Below(random.OneIn(4) ? 15 : 8)];
  for (uint64_t i = 0; i < count; ++i) tree.names.push_back("e" + std::to_string(i));
  return tree;
}

Tree Range(Random& random) {
  constexpr int64_t kFirst[] = {0, 0, -1, -128, -129, 5, -40000};
  constexpr int64_t kLast[] = {5, 127, 128, 255, 256, 65535, 65536, 5'000'000'000};
  return {Tree::kRange, "", {}, kFirst[random.Below(7)], kLast[random.Below(8)], {}};
}

Tree AnyTree(Random& random, int depth) {
  constexpr const char* kWords[] = {"INTEGER",  "CARDINAL", "BOOLEAN", "CHAR",
                                    "WIDECHAR", "REAL",     "LONGREAL"};
  const auto small_range = [&] {
    return Tree{Tree::kRange, "", {}, 0, static_cast<int64_t>(random.Below(70)), {}};
  };
  const auto index = [&] { return random.OneIn(2) ? Enumeration(random) : small_range(); };
  switch (random.Below(depth > 0 ? 9 : 5)) {
    case 0: return {Tree::kPlain, kWords[random.Below(7)], {}, 0, 0, {}};
    case 1: return Enumeration(random);
    case 2: return Range(random);
    case 3: return {Tree::kSet, "", {}, 0, 0, {index()}};
    case 4: {
      const auto last = static_cast<int64_t>(random.Below(8));
      return {Tree::kPacked, "", {}, 0, 3, {{Tree::kRange, "", {}, 0, last, {}}}};
    }
    case 5: return {Tree::kArray, "", {}, 0, 0, {index(), AnyTree(random, depth - 1)}};
    default: {
      Tree tree{Tree::kRecord, "", {}, 0, 0, {}};
      for (uint64_t i = 0, count = 1 + random.Below(4); i < count; ++i) {
        tree.names.push_back("f" + std::to_string(i));
        tree.parts.push_back(AnyTree(random, depth - 1));
      }
      return tree;
    }
  }
}

void Shuffle(Random& random, std::vector<std::string>* names, std::vector<Tree>* parts) {
  for (size_t i = names->size(); i > 1; --i) {
    const size_t k = random.Below(i);
    std::swap((*names)[i - 1], (*names)[k]);
    if (parts != nullptr) std::swap((*parts)[i - 1], (*parts)[k]);
  }
}

// Changes that keep every value.
Tree Changed(Random& random, const Tree& from) {
  Tree to = from;
  for (Tree& part : to.parts) part = Changed(random, part);
  if (from.kind == Tree::kPacked) return from;
  if (random.OneIn(2)) return to;
  switch (to.kind) {
    case Tree::kPlain:
      if (to.word == "REAL") to.word = "LONGREAL";
      if (to.word == "CHAR") to.word = "WIDECHAR";
      if (to.word == "CARDINAL") to.word = "INTEGER";
      break;
    case Tree::kEnumeration:
      for (uint64_t i = 0, more = random.Below(3); i < more; ++i) {
        to.names.push_back("new" + std::to_string(i));
      }
      if (random.OneIn(2)) Shuffle(random, &to.names, nullptr);
      break;
    case Tree::kRange:
      to.first -= static_cast<int64_t>(random.Below(2) * random.Below(300));
      to.last += static_cast<int64_t>(random.Below(300));
      break;
    case Tree::kRecord:
      if (random.OneIn(2)) {
        to.names.push_back("added");
        to.parts.push_back(AnyTree(random, 0));
      }
      Shuffle(random, &to.names, &to.parts);
      break;
    default: break;
  }
  return to;
}

// A random value of the type, as JSON.
Json AnyValue(Random& random, const ValueType& type) {
  switch (type.kind) {
    case ValueKind::kReal:
    case ValueKind::kLongReal: return 0.5 * static_cast<double>(random.Below(1000)) - 100.0;
    case ValueKind::kArray: {
      Json list = Json::array();
      for (uint64_t i = 0; i < type.count(); ++i) list.push_back(AnyValue(random, *type.element));
      return list;
    }
    case ValueKind::kRecord: {
      Json record = Json::object();
      for (const ValueField& field : type.fields)
        record[field.name] = AnyValue(random, *field.type);
      return record;
    }
    case ValueKind::kSet: {
      Json list = Json::array();
      for (__int128 i = type.index->first; i <= type.index->last; ++i) {
        if (!random.OneIn(3)) continue;
        list.push_back(type.index->names.empty() ? JsonOfNumber(i)
                                                 : Json(type.index->names[static_cast<size_t>(i)]));
      }
      return list;
    }
    default: break;
  }
  const auto span = static_cast<unsigned __int128>(type.last - type.first) + 1;
  __int128 value = type.first + static_cast<__int128>(random.Below(UINT64_MAX) % span);
  if (random.OneIn(3)) value = random.OneIn(2) ? type.first : type.last;
  if (type.kind == ValueKind::kBoolean) return value != 0;
  if (type.kind == ValueKind::kCharacter || type.kind == ValueKind::kWideCharacter) {
    return std::string(1, static_cast<char>('a' + random.Below(26)));
  }
  if (!type.names.empty()) return type.names[static_cast<size_t>(value)];
  return JsonOfNumber(value);
}

// Whether all values of the old one are in the new one. What is new beside them does not matter.
void ExpectKept(const Json& old, const ValueType& from, const Json& now, const ValueType& to) {
  if (from.kind == ValueKind::kRecord) {
    for (const ValueField& field : from.fields) {
      const auto same = std::ranges::find(to.fields, field.name, &ValueField::name);
      ASSERT_NE(same, to.fields.end());
      ExpectKept(old.at(field.name), *field.type, now.at(field.name), *same->type);
    }
    return;
  }
  if (from.kind == ValueKind::kArray) {
    for (size_t i = 0; i < old.size(); ++i) {
      size_t place = i;
      if (!from.index->names.empty()) {
        const std::string& name = from.index->names[i];
        place =
            static_cast<size_t>(std::ranges::find(to.index->names, name) - to.index->names.begin());
      } else {
        place += static_cast<size_t>(from.index->first - to.index->first);
      }
      ExpectKept(old.at(i), *from.element, now.at(place), *to.element);
    }
    return;
  }
  if (from.kind == ValueKind::kSet) {
    EXPECT_EQ(std::multiset<Json>(old.begin(), old.end()),
              std::multiset<Json>(now.begin(), now.end()));
    return;
  }
  EXPECT_EQ(old, now);
}

// The value as an export writes it.
Json Written(const Made& made, std::span<const std::byte> payload) {
  ObjectShape shape;
  shape.fields.push_back({"", "", made.value, 0, nullptr});
  char* text = nullptr;
  size_t length = 0;
  FILE* const file = open_memstream(&text, &length);
  const StoredObject object = {{}, &made.type, payload};
  WriteObject(object, shape, [](store::PersistentRef, Json*) {}, file);
  fclose(file);
  // The members stand behind commas.
  const Json line = Json::parse("{\"at\":0" + std::string(text, length) + "}");
  free(text);
  return line.at("value");
}

// Converts the value at the beginning; the values that do not fit, one in a line.
std::string Misfits(const ValueConversion& conversion, std::span<const std::byte> from,
                    std::span<std::byte> to) {
  std::vector<ValueConversion::Misfit> misfits;
  conversion.Convert(from, 0, to, 0, &misfits);
  std::string text;
  for (const auto& misfit : misfits) text += (text.empty() ? "" : "\n") + misfit.why;
  return text;
}

TEST(ValueConversionTest, KeepsValuesOfRandomTypesByTheirNames) {
  const uint64_t seed = std::random_device()();
  RecordProperty("seed", std::to_string(seed));
  Random random(seed);
  int converted = 0, moved = 0;
  while (converted < 3000) {
    const Tree tree = AnyTree(random, 3);
    const std::string now = Changed(random, tree).Text();
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + tree.Text() + " to " + now);
    const Made before(tree.Text()), after(now);
    if (before.value == nullptr || after.value == nullptr || before.value->bits > 40'000) continue;
    const Result<ValueConversion> made =
        ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}), {});
    ASSERT_TRUE(made.ok()) << made.status().text();
    EXPECT_TRUE(made->lost().empty());
    // Bits of a copy are those of the same places.
    if (!made->copies()) ++moved;
    const Json old = AnyValue(random, *before.value);
    JsonObject object;
    object.data.resize(before.type.payload_bytes);
    ASSERT_EQ(TakeValue(old, *before.value, 0, &object), "");
    std::vector<std::byte> payload(after.type.payload_bytes);
    ASSERT_EQ(Misfits(*made, object.data, payload), "");
    ExpectKept(old, *before.value, Written(after, payload), *after.value);
    if (HasFailure()) return;
    ++converted;
  }
  EXPECT_GT(moved, 1000);
}

std::string Problem(const std::string& from, const std::string& to, bool has_defaults = true) {
  const Made before(from), after(to);
  const Result<ValueConversion> made =
      ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}),
                            {.has_defaults = has_defaults, .stored_name = "f"});
  return made.ok() ? "" : made.status().text();
}

TEST(ValueConversionTest, NamesTheInnerFieldWithoutARule) {
  EXPECT_EQ(Problem("RECORD a: RECORD b: CHAR END END", "RECORD a: RECORD b: REAL END END"),
            "field f.a.b from CHAR to REAL");
  EXPECT_EQ(Problem("ARRAY [0..3] OF CHAR", "ARRAY BOOLEAN OF CHAR"),
            "field f from ARRAY [0..3] OF CHAR to ARRAY BOOLEAN OF CHAR");
  EXPECT_EQ(Problem("ARRAY [0..2] OF CHAR", "ARRAY [0..3] OF CHAR"), "");
  EXPECT_NE(Problem("ARRAY [0..2] OF CHAR", "ARRAY [0..3] OF CHAR", false), "");
  EXPECT_EQ(Problem("RECORD a: CHAR END", "RECORD a: CHAR; b: CHAR END"), "");
  EXPECT_EQ(Problem("RECORD a: CHAR END", "RECORD a: CHAR; b: CHAR END", false),
            "field f.b is new, and the program, which was built by an older tenure, does not tell "
            "the default of an array's elements: build it anew");
}

TEST(ValueConversionTest, TellsFieldsThatAreLost) {
  const Made before("RECORD a: CHAR; b: RECORD c: CHAR; d: CHAR END END"),
      after("RECORD b: RECORD c: CHAR END END");
  const auto may = [](const std::string& path) { return path == "f.a"; };
  const Result<ValueConversion> made =
      ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}),
                            {.stored_name = "f", .may_be_lost = may});
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->lost().size(), 1u);
  EXPECT_EQ(made->lost()[0].stored_path, "f.b.d");
  EXPECT_EQ(made->lost()[0].part, "");
  ASSERT_EQ(made->allowed_losses().size(), 1u);
  EXPECT_EQ(made->allowed_losses()[0].stored_path, "f.a");
}

TEST(ValueConversionTest, TellsElementsThatAreLost) {
  const Made before("ARRAY [0..3] OF CHAR"), after("ARRAY [0..1] OF CHAR");
  const auto lost = [&](bool may) {
    const Result<ValueConversion> made = ValueConversion::Make(
        before.placed(), after.placed(), store::TypeKeys({}),
        {.stored_name = "f", .may_be_lost = [may](const std::string&) { return may; }});
    const auto& losses = may ? made->allowed_losses() : made->lost();
    return losses.size() == 1 ? losses[0].stored_path + ": " + losses[0].part : "?";
  };
  EXPECT_EQ(lost(false), "f: elements 2 to 3");
  EXPECT_EQ(lost(true), "f: elements 2 to 3");
}

std::string Converted(const std::string& from, const std::string& to, uint64_t bits) {
  const Made before(from), after(to);
  const Result<ValueConversion> made =
      ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}), {});
  if (!made.ok()) return std::string(made.status().text());
  std::vector<std::byte> old(8), now(64);
  std::memcpy(old.data(), &bits, sizeof bits);
  return Misfits(*made, old, now);
}

TEST(ValueConversionTest, RefusesValuesThatTheNewTypeDoesNotHave) {
  EXPECT_EQ(Converted("[0..255]", "[0..20]", 21),
            "the value of field f, 21, is not one of the program's [0..20]");
  EXPECT_EQ(Converted("[0..255]", "[0..20]", 20), "");
  EXPECT_EQ(Converted("INTEGER", "CARDINAL", ~uint64_t{0}),
            "the value of field f, -1, is not one of the program's CARDINAL");
  EXPECT_EQ(Converted("{A, B}", "{B}", 0),
            "the value of field f, A, is not one of the program's {B}");
  EXPECT_EQ(Converted("{A, B}", "{B, C}", 200),
            "the value of field f, ?200, is not one of the program's {B, C}");
  EXPECT_EQ(Converted("SET OF {A, B}", "SET OF {B}", 3),
            "the value of field f, with the element A, is not one of the program's SET OF {B}");
  EXPECT_EQ(Converted("WIDECHAR", "CHAR", 256),
            "the value of field f, W'\\x0100', is not one of the program's CHAR");
}

// The value, given as JSON, after a conversion; or why there is none.
std::string Becomes(const std::string& from, const std::string& value, const std::string& to,
                    const ValueConversion::Options& options = {}) {
  const Made before(from), after(to);
  if (before.value == nullptr || after.value == nullptr) return "no type";
  const Result<ValueConversion> made =
      ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}), options);
  if (!made.ok()) return made.status().text();
  JsonObject object;
  object.data.resize(before.type.payload_bytes);
  const std::string wrong = TakeValue(Json::parse(value), *before.value, 0, &object);
  if (!wrong.empty()) return wrong;
  std::vector<std::byte> payload(after.type.payload_bytes);
  const std::string misfits = Misfits(*made, object.data, payload);
  return misfits.empty() ? Written(after, payload).dump() : misfits;
}

TEST(ValueConversionTest, ConvertsPackedFieldsBySignAndPlace) {
  EXPECT_EQ(Becomes("BITS 4 FOR [-8..7]", "-8", "INTEGER"), "-8");
  EXPECT_EQ(Becomes("INTEGER", "-8", "BITS 4 FOR [-8..7]"), "-8");
  EXPECT_EQ(Becomes("[-3..3]", "-3", "[-200..200]"), "-3");
  EXPECT_EQ(Becomes("[-40000..5]", "-40000", "INTEGER"), "-40000");
  EXPECT_EQ(Becomes("[0..255]", "255", "[-1..255]"), "255");  // 8 bits without and 16 with a sign
  EXPECT_EQ(
      Becomes("RECORD a: BITS 3 FOR [0..7]; b: BITS 3 FOR [-4..3]; c: BITS 2 FOR [0..3] END",
              R"({"a":5,"b":-4,"c":2})",
              "RECORD c: BITS 2 FOR [0..3]; b: BITS 5 FOR [-10..10]; a: BITS 9 FOR [0..500] END"),
      R"({"c":2,"b":-4,"a":5})");
  EXPECT_EQ(Becomes("ARRAY [0..9] OF BITS 3 FOR [0..7]", "[0,1,2,3,4,5,6,7,6,5]",
                    "ARRAY [0..9] OF BITS 5 FOR [0..20]"),
            "[0,1,2,3,4,5,6,7,6,5]");
  // Of the same size as a whole, with elements at other places.
  EXPECT_EQ(Becomes("ARRAY [0..3] OF BITS 1 FOR [0..1]", "[1,0,1,1]",
                    "ARRAY [0..3] OF BITS 2 FOR [0..1]"),
            "[1,0,1,1]");
}

TEST(ValueConversionTest, ComparesPlacesInRecordsOfOneSize) {
  EXPECT_EQ(Becomes("RECORD a: [0..200]; b: [0..60000] END", R"({"a":7,"b":258})",
                    "RECORD b: [0..60000]; a: [0..200] END"),
            R"({"b":258,"a":7})");
  // The second record's a lies elsewhere, at a depth.
  EXPECT_EQ(Becomes("RECORD x: RECORD a: [0..9]; b: [0..9] END; y: [0..9] END",
                    R"({"x":{"a":1,"b":2},"y":3})",
                    "RECORD x: RECORD b: [0..9]; a: [0..9] END; y: [0..9] END"),
            R"({"x":{"b":2,"a":1},"y":3})");
}

TEST(ValueConversionTest, FindsElementsOfSetsWhoseBaseGrowsAtBothEnds) {
  EXPECT_EQ(Becomes("SET OF [0..5]", "[0,3,5]", "SET OF [-10..70]"), "[0,3,5]");
  EXPECT_EQ(Becomes("SET OF [-10..70]", "[-10,0,54,70]", "SET OF [-100..300]"), "[-10,0,54,70]");
  EXPECT_EQ(Becomes("SET OF [-10..70]", "[0,5]", "SET OF [0..5]"), "[0,5]");
  EXPECT_EQ(Becomes("SET OF [-10..70]", "[0,6]", "SET OF [0..5]"),
            "the value of field f, with the element 6, is not one of the program's SET OF [0..5]");
  EXPECT_EQ(Becomes("SET OF [-10..70]", "[-1]", "SET OF [0..5]"),
            "the value of field f, with the element -1, is not one of the program's SET OF [0..5]");
  EXPECT_EQ(Becomes("SET OF {B, C}", R"(["B","C"])", "SET OF {A, B, N, C, Z}"), R"(["B","C"])");
  EXPECT_EQ(Becomes("SET OF {A, B, C}", R"(["A","B"])", "SET OF {B, C, A}"), R"(["B","A"])");
  EXPECT_EQ(Becomes("SET OF {A, B, C} [1..2]", R"(["B","C"])", "SET OF {C, A, B}"), R"(["C","B"])");
}

TEST(ValueConversionTest, FindsEnumerationsInArraysInRecords) {
  EXPECT_EQ(Becomes("RECORD n: [0..9]; hues: ARRAY [0..2] OF {R, G, B} END",
                    R"({"n":4,"hues":["R","G","B"]})",
                    "RECORD n: [0..9]; hues: ARRAY [0..2] OF {B, R, G} END"),
            R"({"n":4,"hues":["R","G","B"]})");
  // The same bits for the whole, and other ordinals in the innermost.
  const Made before("RECORD a: ARRAY [0..1] OF RECORD h: {R, G} END END"),
      after("RECORD a: ARRAY [0..1] OF RECORD h: {G, R} END END");
  const Result<ValueConversion> made = ValueConversion::Make(
      before.placed(), after.placed(), store::TypeKeys({}), {.stored_name = "f"});
  ASSERT_TRUE(made.ok());
  EXPECT_FALSE(made->copies());
  EXPECT_FALSE(made->KeepsOrder("f"));
  // Grown at its end: copied if nothing moves, and not where the enumeration takes more bytes.
  std::string many = "{R, G";
  for (int i = 0; i < 300; ++i) many += ", E" + std::to_string(i);
  EXPECT_EQ(Becomes("RECORD h: {R, G}; n: [0..9] END", R"({"h":"G","n":9})",
                    "RECORD h: " + many + "}; n: [0..9] END"),
            R"({"h":"G","n":9})");
  EXPECT_EQ(Becomes("RECORD h: {R, G}; a: ARRAY [0..1] OF {R, G} END", R"({"h":"G","a":["R","G"]})",
                    "RECORD h: {R, G}; a: ARRAY [0..1] OF {R} END"),
            "the value of field f.a, G, is not one of the program's {R}");
}

TEST(ValueConversionTest, FindsElementsOfArraysByTheNamesOfTheirIndexes) {
  EXPECT_EQ(Becomes("ARRAY {A, B, C} OF [0..9]", "[1,2,3]", "ARRAY {C, A, B} OF [0..9]"),
            "[3,1,2]");
  EXPECT_EQ(Becomes("ARRAY {A, B} OF [0..9]", "[1,2]", "ARRAY {N, B, M, A} OF [0..9]"),
            "[0,2,0,1]");
  EXPECT_EQ(Becomes("ARRAY [5..7] OF [0..9]", "[1,2,3]", "ARRAY [3..8] OF [0..300]"),
            "[0,0,1,2,3,0]");
  EXPECT_EQ(Becomes("ARRAY [-1..1] OF [0..9]", "[1,2,3]", "ARRAY [0..2] OF [0..9]"), "[2,3,0]");
  EXPECT_EQ(Becomes("ARRAY {A, B} OF ARRAY {X, Y} OF [0..9]", "[[1,2],[3,4]]",
                    "ARRAY {B, A} OF ARRAY {Y, X} OF [0..9]"),
            "[[4,3],[2,1]]");
  EXPECT_EQ(Becomes("ARRAY BOOLEAN OF REAL", "[0.5,1.5]", "ARRAY BOOLEAN OF LONGREAL"),
            "[0.5,1.5]");
  // The elements that are gone, by their names.
  const auto gone = [](const std::string& from, const std::string& to) {
    const Made before(from), after(to);
    const Result<ValueConversion> made =
        ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}), {});
    return made.ok() && made->lost().size() == 1 ? made->lost()[0].part : "?";
  };
  EXPECT_EQ(gone("ARRAY {A, B, C, D, E} OF CHAR", "ARRAY {E, A} OF CHAR"), "elements B to D");
  EXPECT_EQ(gone("ARRAY {A, B, C, D, E} OF CHAR", "ARRAY {A, C, E} OF CHAR"), "elements B, D");
  EXPECT_EQ(gone("ARRAY [-2..5] OF CHAR", "ARRAY [0..4] OF CHAR"), "elements -2 to -1, 5");
  EXPECT_EQ(gone("ARRAY [0..5] OF CHAR", "ARRAY [8..9] OF CHAR"), "elements 0 to 5");
  EXPECT_EQ(gone("ARRAY [8..9] OF CHAR", "ARRAY [0..5] OF CHAR"), "elements 8 to 9");
}

TEST(ValueConversionTest, TakesArraysWithoutElements) {
  EXPECT_EQ(Becomes("ARRAY [1..0] OF [0..9]", "[]", "ARRAY [0..2] OF REAL"), "[0.0,0.0,0.0]");
  EXPECT_EQ(Becomes("ARRAY [1..0] OF REAL", "[]", "ARRAY [1..0] OF CHAR"), "[]");
  EXPECT_EQ(Becomes("RECORD a: ARRAY [1..0] OF INTEGER; b: [0..9] END", R"({"a":[],"b":7})",
                    "RECORD a: ARRAY [1..2] OF INTEGER; b: [0..9] END"),
            R"({"a":[0,0],"b":7})");
  const auto lost = [](const std::string& from, const std::string& to) {
    const Made before(from), after(to);
    const Result<ValueConversion> made =
        ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}), {});
    return !made.ok() ? "?" : made->lost().empty() ? "" : made->lost()[0].part;
  };
  EXPECT_EQ(lost("ARRAY [0..1] OF CHAR", "ARRAY [1..0] OF CHAR"), "elements 0 to 1");
  EXPECT_EQ(lost("ARRAY [1..0] OF CHAR", "ARRAY [5..4] OF CHAR"), "");
}

TEST(ValueConversionTest, ConvertsElementsOfOpenArraysAtTheirPlaces) {
  // An element of an open array is a value at any bit of both arrays.
  const Made before("REAL"), after("LONGREAL");
  const Result<ValueConversion> made = ValueConversion::Make(
      before.placed(), after.placed(), store::TypeKeys({}), {.has_defaults = false});
  ASSERT_TRUE(made.ok());
  EXPECT_FALSE(made->copies());
  const float reals[] = {0.5f, -1.25f, 3.4e38f};
  double numbers[3] = {};
  std::vector<ValueConversion::Misfit> misfits;
  for (uint64_t i = 0; i < 3; ++i) {
    made->Convert(std::as_bytes(std::span(reals)), 32 * i,
                  std::as_writable_bytes(std::span(numbers)), 64 * i, &misfits);
    EXPECT_EQ(numbers[i], static_cast<double>(reals[i])) << i;
  }
  EXPECT_TRUE(misfits.empty());
}

TEST(ValueConversionTest, AFieldAtTheEndOfARecordHasTheTypeOfOneBeforeOthers) {
  for (const char* field : {"PROCEDURE (): INTEGER", "PROCEDURE (a: INTEGER) RAISES {}",
                            "REF PROCEDURE (): INTEGER", "SET OF [0..9]", "Main.T"}) {
    const std::string f = std::string("f: ") + field;
    const ValueTypePtr last = ParseValueType("RECORD a: INTEGER; " + f + " END");
    const ValueTypePtr first = ParseValueType("RECORD " + f + "; a: INTEGER END");
    ASSERT_TRUE(last != nullptr && first != nullptr) << field;
    EXPECT_EQ(last->fields[1].type->text, field);
    EXPECT_EQ(first->fields[0].type->text, field);
  }
}

TEST(ValueConversionTest, TellsEachValueThatDoesNotFitOnce) {
  EXPECT_EQ(
      Becomes(
          "RECORD a: ARRAY [0..2] OF RECORD m: [0..99]; n: [0..99] END; b: [0..99]; c: [0..99] END",
          R"({"a":[{"m":1,"n":2},{"m":50,"n":3},{"m":60,"n":40}],"b":9,"c":10})",
          "RECORD a: ARRAY [0..2] OF RECORD m: [0..9]; n: [0..9] END; b: [0..9]; c: [0..9] END"),
      "the value of field f.a.m, 50, is not one of the program's [0..9]\n"
      "the value of field f.a.n, 40, is not one of the program's [0..9]\n"
      "the value of field f.c, 10, is not one of the program's [0..9]");
  // All that fits is there, and the rest as NEW has made it.
  const Made before("RECORD a: [0..99]; b: [0..99]; s: SET OF [0..7] END"),
      after("RECORD a: [0..9]; b: [0..9]; s: SET OF [0..3] END");
  const Result<ValueConversion> made =
      ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}), {});
  ASSERT_TRUE(made.ok());
  const std::byte old[8] = {std::byte{50}, std::byte{6}, std::byte{0x11}};
  std::byte now[8] = {std::byte{1}, std::byte{2}, std::byte{8}};
  EXPECT_NE(Misfits(*made, old, now), "");
  EXPECT_EQ(now[0], std::byte{1});
  EXPECT_EQ(now[1], std::byte{6});
  EXPECT_EQ(now[2], std::byte{8});
}

TEST(ValueConversionTest, LeavesNewPartsAsNewHasMadeThem) {
  const Made before("RECORD a: ARRAY [1..2] OF [0..9]; p: BITS 3 FOR [0..7] END"),
      after(
          "RECORD n: [0..9]; a: ARRAY [0..2] OF [0..9]; p: BITS 3 FOR [0..7]; q: BITS 3 FOR [0..7] "
          "END");
  const Result<ValueConversion> made =
      ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}), {});
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(made->Leaves(0));    // n
  EXPECT_TRUE(made->Leaves(8));    // a[0]
  EXPECT_FALSE(made->Leaves(16));  // a[1]
  EXPECT_FALSE(made->Leaves(24));
  EXPECT_FALSE(made->Leaves(32));  // p
  EXPECT_TRUE(made->Leaves(35));   // q
  const std::byte old[8] = {std::byte{4}, std::byte{5}, std::byte{6}};
  std::byte now[8] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{3}, std::byte{7 << 3}};
  ASSERT_EQ(Misfits(*made, old, now), "");
  const std::byte wanted[8] = {std::byte{1}, std::byte{2}, std::byte{4}, std::byte{5},
                               std::byte{7 << 3 | 6}};
  EXPECT_TRUE(std::ranges::equal(now, wanted));
}

TEST(ValueConversionTest, KnowsWhenKeysKeepTheirOrder) {
  const auto keeps = [](const std::string& from, const std::string& to,
                        const std::string& path = "f") {
    const Made before(from), after(to);
    const Result<ValueConversion> made = ValueConversion::Make(
        before.placed(), after.placed(), store::TypeKeys({}), {.stored_name = "f"});
    return made.ok() && made->KeepsOrder(path);
  };
  EXPECT_TRUE(keeps("[0..9]", "INTEGER"));
  EXPECT_TRUE(keeps("{A, B}", "{A, B, C}"));
  EXPECT_FALSE(keeps("{A, B}", "{B, A}"));
  EXPECT_FALSE(keeps("{A, B}", "{N, A, B}"));
  EXPECT_FALSE(keeps("REAL", "LONGREAL"));
  EXPECT_TRUE(keeps("SET OF {A, B}", "SET OF {A, B, C}"));
  EXPECT_FALSE(keeps("SET OF {A, B}", "SET OF {B, A}"));
  EXPECT_FALSE(keeps("SET OF [1..3]", "SET OF [0..3]"));
  EXPECT_FALSE(keeps("ARRAY {A, B} OF CHAR", "ARRAY {B, A} OF CHAR"));
  EXPECT_FALSE(keeps("ARRAY [0..1] OF CHAR", "ARRAY [0..2] OF CHAR"));
  EXPECT_FALSE(keeps("RECORD k: CHAR END", "RECORD k: CHAR; n: CHAR END"));
  // A part of the value, and what lies beside it.
  EXPECT_TRUE(keeps("RECORD k: CHAR; v: {A, B} END", "RECORD k: CHAR; v: {B, A} END", "f.k"));
  EXPECT_FALSE(keeps("RECORD k: {A, B}; v: CHAR END", "RECORD k: {B, A}; v: CHAR END", "f.k"));
  EXPECT_TRUE(keeps("RECORD k: CHAR; kk: REAL END", "RECORD k: CHAR; kk: LONGREAL END", "f.k"));
}

TEST(ValueConversionTest, LeavesPartsWithoutARuleToTheConverter) {
  const Made before("RECORD a: CHAR; b: RECORD c: CHAR; d: [0..9] END END"),
      after("RECORD a: REAL; b: RECORD c: REAL; d: [0..9] END END");
  const Result<ValueConversion> made =
      ValueConversion::Make(before.placed(), after.placed(), store::TypeKeys({}),
                            {.stored_name = "f",
                             .may_be_lost = [](const std::string& path) { return path == "f.a"; },
                             .is_set = [](const std::string& path) { return path == "f.b.c"; }});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->left(), std::vector<std::string>{"f.b.c"});
  EXPECT_TRUE(made->Leaves(0));    // a
  EXPECT_TRUE(made->Leaves(32));   // b.c
  EXPECT_FALSE(made->Leaves(64));  // b.d
  ASSERT_EQ(made->allowed_losses().size(), 1u);
  EXPECT_EQ(made->allowed_losses()[0].stored_path, "f.a");
  // A record that is given up as a whole leaves nothing of it to the converter.
  const Made other("RECORD b: RECORD c: REAL; x: REAL END END"),
      from("RECORD b: RECORD c: CHAR; x: CHAR END END");
  const Result<ValueConversion> whole =
      ValueConversion::Make(from.placed(), other.placed(), store::TypeKeys({}),
                            {.stored_name = "f",
                             .may_be_lost = [](const std::string& path) { return path == "f.b"; },
                             .is_set = [](const std::string& path) { return path == "f.b.c"; }});
  ASSERT_TRUE(whole.ok());
  EXPECT_TRUE(whole->left().empty());
  ASSERT_EQ(whole->allowed_losses().size(), 1u);
  EXPECT_EQ(whole->allowed_losses()[0].stored_path, "f.b");
}

TEST(ValueConversionTest, KnowsWhichBitsAreAValue) {
  const auto is_value = [](const std::string& type, uint64_t bits) {
    return IsValueOf(*ParseValueType(type), bits);
  };
  EXPECT_TRUE(is_value("{A, B, C}", 2));
  EXPECT_FALSE(is_value("{A, B, C}", 3));
  EXPECT_TRUE(is_value("[-3..3]", 0xFD));
  EXPECT_FALSE(is_value("[-3..3]", 0xFC));
  EXPECT_TRUE(is_value("SET OF {A, B, C}", 7));
  EXPECT_FALSE(is_value("SET OF {A, B, C}", 8));
  EXPECT_TRUE(is_value("RECORD a: CHAR; b: BOOLEAN END", 0x0161));
  EXPECT_FALSE(is_value("RECORD a: CHAR; b: BOOLEAN END", 0x0261));
  EXPECT_FALSE(is_value("RECORD a: CHAR; b: WIDECHAR END", 0x11110161));  // a bit of no field
  EXPECT_TRUE(is_value("ARRAY [0..2] OF {A, B}", 0x010001));
  EXPECT_FALSE(is_value("ARRAY [0..2] OF {A, B}", 0x020001));
  EXPECT_TRUE(is_value("LONGREAL", 0x7FF0000000000000));
}

}  // namespace
}  // namespace tenure::dbtool
