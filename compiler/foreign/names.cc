// Names that are declared, formals and headings in the forms of other languages.
#include <algorithm>

#include "compiler/foreign/tables/words.h"
#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

void Repairer::SkipFieldWord(ast::FieldGroup& field) {
  if (!p_.AtIdent() || !p_.Helps(1) || p_.PeekKind(1) != kIdentifier ||
      (p_.PeekKind(2) != kColon && p_.PeekKind(2) != kComma)) {
    return;
  }
  const std::string text = p_.token().name.str();
  const ForeignWord* word = FindForeignWord(In(WordPlace::kField), Upper(text));
  if (word == nullptr) return;
  const SourceSpan replaced =
      word->ours.empty() ? file_.Span(p_.token().begin, p_.Peek(1).begin) : p_.TokenSpan();
  p_.RepairForeign(word->form, p_.TokenSpan(), {text, std::string(word->advice)})
      .Fix(replaced, word->ours);
  if (!word->ours.empty()) field.is_transient = true;
  p_.Advance();
}

bool Repairer::FixLengthBehindName(ast::TypeExpr*& type, SourceSpan name) {
  if (!p_.At(kLeftBracket) || !p_.Helps()) return false;
  const size_t behind = p_.BehindBrackets(p_.position_);
  if (behind >= tokens_.size()) return false;
  const SourceSpan brackets = p_.SpanOf(p_.position_, behind - 1);
  const std::string inner(file_.Span(p_.token().end, tokens_[behind - 1].begin).text());
  const bool has_colon = tokens_[behind].kind == kColon;
  const bool is_range = inner.find("..") != std::string::npos;
  std::string index = is_range ? inner : "0.." + inner + " - 1";
  if (!is_range && p_.PeekKind(1) == kNumber && p_.PeekKind(2) == kRightBracket &&
      p_.Peek(1).value > 0) {
    index = "0.." + std::to_string(p_.Peek(1).value - 1);
  }
  p_.AdvanceTo(behind);
  const uint32_t type_begin =
      has_colon ? tokens_[std::min(behind + 1, tokens_.size() - 1)].begin : p_.token().begin;
  p_.has_repairs_ = true;
  const bool may_report = p_.MayRepair();
  if (has_colon) p_.Advance();
  if (p_.AtIdent() || p_.StartsType(p_.kind())) {
    p_.ParseType();
  } else if (p_.MayReport()) {
    p_.ReportExpected("a type", "2.4");
  }
  type = p_.New<ast::ErrorType>();
  type->span = brackets;
  const std::string ours = ": ARRAY [" + index + "] OF ";
  if (may_report) {
    p_.ShowForeign(ForeignForm::kNameSuffix, file_.Span(name.begin, brackets.end),
                   {std::string(file_.Span(name.begin, brackets.end).text()),
                    std::string(name.text()) + ours + "T"})
        .Fix(file_.Span(brackets.begin, type_begin), ours);
  }
  return true;
}

void Repairer::ParseTypeWithoutColon(ast::TypeExpr*& type, SourceSpan name) {
  if (p_.MayRepair()) {
    const std::string first(name.text());
    const std::string_view meant = TypeOfWord(Upper(first));
    if (!meant.empty() && p_.AtIdent() && TypeOfWord(Upper(p_.TokenSpan().text())).empty()) {
      // `int x`: the first word is the type. The name that is declared is the second word.
      p_.unit_has_errors_ = true;
      const SourceSpan whole = file_.Span(name.begin, p_.token().end);
      const std::string ours = std::string(p_.TokenSpan().text()) + ": " + std::string(meant);
      p_.ShowForeign(ForeignForm::kTypeBeforeName, whole, {std::string(whole.text()), ours})
          .Fix(whole, ours);
      p_.Advance();
      type = p_.New<ast::ErrorType>();
      type->span = whole;
      return;
    }
    p_.Repair(MessageId::kExpected, p_.TokenSpan(), "':'", p_.DescribeToken(), "2.2")
        .Fix(p_.AfterPrevious(), ":");
  }
  type = p_.ParseType();
}

void Repairer::SkipExportMark() {
  if ((!p_.At(kStar) && !p_.At(kMinus)) || !p_.Helps() || p_.token().begin != p_.previous_end_) {
    return;
  }
  switch (p_.PeekKind(1)) {
    case kEqual:
    case kColon:
    case kComma:
    case kLeftParen:
    case kSubtype:
    case kSemicolon: break;
    default: return;
  }
  if (!export_marks_reported_) {
    export_marks_ = p_.RepairForeign(ForeignForm::kExportMark, p_.TokenSpan());
  }
  export_marks_reported_ = true;
  export_marks_.Fix(p_.TokenSpan(), "");
  p_.Advance();
}

// --- headings of procedures ---

bool Repairer::FixForeignFormal(ast::FormalGroup& formal) {
  if (!p_.Helps(1)) return false;
  const std::string word = p_.token().name.str();
  const std::string upper = Upper(word);
  const uint32_t begin = p_.token().begin;
  if ((upper == "OUT" || upper == "INOUT" || upper == "REF" || upper == "CONST") &&
      p_.PeekKind(1) == kIdentifier && p_.PeekKind(2) == kColon) {
    const SourceSpan span = p_.TokenSpan();
    p_.RepairForeign(ForeignForm::kFormalMode, span, {word + " x: T"})
        .Fix(span, upper == "CONST" ? "READONLY" : "VAR");
    formal.mode = upper == "CONST" ? ast::Mode::kReadonly : ast::Mode::kVar;
    p_.Advance();
    formal.names = p_.ParseIdList("a formal's name", "2.2");
    p_.ParseTypeAndValue(formal.type, formal.default_value, "a formal", "a default",
                         formal.names.back().span);
    return true;
  }
  if (p_.PeekKind(1) != kIdentifier || TypeOfWord(upper).empty()) return false;
  const std::string name = p_.Peek(1).name.str();
  const SourceSpan whole = file_.Span(begin, p_.Peek(1).end);
  const std::string ours = name + ": " + std::string(TypeOfWord(upper));
  p_.RepairForeign(ForeignForm::kTypeBeforeName, whole, {word + " " + name, ours}).Fix(whole, ours);
  ast::NamedType* type = p_.New<ast::NamedType>();
  type->id.name = {p_.interner_.Intern(TypeOfWord(upper)), p_.TokenSpan()};
  type->id.span = type->span = p_.TokenSpan();
  p_.Advance();
  formal.names = {{p_.token().name, p_.TokenSpan()}};
  p_.Advance();
  formal.type = type;
  return true;
}

void Repairer::FixModeBehindColon(ast::FormalGroup& formal) {
  if (!p_.At(kColon) || !p_.Helps(2)) return;
  const auto is_mode = [this](size_t ahead) {
    const TokenKind k = p_.PeekKind(ahead);
    return k == kIn || k == kVar || k == kReadonly ||
           ((p_.IsWord(ahead, "OUT") || p_.IsWord(ahead, "INOUT")) &&
            (p_.PeekKind(ahead + 1) == kIdentifier || p_.StartsType(p_.PeekKind(ahead + 1))));
  };
  size_t words = 0;
  bool changes = false;
  while (is_mode(words + 1)) {
    changes = changes || p_.PeekKind(words + 1) == kVar || p_.PeekKind(words + 1) == kIdentifier;
    ++words;
  }
  if (words == 0) return;
  const Token &first = p_.Peek(1), &last = p_.Peek(words);
  const SourceSpan mode = file_.Span(first.begin, last.end);
  const uint32_t begin = formal.names.front().span.begin;
  const std::string_view ours = changes ? "VAR " : "";
  DiagnosticBuilder error = p_.RepairForeign(ForeignForm::kFormalMode, mode);
  if (!ours.empty()) error.Fix(file_.Span(begin, begin), ours);
  error.Fix(file_.Span(first.begin, tokens_[p_.position_ + words + 1].begin), "");
  if (changes) formal.mode = ast::Mode::kVar;
  tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(p_.position_) + 1,
                tokens_.begin() + static_cast<std::ptrdiff_t>(p_.position_ + words) + 1);
}

bool Repairer::SkipReceiver() {
  const size_t name = p_.position_ + (p_.PeekKind(1) == kVar ? 2 : 1);
  if (!p_.At(kLeftParen) || !p_.Helps() || name + 1 >= tokens_.size() ||
      tokens_[name].kind != kIdentifier || tokens_[name + 1].kind != kColon) {
    return false;
  }
  const size_t behind = p_.BehindBrackets(p_.position_);
  if (tokens_[behind].kind != kIdentifier) return false;
  p_.AdvanceTo(behind);
  return true;
}

void Repairer::ReportReceiver(size_t receiver, const ast::Ident& name) {
  const size_t behind = p_.BehindBrackets(receiver);
  const SourceSpan whole = p_.SpanOf(receiver, behind - 1);
  const std::string formal(file_.Span(tokens_[receiver].end, tokens_[behind - 1].begin).text());
  // The body uses the formal.
  p_.unit_has_errors_ = true;
  DiagnosticBuilder error =
      p_.ShowForeign(ForeignForm::kReceiver, whole, {formal, name.name ? name.name.str() : "P"});
  if (p_.At(kLeftParen)) {
    error.Fix(file_.Span(whole.begin, name.span.begin), "")
        .Fix(file_.Span(p_.token().end, p_.token().end),
             formal + (p_.PeekKind(1) == kRightParen ? "" : "; "));
  }
}

void Repairer::ParseForeignHeading() {
  if (!p_.Helps()) return;
  if (p_.AtWord("THROWS") || p_.AtWord("THROW")) {
    const uint32_t begin = p_.token().begin, list = p_.token().end;
    DiagnosticBuilder error = p_.RepairForeign(ForeignForm::kThrows, p_.TokenSpan());
    p_.unit_has_errors_ = true;
    p_.SkipTo({kEqual, kSemicolon, kBegin});
    std::string_view names = file_.Span(list, p_.previous_end_).text();
    while (names.starts_with(' ')) names.remove_prefix(1);
    if (names.find_first_of("({") == std::string_view::npos) {
      error.Fix(p_.SpanFrom(begin), "RAISES {" + std::string(names) + "}");
    }
    p_.last_error_ = p_.position_;
  }
  if (p_.AtWord("IS") || p_.At(kAs)) {
    const SourceSpan span = p_.TokenSpan();
    p_.RepairForeign(ForeignForm::kIs, span).Fix(span, "=");
    p_.Rewrite(p_.position_).kind = kEqual;
  }
}

}  // namespace tenure::compiler
