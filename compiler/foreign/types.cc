// Types in the forms of other languages.
#include <algorithm>

#include "compiler/foreign/tables/words.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {
namespace {

constexpr char kGenericAdvice[] =
    "a generic type is an instance of a generic unit: INTERFACE IntSeq = Sequence(Integer) END "
    "IntSeq. in IntSeq.i3, and then IntSeq.T";

}  // namespace

ast::TypeExpr* Repairer::ParseForeignType() {
  if (p_.grammar_only_) return nullptr;
  switch (p_.kind()) {
    case kCaret: return ParseReference("^T", 1);
    case kStar: return ParseReference("*T", 1);
    case kAmpersand: return ParseReference("&T", 1);
    case kNumber:
    case kCharLiteral:
    case kMinus: return ParseBareSubrange();
    case kLeftParen:
      if (p_.PeekKind(1) == kIdentifier && p_.PeekKind(2) == kComma && p_.Helps(2)) {
        return ParseEnumeration(p_.BehindBrackets(p_.position_));
      }
      break;
    default: break;
  }
  if (ast::TypeExpr* type = ParseForeignObject()) return type;
  // All others are a name that no type goes on behind.
  if (!p_.AtIdent() || !p_.Helps(1)) return nullptr;
  if (ast::TypeExpr* type = ParseTypeWord()) return type;
  const std::string word = p_.token().name.str();
  const std::string upper = Upper(word);
  const TokenKind next = p_.PeekKind(1);
  if (upper == "POINTER" && next == kTo) return ParseReference(word + " TO T", 2);
  if (upper == "POINTER" && p_.IsWord(1, "TO")) return ParseReference(word + " to T", 2);
  if (upper == "ACCESS" && next == kIdentifier) return ParseReference(word + " T", 1);
  if ((upper == "CLASS" || upper == "STRUCT") && (next == kIdentifier || next == kLeftBrace)) {
    return ParseStruct(upper == "CLASS");
  }
  if (upper == "ENUM" && next == kLeftBrace) {
    return ParseEnumeration(p_.BehindBrackets(p_.position_ + 1));
  }
  if (next != kLeftBracket) return nullptr;
  if (p_.FixMisspelling({kArray}, "2.4")) return p_.ParsePrimaryType();
  return ParseArraySuffix();
}

// What was reported as a type of another language, and read.
ast::TypeExpr* Repairer::FinishErrorType(uint32_t begin) {
  p_.last_error_ = p_.position_;
  return p_.Finish(p_.New<ast::ErrorType>(), begin);
}

// `^T`, `POINTER TO T`, whose mark has so many tokens.
ast::TypeExpr* Repairer::ParseReference(const std::string& form, size_t tokens) {
  const SourceSpan mark = p_.SpanTo(tokens - 1);
  const bool needs_space = p_.Peek(tokens).begin == mark.end;
  p_.RepairForeign(ForeignForm::kPointer, mark, {form}).Fix(mark, needs_space ? "REF " : "REF");
  p_.AdvanceTo(p_.position_ + tokens);
  ast::RefType* type = p_.New<ast::RefType>();
  type->referent = p_.ParseType();
  return p_.Finish(type, mark.begin);
}

// `(a, b)`, `enum {a, b}`, up to the token behind its bracket.
ast::TypeExpr* Repairer::ParseEnumeration(size_t behind) {
  const bool has_word = p_.AtIdent();
  const SourceSpan first = p_.TokenSpan();
  const size_t open = p_.position_ + (has_word ? 1 : 0);
  const SourceSpan opening = p_.SpanOf(open, open);
  const SourceSpan closing = p_.SpanOf(behind - 1, behind - 1);
  const SourceSpan whole = file_.Span(first.begin, closing.end);
  const std::string elements(file_.Span(opening.end, closing.begin).text());
  const std::string ours = "{" + elements + "}";
  if (has_word) {
    p_.RepairForeign(ForeignForm::kEnumeration, first, {std::string(first.text()), ours})
        .Fix(whole, ours);
  } else {
    p_.RepairForeign(ForeignForm::kEnumeration, whole, {"(" + elements + ")", ours})
        .Fix(opening, "{")
        .Fix(closing, "}");
  }
  p_.AdvanceTo(open + 1);
  ast::EnumerationType* type = p_.New<ast::EnumerationType>();
  type->elements = p_.ParseIdList("an element's name", "2.4");
  if (has_word) {
    p_.AdvanceTo(behind);
  } else {
    p_.CloseBracket(kRightParen, "',' or ')'", opening);
  }
  return p_.Finish(type, first.begin);
}

// `0..9`.
ast::TypeExpr* Repairer::ParseBareSubrange() {
  if (p_.PeekKind(p_.At(kMinus) ? 2 : 1) != kDotDot) return nullptr;
  const uint32_t begin = p_.token().begin;
  ast::SubrangeType* type = p_.New<ast::SubrangeType>();
  const size_t before = p_.last_error_;
  type->low = p_.ParseExpr();
  p_.Advance();
  type->high = p_.ParseExpr();
  p_.last_error_ = before;
  const SourceSpan whole = p_.SpanFrom(begin);
  p_.has_repairs_ = true;
  p_.ShowForeign(ForeignForm::kBareSubrange, whole)
      .Fix(file_.Span(whole.begin, whole.begin), "[")
      .Fix(file_.Span(whole.end, whole.end), "]");
  return p_.Finish(type, begin);
}

// `CLASS x: T END`, `STRUCT { ... }`.
ast::TypeExpr* Repairer::ParseStruct(bool is_class) {
  const uint32_t begin = p_.token().begin;
  DiagnosticBuilder error = p_.ReportForeign(
      ForeignForm::kStruct, p_.TokenSpan(),
      {p_.token().name.str(),
       is_class ? "OBJECT fields METHODS ... OVERRIDES ... END" : "RECORD fields END"});
  if (p_.PeekKind(1) != kIdentifier) {
    p_.Advance();
    p_.SkipBalanced(kLeftBrace, kRightBrace);
    return FinishErrorType(begin);
  }
  error.Fix(p_.TokenSpan(), is_class ? "OBJECT" : "RECORD");
  p_.Rewrite(p_.position_).kind = is_class ? kObject : kRecord;
  return p_.ParsePrimaryType();
}

// `STRING[20]`, `INTEGER[10]`.
ast::TypeExpr* Repairer::ParseArraySuffix() {
  const SourceSpan span = p_.TokenSpan();
  const std::string_view word = p_.token().name.view();
  const std::string upper = Upper(word);
  const size_t behind = p_.BehindBrackets(p_.position_ + 1);
  const SourceSpan whole = file_.Span(span.begin, tokens_[behind - 1].end);
  if (upper == "STRING" || upper == "TEXT") {
    p_.RepairForeign(ForeignForm::kTextLength, whole).Fix(whole, "TEXT");
    ast::NamedType* named = p_.New<ast::NamedType>();
    named->id.name = {p_.interner_.Intern("TEXT"), span};
    named->id.span = span;
    p_.AdvanceTo(behind);
    return p_.Finish(named, span.begin);
  }
  const std::string inner(file_.Span(p_.Peek(1).end, tokens_[behind - 1].begin).text());
  const std::string_view element = TypeOfWord(upper);
  std::string index;
  if (!inner.empty()) {
    index =
        inner.find("..") != std::string::npos ? "[" + inner + "] " : "[0.." + OneLess(inner) + "] ";
  }
  const std::string ours = "ARRAY " + index + "OF " + std::string(element.empty() ? word : element);
  p_.RepairForeign(ForeignForm::kArraySuffix, whole, {std::string(whole.text()), ours})
      .Fix(whole, ours);
  p_.AdvanceTo(behind);
  return p_.Finish(p_.New<ast::ErrorType>(), span.begin);
}

// --- words ---

ast::TypeExpr* Repairer::ParseTypeWord() {
  const uint32_t begin = p_.token().begin;
  const std::string word = p_.token().name.str();
  const std::string upper = Upper(word);
  const TokenKind next = p_.PeekKind(1);
  if (upper == "UNSIGNED" || upper == "SIGNED" || upper == "LONG" || upper == "SHORT") {
    if (ast::TypeExpr* type = ParseSizedType(upper)) return type;
  }
  if (upper == "NEW" && (next == kIdentifier || Parser::StartsType(next))) {
    // `TYPE Meters IS NEW INTEGER`
    return ParseTypeBehindWord(
        "a type has no copies: TYPE T = INTEGER is another name for INTEGER; a "
        "RECORD of one field, or a BRANDED reference, is a type of its own");
  }
  if (upper == "RANGE" && (next == kNumber || next == kMinus)) {
    // `RANGE 1 .. 9`
    const SourceSpan span = p_.TokenSpan();
    p_.Advance();
    const uint32_t low = p_.token().begin;
    ast::SubrangeType* type = p_.New<ast::SubrangeType>();
    type->low = p_.ParseExpr();
    type->high = p_.Expect(kDotDot, "2.4") ? p_.ParseExpr() : p_.MakeErrorExpr();
    const std::string ours = "[" + std::string(p_.SpanFrom(low).text()) + "]";
    p_.has_repairs_ = true;
    p_.ShowForeign(ForeignForm::kTypeWord, span, {word, "a subrange is " + ours})
        .Fix(p_.SpanFrom(begin), ours);
    return p_.Finish(type, begin);
  }
  if (const ForeignWord* type_word = FindForeignWord(In(WordPlace::kType), upper)) {
    switch (next) {
      case kArray:
      case kSet:
        if (upper == "PACKED") return ParseTypeBehindWord(type_word->advice);
        break;
      case kRecord:
        if (upper == "PACKED") return ParseTypeBehindWord(type_word->advice);
        return SkipTypeWord(*type_word);
      case kOf:
      case kIdentifier:
      case kLeftParen:
      case kObject: return SkipTypeWord(*type_word);
      default: break;
    }
  }
  const ForeignWord* generic = FindForeignWord(In(WordPlace::kGenericType), upper);
  if (next == kLess || (next == kLeftBracket && generic != nullptr)) {
    return SkipGenericType(generic == nullptr ? kGenericAdvice : generic->advice);
  }
  return nullptr;
}

// `PACKED RECORD`: leaves out the word.
ast::TypeExpr* Repairer::ParseTypeBehindWord(std::string_view advice) {
  p_.RepairForeign(ForeignForm::kTypeWord, p_.TokenSpan(),
                   {p_.token().name.str(), std::string(advice)})
      .Fix(file_.Span(p_.token().begin, p_.Peek(1).begin), "");
  p_.Advance();
  return p_.ParseType();
}

// `unsigned int`, at the first word.
ast::TypeExpr* Repairer::ParseSizedType(std::string_view upper) {
  if (p_.PeekKind(1) != kIdentifier) return nullptr;
  const std::string second = Upper(p_.Peek(1).name.view());
  if (second != "INT" && second != "LONG" && second != "SHORT" && second != "CHAR" &&
      second != "INTEGER" && second != "DOUBLE") {
    return nullptr;
  }
  const std::string ours = upper == "UNSIGNED"  ? (second == "CHAR" ? "[0..255]" : "CARDINAL")
                           : second == "DOUBLE" ? "LONGREAL"
                                                : "INTEGER";
  const SourceSpan both = p_.SpanTo(1);
  p_.RepairForeign(ForeignForm::kTypeWord, both, {std::string(both.text()), "write " + ours})
      .Fix(both, ours);
  p_.Advance();
  p_.Advance();
  return FinishErrorType(both.begin);
}

ast::TypeExpr* Repairer::SkipTypeWord(const ForeignWord& word) {
  const uint32_t begin = p_.token().begin;
  const bool has_variants = p_.AtWord("UNION") || p_.AtWord("VARIANT");
  p_.ReportForeign(word.form, p_.TokenSpan(), {p_.token().name.str(), std::string(word.advice)});
  p_.Advance();
  if (p_.Accept(kOf)) {
    p_.ParseType();
  } else if (has_variants) {
    SkipToEnd(/*case_opens=*/true);
  } else {
    p_.SkipBalanced(kLeftParen, kRightParen);
    while (!p_.At(kSemicolon) && !p_.AtDeclarationStart() &&
           !p_.AtAny({kEnd, kRightParen, kEqual, kAssign, kEndOfFile})) {
      p_.Advance();
    }
  }
  return FinishErrorType(begin);
}

// `Vec<T>`, `map[K]V`, `list[T]`.
ast::TypeExpr* Repairer::SkipGenericType(std::string_view advice) {
  const uint32_t begin = p_.token().begin;
  p_.Advance();
  if (p_.At(kLess)) {
    int depth = 0;
    do {
      if (p_.At(kLess)) ++depth;
      if (p_.At(kGreater)) --depth;
      p_.Advance();
    } while (depth > 0 && !p_.At(kSemicolon) && !p_.At(kEndOfFile) && !p_.AtDeclarationStart());
  } else {
    p_.SkipBalanced(kLeftBracket, kRightBracket);
    if (p_.AtIdent() || Parser::StartsType(p_.kind())) p_.ParseType();
  }
  const SourceSpan whole = p_.SpanFrom(begin);
  p_.ReportForeign(ForeignForm::kTypeWord, whole, {std::string(whole.text()), std::string(advice)});
  return FinishErrorType(begin);
}

ast::TypeExpr* Repairer::ParseForeignObject() {
  const uint32_t begin = p_.token().begin;
  if (p_.At(kInterface) && p_.Helps()) {
    p_.ReportForeign(ForeignForm::kTypeWord, p_.TokenSpan(),
                     {"INTERFACE",
                      "an interface is a unit; methods for several types are those of a supertype: "
                      "OBJECT METHODS area(): REAL END"});
    p_.Advance();
    SkipToEnd(/*case_opens=*/true);
    return p_.Finish(p_.New<ast::ErrorType>(), begin);
  }
  if (!p_.At(kObject) && !p_.AtWord("CLASS")) return nullptr;
  size_t name = 0;
  if (p_.IsWord(1, "EXTENDS") && p_.PeekKind(2) == kIdentifier) name = 2;
  if (p_.PeekKind(1) == kLeftParen && p_.PeekKind(2) == kIdentifier &&
      p_.PeekKind(3) == kRightParen) {
    name = 2;
  }
  if (name == 0 || !p_.Helps(name)) return nullptr;
  const size_t last = p_.position_ + name + (p_.PeekKind(1) == kLeftParen ? 1 : 0);
  const SourceSpan heading = file_.Span(begin, tokens_[last].end);
  const Token supertype = p_.Peek(name);
  const std::string ours = supertype.name.str() + " OBJECT";
  p_.RepairForeign(ForeignForm::kSupertype, heading, {std::string(heading.text()), ours})
      .Fix(heading, ours);
  // As if they stood in the right order; ParseObjectSuffixes takes OBJECT.
  p_.Rewrite(p_.position_) = supertype;
  tokens_[p_.position_ + 1].kind = kObject;
  tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(p_.position_) + 2,
                tokens_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  return p_.ParseNamedType();
}

// --- generic types, indices, results ---

void Repairer::SkipGenericActuals(uint32_t begin) {
  if (!p_.At(kLeftParen) || !p_.Helps() || p_.previous_end_ == begin ||
      file_.PhysicalLine(p_.previous_end_) != file_.PhysicalLine(p_.token().begin)) {
    return;
  }
  p_.SkipBalanced(kLeftParen, kRightParen);
  const SourceSpan whole = p_.SpanFrom(begin);
  p_.unit_has_errors_ = true;
  p_.ShowForeign(ForeignForm::kTypeWord, whole, {std::string(whole.text()), kGenericAdvice});
  p_.last_error_ = p_.position_;
}

bool Repairer::FixIndexList(ast::ArrayType& type) {
  const size_t behind = p_.BehindBrackets(p_.position_);
  if (behind >= tokens_.size() || tokens_[behind].kind != kOf || !p_.HelpsUpTo(behind)) {
    return false;
  }
  std::vector<SourceSpan> commas;
  int depth = 0;
  for (size_t i = p_.position_; i < behind; ++i) {
    switch (tokens_[i].kind) {
      case kLeftBracket:
      case kLeftParen: ++depth; break;
      case kRightBracket:
      case kRightParen: --depth; break;
      case kComma:
        if (depth == 1) commas.push_back(p_.SpanOf(i, i));
        break;
      default: break;
    }
  }
  if (commas.empty()) return false;
  const SourceSpan whole = p_.SpanOf(p_.position_, behind - 1);
  std::string ours;
  uint32_t from = whole.begin;
  for (const SourceSpan& comma : commas) {
    ours += std::string(file_.Span(from, comma.begin).text()) + "], [";
    from = comma.end;
    while (from < whole.end && file_.text()[from] == ' ') ++from;
  }
  ours += file_.Span(from, whole.end).text();
  p_.RepairForeign(ForeignForm::kIndexList, whole, {std::string(whole.text()), ours})
      .Fix(whole, ours);
  // The subscripts are two as well.
  p_.unit_has_errors_ = true;
  p_.AdvanceTo(behind);
  for (size_t i = 0; i <= commas.size(); ++i) {
    ast::ErrorType* index = p_.New<ast::ErrorType>();
    index->span = whole;
    type.indices.push_back(index);
  }
  return true;
}

ast::TypeExpr* Repairer::ParseResultType() {
  if (!p_.At(kLeftParen)) return p_.ParseType();
  const uint32_t begin = p_.token().begin;
  const size_t behind = p_.BehindBrackets(p_.position_);
  const bool has_comma = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(p_.position_),
                                     tokens_.begin() + static_cast<std::ptrdiff_t>(behind),
                                     [](const Token& t) { return t.kind == kComma; });
  if (!has_comma || !p_.HelpsUpTo(behind)) return p_.ParseType();
  p_.AdvanceTo(behind);
  const SourceSpan whole = p_.SpanFrom(begin);
  p_.unit_has_errors_ = true;
  p_.ShowForeign(ForeignForm::kSeveralResults, whole);
  p_.last_error_ = p_.position_;
  return p_.Finish(p_.New<ast::ErrorType>(), begin);
}

}  // namespace tenure::compiler
