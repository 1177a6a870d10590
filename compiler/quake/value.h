// Values of the build language Quake.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tenure::compiler::quake {

struct ProcedureDefinition;  // quake/tree.h

// A text, an array, a table or a procedure. Truth is a text, too: empty is false. Arrays and tables
// are shared by all values that hold them; assignment does not copy.
class Value {
 public:
  enum class Kind : unsigned char { kText, kArray, kTable, kProcedure };
  using Array = std::vector<Value>;
  using Table = std::map<std::string, Value>;

  Value() = default;  // the empty text
  Value(const Value&) = default;
  Value(Value&&) = default;
  Value& operator=(const Value&) = default;
  Value& operator=(Value&&) = default;
  ~Value() {
    if (array_ != nullptr || table_ != nullptr) TakeApart();
  }
  Value(std::string text) : text_(std::move(text)) {}
  Value(const char* text) : text_(text) {}
  static Value OfBool(bool truth) { return truth ? Value("TRUE") : Value(""); }
  static Value OfArray(Array elements) {
    Value value;
    value.kind_ = Kind::kArray;
    value.array_ = std::make_shared<Array>(std::move(elements));
    return value;
  }
  static Value OfTable(Table table) {
    Value value;
    value.kind_ = Kind::kTable;
    value.table_ = std::make_shared<Table>(std::move(table));
    return value;
  }
  // The definition belongs to a tree that outlives the value; `text` is its name.
  static Value OfProcedure(const ProcedureDefinition* procedure, std::string name) {
    Value value(std::move(name));
    value.kind_ = Kind::kProcedure;
    value.procedure_ = procedure;
    return value;
  }

  Kind kind() const { return kind_; }
  bool is_text() const { return kind_ == Kind::kText; }
  // Only the members of the value's kind are used.
  const std::string& text() const { return text_; }
  Array& array() const { return *array_; }
  Table& table() const { return *table_; }
  // Null: a procedure of the interpreter or of its host.
  const ProcedureDefinition* procedure() const { return procedure_; }

 private:
  // Values in values are destroyed by a loop: build files may nest them in loops, to any depth.
  void TakeApart() {
    std::vector<Value> inner;
    const auto take = [&](Value& value) {
      if (value.array_.use_count() == 1) {
        for (Value& element : *value.array_) inner.push_back(std::move(element));
      }
      if (value.table_.use_count() == 1) {
        for (auto& [key, entry] : *value.table_) inner.push_back(std::move(entry));
      }
      value.array_.reset();
      value.table_.reset();
    };
    for (take(*this); !inner.empty();) {
      Value last = std::move(inner.back());
      inner.pop_back();
      take(last);
    }
  }

  Kind kind_ = Kind::kText;
  std::string text_;
  std::shared_ptr<Array> array_;
  std::shared_ptr<Table> table_;
  const ProcedureDefinition* procedure_ = nullptr;
};

}  // namespace tenure::compiler::quake
