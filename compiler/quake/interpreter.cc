#include "compiler/quake/interpreter.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/near_names.h"
#include "base/stack_room.h"
#include "compiler/source/output_file.h"

namespace tenure::compiler::quake {

namespace {

constexpr int kMaxDepth = 1000;

}  // namespace

const std::string& Call::Text(size_t index) const {
  static const std::string empty;
  if (index >= arguments.size()) return empty;
  if (!arguments[index].is_text()) {
    Fail("argument " + std::to_string(index + 1) + " of " + name + " must be a text");
    return empty;
  }
  return arguments[index].text();
}

std::vector<std::string> Call::Texts(size_t index) const {
  if (index >= arguments.size()) return {};
  const Value& value = arguments[index];
  if (value.is_text()) return {value.text()};
  std::vector<std::string> texts;
  if (value.kind() == Value::Kind::kArray) {
    for (const Value& element : value.array()) {
      if (element.is_text()) {
        texts.push_back(element.text());
      } else {
        Fail("argument " + std::to_string(index + 1) + " of " + name + " must be texts");
      }
    }
  } else if (value.kind() == Value::Kind::kTable) {
    for (const auto& [key, ignored] : value.table()) texts.push_back(key);
  }
  return texts;
}

void Call::Fail(const std::string& what) const { interpreter.Fail(span, what); }

Interpreter::Interpreter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {
  directories_.push_back(".");
  DefineStandardProcedures();
  Set("TRUE", Value::OfBool(true));
  Set("FALSE", Value::OfBool(false));
}

void Interpreter::Warn(SourceSpan span, const std::string& what) {
  diagnostics_.Warning(MessageId::kBuildFileWarning, span, what);
}

DiagnosticBuilder Interpreter::Fail(SourceSpan span, const std::string& what) {
  DiagnosticBuilder error;
  if (!failed_) error = diagnostics_.Error(MessageId::kBuildFile, span, what);
  failed_ = true;
  return error;
}

SourceSpan Interpreter::EndOfFile() const {
  if (files_.empty()) return {};
  const SourceFile& file = *files_.front();
  uint32_t end = file.size();
  while (end > 0 && (file.text()[end - 1] == '\n' || file.text()[end - 1] == ' ')) --end;
  return file.Span(end, end);
}

std::string Interpreter::Absolute(const std::string& path) const {
  const std::filesystem::path whole = std::filesystem::path(directory()) / path;
  std::string place = PlaceOf(whole);
  if (!place.empty()) return place;
  return std::filesystem::path(path).is_absolute() ? path : whole.lexically_normal().string();
}

std::string Interpreter::Made(const std::string& path) const {
  const std::filesystem::path whole = std::filesystem::path(working_directory_) / path;
  const std::string place = PlaceOf(whole);
  // Not normalized: a ".." may follow a link.
  return place.empty() ? whole.string() : place;
}

std::string Interpreter::PlaceOf(const std::filesystem::path& path) const {
  return find_place_ ? find_place_(path.lexically_normal().string()) : std::string();
}

Value Interpreter::Get(const std::string& name) const {
  const auto found = globals_.find(name);
  return found != globals_.end() ? found->second.value : Value();
}

std::string Interpreter::Input(const std::string& path) {
  std::error_code ignored;
  std::string here = Absolute(path);
  const std::string there =
      (std::filesystem::path(working_directory_) / path).lexically_normal().string();
  const bool use_working =
      !std::filesystem::exists(here, ignored) &&
      std::filesystem::exists(std::filesystem::path(working_directory_) / path, ignored);
  NoteInput(here);
  if (!use_working) return here;
  NoteInput(there);
  // Not normalized: a ".." may follow a link.
  return (std::filesystem::path(working_directory_) / path).string();
}

std::string Interpreter::Environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return environment_[name] = value != nullptr ? value : "";
}

bool Interpreter::IsDefined(const std::string& name) const {
  if (builtins_.count(name) != 0 || globals_.count(name) != 0) return true;
  const size_t begin = frames_.empty() ? 0 : frames_.back();
  for (size_t i = begin; i < locals_.size(); ++i) {
    if (locals_[i].count(name) != 0) return true;
  }
  return false;
}

bool Interpreter::Run(const std::string& path) { return RunFile(path, {}); }

bool Interpreter::RunFile(const std::string& path, SourceSpan asked) {
  if (failed_) return false;
  if (depth_ > kMaxDepth) {
    Fail(asked, "files include each other without end");
    return false;
  }
  std::string text;
  NoteInput(path);
  if (const int error = ReadWholeFile(path, text)) {
    Fail(asked, "cannot read '" + path + "': " + std::strerror(error));
    return false;
  }
  files_.push_back(std::make_unique<SourceFile>(path, std::move(text)));
  const int errors = diagnostics_.error_count();
  trees_.push_back(Parse(*files_.back(), diagnostics_));
  if (diagnostics_.error_count() != errors) {
    failed_ = true;
    return false;
  }
  const std::string directory = std::filesystem::path(path).parent_path().string();
  directories_.push_back(directory.empty() ? "." : directory);
  ++depth_;
  Execute(trees_.back());
  --depth_;
  directories_.pop_back();
  return !failed_;
}

// --- statements ---

Interpreter::Flow Interpreter::Execute(const Statements& statements) {
  for (const auto& statement : statements) {
    if (failed_) return Flow::kReturn;
    if (Execute(*statement) == Flow::kReturn) return Flow::kReturn;
  }
  return Flow::kNext;
}

Interpreter::Variable* Interpreter::Find(const std::string& name) {
  const size_t begin = frames_.empty() ? 0 : frames_.back();
  for (size_t i = locals_.size(); i > begin; --i) {
    const auto found = locals_[i - 1].find(name);
    if (found != locals_[i - 1].end()) return &found->second;
  }
  const auto found = globals_.find(name);
  if (found != globals_.end()) return &found->second;
  const auto fallback = fallbacks_.find(name);
  return fallback != fallbacks_.end() ? &fallback->second : nullptr;
}

void Interpreter::Assign(const Statement& statement, Value value) {
  if (statement.local && !locals_.empty()) {
    locals_.back()[statement.name] = {std::move(value), statement.readonly};
    return;
  }
  Variable* variable = Find(statement.name);
  const auto fallback = fallbacks_.find(statement.name);
  if (variable == nullptr || (fallback != fallbacks_.end() && variable == &fallback->second)) {
    variable = &globals_[statement.name];  // and defined from now on
  }
  if (variable->readonly) {
    Fail(statement.span, statement.name + " is readonly");
    return;
  }
  *variable = {std::move(value), statement.readonly};
}

Value* Interpreter::FindTable(const Statement& statement) {
  Variable* const variable = Find(statement.name);
  if (variable != nullptr && variable->value.kind() == Value::Kind::kTable) return &variable->value;
  Fail(statement.span, statement.name + " is not a table");
  return nullptr;
}

void Interpreter::Append(Value& target, Value value, const Statement& statement) {
  if (target.kind() == Value::Kind::kArray) {
    if (value.kind() == Value::Kind::kArray) {
      // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
      const Value::Array added = value.array();  // the argument may be the same value
      for (const Value& element : added) target.array().push_back(element);
    } else {
      target.array().push_back(std::move(value));
    }
  } else if (target.is_text() && value.is_text()) {
    const std::string& old = target.text();
    target = Value(old.empty() ? value.text() : old + " " + value.text());
  } else {
    Fail(statement.span, statement.name + " is neither an array nor a text");
  }
}

Interpreter::Flow Interpreter::Execute(const Statement& statement) {
  if (!HasStackRoom(statement.span)) return Flow::kReturn;
  switch (statement.kind) {
    case Statement::Kind::kCall: EvaluateCall(*statement.value); return Flow::kNext;
    case Statement::Kind::kAssign: {
      Value value = Evaluate(*statement.value);
      if (!failed_) Assign(statement, std::move(value));
      return Flow::kNext;
    }
    case Statement::Kind::kAppend: {
      Value value = Evaluate(*statement.value);
      if (failed_) return Flow::kReturn;
      Variable* variable = Find(statement.name);
      if (variable == nullptr) {
        Fail(statement.span, statement.name + " is not defined");
      } else if (variable->readonly) {
        Fail(statement.span, statement.name + " is readonly");
      } else {
        Append(variable->value, std::move(value), statement);
      }
      return Flow::kNext;
    }
    case Statement::Kind::kAssignEntry: {
      const Value key = Evaluate(*statement.key);
      Value value = Evaluate(*statement.value);
      if (failed_) return Flow::kReturn;
      Value* const table = FindTable(statement);
      if (table != nullptr) table->table()[TextOf(key, statement.span)] = std::move(value);
      return Flow::kNext;
    }
    case Statement::Kind::kAppendEntry: {
      const Value key = Evaluate(*statement.key);
      Value value = Evaluate(*statement.value);
      if (failed_) return Flow::kReturn;
      Value* const table = FindTable(statement);
      if (table == nullptr) return Flow::kReturn;
      const std::string entry = TextOf(key, statement.span);
      const auto found = table->table().find(entry);
      if (found == table->table().end()) {
        Fail(statement.span, statement.name + " has no entry '" + entry + "'");
      } else {
        Append(found->second, std::move(value), statement);
      }
      return Flow::kNext;
    }
    case Statement::Kind::kIf:
      for (const Statement::Arm& arm : statement.arms) {
        if (arm.condition == nullptr || TruthOf(Evaluate(*arm.condition), arm.condition->span)) {
          return failed_ ? Flow::kReturn : Execute(arm.body);
        }
        if (failed_) return Flow::kReturn;
      }
      return Flow::kNext;
    case Statement::Kind::kForeach: {
      const Value list = Evaluate(*statement.value);
      if (failed_) return Flow::kReturn;
      std::vector<Value> elements;
      if (list.kind() == Value::Kind::kArray) {
        elements = list.array();
      } else if (list.kind() == Value::Kind::kTable) {
        for (const auto& [key, ignored] : list.table()) elements.emplace_back(key);
      } else {
        Fail(statement.value->span, "foreach goes through an array or a table");
      }
      for (Value& element : elements) {
        locals_.emplace_back();
        locals_.back()[statement.name] = {std::move(element), false};
        const Flow flow = Execute(statement.body);
        locals_.pop_back();
        if (flow == Flow::kReturn) return flow;
      }
      return Flow::kNext;
    }
    case Statement::Kind::kProcedure:
      Assign(statement, Value::OfProcedure(statement.procedure.get(), statement.name));
      return Flow::kNext;
    case Statement::Kind::kReturn:
      result_ = statement.value == nullptr ? Value() : Evaluate(*statement.value);
      return Flow::kReturn;
    case Statement::Kind::kRedirect: return ExecuteRedirected(statement);
  }
  return Flow::kNext;
}

Interpreter::Flow Interpreter::ExecuteRedirected(const Statement& statement) {
  const std::string name = TextOf(Evaluate(*statement.value), statement.value->span);
  if (failed_) return Flow::kReturn;
  std::string written;
  outputs_.push_back(&written);
  const Flow flow = Execute(statement.body);
  outputs_.pop_back();
  const std::string path = Made(name);
  const std::string problem =
      statement.append ? AppendToFile(path, written) : WriteIfChanged(path, written);
  if (!problem.empty()) Fail(statement.span, problem);
  return flow;
}

void Interpreter::Write(const std::string& text) {
  if (outputs_.empty()) {
    had_effects_ = true;
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else {
    *outputs_.back() += text;
  }
}

// --- expressions ---

std::string Interpreter::TextOf(const Value& value, SourceSpan span) {
  switch (value.kind()) {
    case Value::Kind::kText: return value.text();
    case Value::Kind::kArray: {
      if (!HasStackRoom(span)) return "";
      // As in CM3: the elements with blanks between them.
      std::string all;
      for (const Value& element : value.array()) {
        if (failed_) break;
        if (!all.empty()) all += ' ';
        all += TextOf(element, span);
      }
      return all;
    }
    default: break;
  }
  Fail(span, "this is not a text");
  return "";
}

bool Interpreter::TruthOf(const Value& value, SourceSpan span) {
  if (value.is_text()) return !value.text().empty() && value.text() != "FALSE";
  if (value.kind() == Value::Kind::kArray) return !value.array().empty();
  if (value.kind() == Value::Kind::kTable) return !value.table().empty();
  Fail(span, "a condition must be TRUE or FALSE");
  return false;
}

Value Interpreter::Evaluate(const Expression& expression) {
  if (failed_ || !HasStackRoom(expression.span)) return {};
  const auto operand = [&](size_t i) { return Evaluate(*expression.operands[i]); };
  const auto truth = [&](size_t i) { return TruthOf(operand(i), expression.operands[i]->span); };
  switch (expression.kind) {
    case Expression::Kind::kText: return Value(expression.text);
    case Expression::Kind::kName: {
      if (const Variable* variable = Find(expression.text)) return variable->value;
      if (builtins_.count(expression.text) != 0)
        return Value::OfProcedure(nullptr, expression.text);
      FailUndefined(expression.text, expression.span);
      return {};
    }
    case Expression::Kind::kEnvironment: return Value(Environment(expression.text));
    case Expression::Kind::kCall: return EvaluateCall(expression);
    case Expression::Kind::kIndex: {
      Value whole = operand(0);
      for (size_t i = 1; i < expression.operands.size() && !failed_; ++i) {
        // In two steps: the element may be the last reference to its array.
        Value element = ElementOf(whole, operand(i), expression.span);
        whole = std::move(element);
      }
      return whole;
    }
    case Expression::Kind::kArray: {
      Value::Array elements;
      for (size_t i = 0; i < expression.operands.size(); ++i) elements.push_back(operand(i));
      return Value::OfArray(std::move(elements));
    }
    case Expression::Kind::kTable: {
      Value::Table table;
      for (size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
        table[TextOf(operand(i), expression.operands[i]->span)] = operand(i + 1);
      }
      return Value::OfTable(std::move(table));
    }
    case Expression::Kind::kNot: return Value::OfBool(!truth(0));
    case Expression::Kind::kAnd:
    case Expression::Kind::kOr: {
      const bool decides = expression.kind == Expression::Kind::kOr;
      for (size_t i = 0; i < expression.operands.size() && !failed_; ++i) {
        if (truth(i) == decides) return Value::OfBool(decides);
      }
      return Value::OfBool(!decides);
    }
    case Expression::Kind::kContains: {
      Value whole = operand(0);
      for (size_t i = 1; i < expression.operands.size(); ++i) {
        const std::string wanted = TextOf(operand(i), expression.operands[i]->span);
        if (failed_) return {};
        whole = Value::OfBool(Contains(whole, wanted, expression.span));
      }
      return whole;
    }
    case Expression::Kind::kConcatenate: {
      std::string all;
      for (size_t i = 0; i < expression.operands.size() && !failed_; ++i) {
        all += TextOf(operand(i), expression.operands[i]->span);
      }
      return Value(std::move(all));
    }
  }
  return {};
}

Value Interpreter::ElementOf(const Value& whole, const Value& key, SourceSpan span) {
  if (failed_) return {};
  if (whole.kind() == Value::Kind::kTable) {
    const auto found = whole.table().find(TextOf(key, span));
    if (found != whole.table().end()) return found->second;
    Fail(span, "the table has no entry '" + TextOf(key, span) + "'");
    return {};
  }
  if (whole.kind() == Value::Kind::kArray) {
    const std::string text = TextOf(key, span);
    size_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (is_number && index < whole.array().size()) return whole.array()[index];
    Fail(span, "the array has no element " + (is_number ? text : "'" + text + "'"));
    return {};
  }
  Fail(span, "only tables and arrays have elements");
  return {};
}

bool Interpreter::Contains(const Value& whole, const std::string& wanted, SourceSpan span) {
  if (whole.kind() == Value::Kind::kTable) return whole.table().count(wanted) != 0;
  if (whole.kind() == Value::Kind::kArray) {
    return std::any_of(whole.array().begin(), whole.array().end(), [&](const Value& element) {
      return element.is_text() && element.text() == wanted;
    });
  }
  return TextOf(whole, span).find(wanted) != std::string::npos;
}

bool Interpreter::HasStackRoom(SourceSpan span) {
  constexpr size_t kRoom = 512 << 10;  // for a procedure of the host and what it calls
  if (StackRoom() >= kRoom) return true;
  Fail(span, "nested too deeply");
  return false;
}

Value Interpreter::EvaluateCall(const Expression& call) {
  std::vector<Value> arguments;
  for (const auto& operand : call.operands) arguments.push_back(Evaluate(*operand));
  if (failed_) return {};
  return CallByName(call.text, std::move(arguments), call.span);
}

Value Interpreter::CallByName(std::string name, std::vector<Value> arguments, SourceSpan span) {
  if (const Variable* variable = Find(name)) {
    if (variable->value.kind() != Value::Kind::kProcedure) {
      Fail(span, name + " is not a procedure");
      return {};
    }
    if (const ProcedureDefinition* procedure = variable->value.procedure()) {
      return Invoke(*procedure, std::move(arguments), span);
    }
    name = variable->value.text();
  }
  const auto found = builtins_.find(name);
  if (found == builtins_.end()) {
    const Call unknown{*this, name, span, std::move(arguments)};
    if (unknown_call_ && unknown_call_(unknown)) return {};
    FailUnknown(name, span);
    return {};
  }
  const Builtin& builtin = found->second;
  if (arguments.size() < builtin.arguments_min ||
      (builtin.arguments_max != kAnyNumber && arguments.size() > builtin.arguments_max)) {
    std::string wanted = std::to_string(builtin.arguments_min);
    if (builtin.arguments_max == kAnyNumber) {
      wanted += " or more";
    } else if (builtin.arguments_max != builtin.arguments_min) {
      wanted += " to " + std::to_string(builtin.arguments_max);
    }
    Fail(span, name + " takes " + wanted + (wanted == "1" ? " argument" : " arguments") + ", not " +
                   std::to_string(arguments.size()));
    return {};
  }
  return builtin.function(Call{*this, name, span, std::move(arguments)});
}

// A variable without a value. Texts are often written without their quotes.
void Interpreter::FailUndefined(const std::string& name, SourceSpan span) {
  NearNames near(name);
  for (const Scope& scope : locals_) {
    for (const auto& [known, variable] : scope) near.Consider(known);
  }
  for (const auto& [known, variable] : globals_) near.Consider(known);
  if (near.is_sure()) {
    Fail(span, name + " is not defined; did you mean " + near.best() + "?").Fix(span, near.best());
  } else {
    Fail(span, name + " is not defined; a text stands in quotes: \"" + name + "\"")
        .Fix(span, "\"" + name + "\"");
  }
}

// A call of a procedure that does not exist.
void Interpreter::FailUnknown(const std::string& name, SourceSpan span) {
  NearNames near(name);
  // The spelling in small letters comes first; Program and program are two names of one command.
  std::vector<std::string> names;
  for (const auto& [known, builtin] : builtins_) names.push_back(known);
  std::stable_partition(names.begin(), names.end(), [](const std::string& known) {
    return std::islower(static_cast<unsigned char>(known[0])) != 0;
  });
  std::set<std::string> considered;
  for (const std::string& known : names) {
    std::string lower = known;
    lower[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(lower[0])));
    if (considered.insert(lower).second) near.Consider(known);
  }
  for (const auto& [known, variable] : globals_) {
    if (variable.value.kind() == Value::Kind::kProcedure) near.Consider(known);
  }
  if (near.best().empty()) {
    Fail(span, "unknown Quake procedure '" + name +
                   "': import the package whose template defines it, or define it with proc");
    return;
  }
  DiagnosticBuilder error =
      Fail(span, "unknown Quake procedure '" + name + "'; did you mean " + near.best() + "?");
  const uint32_t end = span.begin + static_cast<uint32_t>(name.size());
  if (near.is_sure() && span.valid() && span.file->Span(span.begin, end).text() == name) {
    error.Fix(span.file->Span(span.begin, end), near.best());
  }
}

Value Interpreter::Invoke(const ProcedureDefinition& procedure, std::vector<Value> arguments,
                          SourceSpan span) {
  if (arguments.size() != procedure.formals.size()) {
    Fail(span, procedure.name + " takes " + std::to_string(procedure.formals.size()) +
                   (procedure.formals.size() == 1 ? " argument, not " : " arguments, not ") +
                   std::to_string(arguments.size()));
    return {};
  }
  if (depth_ > kMaxDepth) {
    Fail(span, "procedures call each other without end");
    return {};
  }
  frames_.push_back(locals_.size());
  locals_.emplace_back();
  for (size_t i = 0; i < arguments.size(); ++i) {
    locals_.back()[procedure.formals[i]] = {std::move(arguments[i]), false};
  }
  result_ = Value();
  ++depth_;
  Execute(procedure.body);
  --depth_;
  locals_.resize(frames_.back());
  frames_.pop_back();
  return std::move(result_);
}

}  // namespace tenure::compiler::quake
