// Types (language.md 2.4, 27.1).

#include <algorithm>

#include "compiler/parse/parse_state.h"

namespace tenure::compiler {

bool Parser::IsConventionPragma(TokenKind k) {
  switch (k) {
    case TokenKind::kPragmaApientry:
    case TokenKind::kPragmaApiprivate:
    case TokenKind::kPragmaC:
    case TokenKind::kPragmaCallback:
    case TokenKind::kPragmaCdecl:
    case TokenKind::kPragmaPascal:
    case TokenKind::kPragmaStdcall:
    case TokenKind::kPragmaWinapi:
    case TokenKind::kPragmaWinapiv: return true;
    default: return false;
  }
}

// Takes a calling-convention pragma if one is next.
bool Parser::ParseConvention(ast::CallingConvention& convention) {
  if (!IsConventionPragma(kind())) return false;
  const bool is_c =
      AtAny({TokenKind::kPragmaC, TokenKind::kPragmaCdecl, TokenKind::kPragmaWinapiv});
  convention = is_c ? ast::CallingConvention::kC : ast::CallingConvention::kStdcall;
  const SourceSpan opening = TokenSpan();
  Advance();
  ClosePragma(opening);
  return true;
}

// Whether the token can only begin a type. A name can begin an expression too.
bool Parser::StartsType(TokenKind k) {
  switch (k) {
    case TokenKind::kArray:
    case TokenKind::kBits:
    case TokenKind::kBranded:
    case TokenKind::kLeftBrace:
    case TokenKind::kLeftBracket:
    case TokenKind::kObject:
    case TokenKind::kProcedure:
    case TokenKind::kRecord:
    case TokenKind::kRef:
    case TokenKind::kRoot:
    case TokenKind::kSet:
    case TokenKind::kUntraced:
    case TokenKind::kPragmaTransient: return true;
    default: return IsConventionPragma(k);
  }
}

ast::TypeExpr* Parser::ParseType() {
  const Nesting nesting(*this, "the type");
  const int outer_depth = depth_;
  depth_ = 0;
  const uint32_t begin = token().begin;
  ast::TypeExpr* type = At(TokenKind::kPragmaTransient) ? ParseTransientType() : ParsePrimaryType();
  type->depth = static_cast<uint16_t>(depth_ + 1);
  type = ParseObjectSuffixes(type, begin);
  if (type->depth >= kMaxChain) GiveUp("the type");
  depth_ = std::max<int>(outer_depth, type->depth);
  return type;
}

// `T OBJECT ... END OBJECT ... END`: each OBJECT takes the type before it as its supertype.
ast::TypeExpr* Parser::ParseObjectSuffixes(ast::TypeExpr* type, uint32_t begin) {
  while (At(TokenKind::kObject) || At(TokenKind::kBranded)) {
    if (type->kind != ast::TypeKind::kNamed && type->kind != ast::TypeKind::kObject &&
        type->kind != ast::TypeKind::kError) {
      break;
    }
    depth_ = type->depth;
    const ast::Brand brand = ParseBrand();
    type = ParseObjectType(type, brand, begin);
    type->depth = static_cast<uint16_t>(depth_ + 1);
    if (type->depth >= kMaxChain) GiveUp("the type");
  }
  return type;
}

// A type without OBJECT suffixes.
ast::TypeExpr* Parser::ParsePrimaryType() {
  while (IsPragma(kind()) && !IsConventionPragma(kind())) SkipMisplacedPragma();
  if (ast::TypeExpr* type = repairs_.ParseForeignType()) return type;
  switch (kind()) {
    case TokenKind::kIdentifier:
      // No type continues with a name or a bracket.
      if ((PeekKind(1) == TokenKind::kIdentifier || PeekKind(1) == TokenKind::kLeftBracket) &&
          FixMisspelling(
              {TokenKind::kRecord, TokenKind::kObject, TokenKind::kArray, TokenKind::kUntraced,
               TokenKind::kBranded, TokenKind::kRef, TokenKind::kSet},
              "2.4")) {
        return ParsePrimaryType();
      }
      return ParseNamedType();
    case TokenKind::kRoot: return ParseNamedType();
    case TokenKind::kArray: return ParseArrayType();
    case TokenKind::kBits: return ParsePackedType();
    case TokenKind::kLeftBrace: return ParseEnumerationType();
    case TokenKind::kProcedure: return ParseProcedureType();
    case TokenKind::kRecord: return ParseRecordType();
    case TokenKind::kUntraced:
      if (PeekKind(1) == TokenKind::kRoot) return ParseNamedType();
      return ParseRefOrObjectType();
    case TokenKind::kBranded:
    case TokenKind::kObject:
    case TokenKind::kRef: return ParseRefOrObjectType();
    case TokenKind::kSet: return ParseSetType();
    case TokenKind::kLeftBracket: return ParseSubrangeType();
    case TokenKind::kLeftParen: {
      const SourceSpan opening = TokenSpan();
      Advance();
      ast::TypeExpr* type = ParseType();
      CloseBracket(TokenKind::kRightParen, "')'", opening);
      return Finish(type, opening.begin);
    }
    default:
      if (IsConventionPragma(kind())) return ParseProcedureType();
      ReportExpected("a type", "2.4");
      return Finish(New<ast::ErrorType>(), token().begin);
  }
}

// <*TRANSIENT*> (REFANY | ROOT | [Brand] REF Type | ROOT [Brand] OBJECT ... END | RecordType |
// ArrayType). The OBJECT after ROOT is a suffix, read by the caller.
ast::TypeExpr* Parser::ParseTransientType() {
  const SourceSpan opening = TokenSpan();
  Advance();
  ClosePragma(opening);
  const SourceSpan mark = SpanFrom(opening.begin);
  ast::TypeExpr* type = ParsePrimaryType();
  bool is_allowed = false;
  switch (type->kind) {
    case ast::TypeKind::kError:
    case ast::TypeKind::kArray:
    case ast::TypeKind::kRecord: is_allowed = true; break;
    case ast::TypeKind::kNamed: {
      const ast::NamedType* named = ast::As<ast::NamedType>(type);
      is_allowed = named->form == ast::NamedType::Form::kRoot ||
                   (named->form == ast::NamedType::Form::kQualId && !named->id.is_qualified() &&
                    named->id.name.name == refany_);
      break;
    }
    case ast::TypeKind::kRef: is_allowed = !ast::As<ast::RefType>(type)->is_untraced; break;
    default: break;
  }
  if (is_allowed) {
    type->is_transient = true;
  } else if (type->kind == ast::TypeKind::kObject) {
    Report(MessageId::kTransientNeedsRoot, mark).Fix(file_.Span(mark.end, mark.end), " ROOT");
  } else {
    Report(MessageId::kNotTransient, mark);
  }
  return Finish(type, opening.begin);
}

// QualId | ROOT | UNTRACED ROOT.
ast::TypeExpr* Parser::ParseNamedType() {
  ast::NamedType* type = New<ast::NamedType>();
  const uint32_t begin = token().begin;
  if (Accept(TokenKind::kUntraced)) {
    Advance();
    type->form = ast::NamedType::Form::kUntracedRoot;
  } else if (Accept(TokenKind::kRoot)) {
    type->form = ast::NamedType::Form::kRoot;
  } else {
    type->id = ParseQualId("a type", "2.4");
  }
  return Finish(type, begin);
}

ast::TypeExpr* Parser::ParseArrayType() {
  ast::ArrayType* type = New<ast::ArrayType>();
  const uint32_t begin = token().begin;
  Advance();
  if (At(TokenKind::kNumber) && PeekKind(1) != TokenKind::kDotDot && Helps()) {
    // `ARRAY 10 OF`.
    const SourceSpan span = TokenSpan();
    const std::string ours = "[0.." + std::to_string(token().value - 1) + "]";
    RepairForeign(ForeignForm::kArrayLength, span, {"ARRAY " + std::string(span.text()), ours})
        .Fix(span, ours);
    Advance();
    ast::ErrorType* index = New<ast::ErrorType>();
    index->span = span;
    type->indices.push_back(index);
  } else if (At(TokenKind::kLeftParen) && PeekKind(1) == TokenKind::kNumber &&
             PeekKind(2) == TokenKind::kDotDot && Helps(1)) {
    // `ARRAY (1..10) OF`.
    const size_t behind = BehindBrackets(position_);
    const SourceSpan whole = file_.Span(token().begin, tokens_[behind - 1].end);
    const std::string inner(file_.Span(token().end, tokens_[behind - 1].begin).text());
    RepairForeign(ForeignForm::kArrayLength, whole,
                  {"ARRAY " + std::string(whole.text()), "[" + inner + "]"})
        .Fix(whole, "[" + inner + "]");
    AdvanceTo(behind);
    ast::ErrorType* index = New<ast::ErrorType>();
    index->span = whole;
    type->indices.push_back(index);
  } else if (At(TokenKind::kLeftBracket) && repairs_.FixIndexList(*type)) {
  } else if (!At(TokenKind::kOf)) {
    do {
      type->indices.push_back(ParseType());
    } while (Accept(TokenKind::kComma));
  }
  Expect(TokenKind::kOf, "2.4");
  type->element = ParseType();
  return Finish(type, begin);
}

ast::TypeExpr* Parser::ParsePackedType() {
  ast::PackedType* type = New<ast::PackedType>();
  const uint32_t begin = token().begin;
  Advance();
  if (At(TokenKind::kNumber) && PeekKind(1) != TokenKind::kFor &&
      (PeekKind(1) == TokenKind::kLeftBracket || PeekKind(1) == TokenKind::kIdentifier) &&
      HelpsUpTo(PeekKind(1) == TokenKind::kLeftBracket ? BehindBrackets(position_ + 1)
                                                       : position_ + 1)) {
    // `BITS 3 [0..7]`
    const std::string form = "BITS " + std::string(TokenSpan().text());
    const SourceSpan whole = file_.Span(begin, token().end);
    type->bits = ParseNumber();
    RepairForeign(ForeignForm::kBitsWithoutFor, whole, {form, form + " FOR T"})
        .Fix(AfterPrevious(), " FOR");
    type->base = ParseType();
    return Finish(type, begin);
  }
  type->bits = ParseExpr();
  Expect(TokenKind::kFor, "2.4");
  type->base = ParseType();
  return Finish(type, begin);
}

ast::TypeExpr* Parser::ParseEnumerationType() {
  ast::EnumerationType* type = New<ast::EnumerationType>();
  const SourceSpan opening = TokenSpan();
  Advance();
  if (!At(TokenKind::kRightBrace)) type->elements = ParseIdList("an element's name", "2.4");
  CloseBracket(TokenKind::kRightBrace, "',' or '}'", opening);
  return Finish(type, opening.begin);
}

ast::TypeExpr* Parser::ParseProcedureType() {
  ast::ProcedureType* type = New<ast::ProcedureType>();
  const uint32_t begin = token().begin;
  while (ParseConvention(type->convention)) {
  }
  if (Expect(TokenKind::kProcedure, "2.4")) type->signature = ParseSignature();
  return Finish(type, begin);
}

ast::TypeExpr* Parser::ParseRecordType() {
  ast::RecordType* type = New<ast::RecordType>();
  const SourceSpan opening = TokenSpan();
  Advance();
  if (At(TokenKind::kLeftParen) && Helps()) {
    ReportForeign(ForeignForm::kRecordExtension, TokenSpan());
    SkipBalanced(TokenKind::kLeftParen, TokenKind::kRightParen);
  }
  ParseFields(type->fields);
  if (At(TokenKind::kCase) && Helps()) {
    ReportForeign(ForeignForm::kVariantPart, TokenSpan());
    Advance();
    // The variants have no END of their own: they end with the record.
    repairs_.SkipToEnd(/*case_opens=*/false);
    return Finish(type, opening.begin);
  }
  if (Helps() && (At(TokenKind::kMethods) || At(TokenKind::kOverrides))) {
    // Only objects have methods.
    RepairForeign(ForeignForm::kStruct, opening,
                  {"RECORD ... METHODS", "OBJECT fields METHODS ... OVERRIDES ... END"})
        .Fix(opening, "OBJECT");
    unit_has_errors_ = true;
    std::vector<ast::Method> methods;
    std::vector<ast::Override> overrides;
    if (Accept(TokenKind::kMethods)) ParseMethods(methods);
    if (Accept(TokenKind::kOverrides)) ParseOverrides(overrides);
  }
  ExpectEnd("RECORD", opening);
  return Finish(type, opening.begin);
}

// [UNTRACED] [Brand] REF Type, or [Brand] OBJECT ... END without a supertype.
ast::TypeExpr* Parser::ParseRefOrObjectType() {
  const uint32_t begin = token().begin;
  const bool is_untraced = Accept(TokenKind::kUntraced);
  const ast::Brand brand = ParseBrand();
  if (At(TokenKind::kObject) && !is_untraced) return ParseObjectType(nullptr, brand, begin);
  ast::RefType* type = New<ast::RefType>();
  type->is_untraced = is_untraced;
  type->brand = brand;
  if (Accept(TokenKind::kRef)) {
    type->referent = ParseType();
  } else {
    ReportExpected(is_untraced ? "REF or ROOT" : "REF or OBJECT", "2.4");
    ast::TypeExpr* error = Finish(New<ast::ErrorType>(), begin);
    type->referent = error;
  }
  return Finish(type, begin);
}

// BRANDED [ConstExpr]. An expression cannot begin with REF or OBJECT.
ast::Brand Parser::ParseBrand() {
  ast::Brand brand;
  const uint32_t begin = token().begin;
  if (!Accept(TokenKind::kBranded)) return brand;
  brand.is_branded = true;
  if (!At(TokenKind::kRef) && !At(TokenKind::kObject)) brand.text = ParseExpr();
  brand.span = SpanFrom(begin);
  return brand;
}

ast::TypeExpr* Parser::ParseSetType() {
  ast::SetType* type = New<ast::SetType>();
  const uint32_t begin = token().begin;
  Advance();
  Expect(TokenKind::kOf, "2.4");
  type->element = ParseType();
  return Finish(type, begin);
}

ast::TypeExpr* Parser::ParseSubrangeType() {
  ast::SubrangeType* type = New<ast::SubrangeType>();
  const SourceSpan opening = TokenSpan();
  Advance();
  if (At(TokenKind::kRightBracket) && Helps()) {
    // `[]INTEGER`.
    const SourceSpan brackets = file_.Span(opening.begin, token().end);
    RepairForeign(ForeignForm::kArraySuffix, brackets, {"[]T", "ARRAY OF T"})
        .Fix(brackets, "ARRAY OF ");
    Advance();
    ParseType();
    ast::TypeExpr* error = New<ast::ErrorType>();
    return Finish(error, opening.begin);
  }
  type->low = ParseExpr();
  if (At(TokenKind::kColon) && Helps()) {
    RepairForeign(ForeignForm::kRangeColon, TokenSpan()).Fix(TokenSpan(), "..");
    Rewrite(position_).kind = TokenKind::kDotDot;
  }
  if (At(TokenKind::kRightBracket) && Helps()) {
    // `ARRAY [10] OF`, `[10]INTEGER`.
    const SourceSpan whole = file_.Span(opening.begin, token().end);
    const std::string length(file_.Span(opening.end, token().begin).text());
    const bool is_index = PeekKind(1) == TokenKind::kOf || PeekKind(1) == TokenKind::kComma;
    const auto* number = ast::DynAs<ast::NumberExpr>(static_cast<const ast::Expr*>(type->low));
    const std::string ours =
        "[0.." + (number != nullptr ? std::to_string(number->value - 1) : length + " - 1") + "]";
    RepairForeign(ForeignForm::kArrayLength, whole, {std::string(whole.text()), ours})
        .Fix(whole, is_index ? ours : "ARRAY " + ours + " OF ");
    Advance();
    if (!is_index && (AtIdent() || StartsType(kind()))) ParseType();
    ast::TypeExpr* error = New<ast::ErrorType>();
    return Finish(error, opening.begin);
  }
  type->high = Expect(TokenKind::kDotDot, "2.4") ? ParseExpr() : MakeErrorExpr();
  CloseBracket(TokenKind::kRightBracket, "']'", opening);
  return Finish(type, opening.begin);
}

// At OBJECT, or where it should be: Fields [METHODS Methods] [OVERRIDES Overrides] END.
ast::TypeExpr* Parser::ParseObjectType(ast::TypeExpr* supertype, ast::Brand brand, uint32_t begin) {
  ast::ObjectType* type = New<ast::ObjectType>();
  type->supertype = supertype;
  type->brand = brand;
  const SourceSpan opening = TokenSpan();
  if (!Expect(TokenKind::kObject, "2.4")) return Finish(type, begin);
  ParseFields(type->fields);
  bool methods_done = false, overrides_done = false;
  for (;;) {
    if (AtIdent()) FixLowerCase();
    if (At(TokenKind::kMethods)) {
      if ((methods_done || overrides_done) && MayReport()) {
        Report(MessageId::kMemberOrder, TokenSpan());
      }
      methods_done = true;
      Advance();
      ParseMethods(type->methods);
    } else if (At(TokenKind::kOverrides)) {
      if (overrides_done && MayReport()) Report(MessageId::kMemberOrder, TokenSpan());
      overrides_done = true;
      Advance();
      ParseOverrides(type->overrides);
    } else {
      break;
    }
  }
  ExpectEnd("OBJECT", opening);
  return Finish(type, begin);
}

void Parser::RequireNextMember() {
  RequireNext({TokenKind::kSemicolon, TokenKind::kEnd, TokenKind::kMethods, TokenKind::kOverrides});
}

bool Parser::AtPragmaOfField() const {
  return At(TokenKind::kPragmaTransient) || At(TokenKind::kPragmaUnused);
}

// [<*TRANSIENT*>] IdList (":" Type & ":=" ConstExpr).
ast::FieldGroup Parser::ParseField() {
  ast::FieldGroup field;
  const uint32_t begin = token().begin;
  while (AtPragmaOfField()) {
    const SourceSpan opening = TokenSpan();
    if (At(TokenKind::kPragmaTransient)) field.is_transient = true;
    Advance();
    ClosePragma(opening);
  }
  repairs_.SkipFieldWord(field);
  field.names = ParseIdList("a field's name", "2.4");
  ParseTypeAndValue(field.type, field.default_value, "a field", "a default",
                    field.names.empty() ? AfterPrevious() : field.names.back().span);
  field.span = SpanFrom(begin);
  return field;
}

// [Field {";" Field} [";"]].
void Parser::ParseFields(std::vector<ast::FieldGroup>& fields) {
  // These keywords are never names of fields, even before tokens that look like the rest of a
  // field: `RECORD a: T; END := NIL`.
  const auto at_end = [this] {
    return AtAny({TokenKind::kEnd, TokenKind::kMethods, TokenKind::kOverrides});
  };
  for (;;) {
    if (!AtPragmaOfField()) SkipMisplacedPragmas();
    if (at_end() || (!AtName() && !AtPragmaOfField())) break;
    // `end` in small letters looks like a field.
    if (AtIdent() && PeekKind(1) != TokenKind::kComma && PeekKind(1) != TokenKind::kColon &&
        PeekKind(1) != TokenKind::kAssign && PeekKind(1) != TokenKind::kEqual && FixLowerCase()) {
      break;
    }
    TryItem([this] {
      ParseField();
      RequireNextMember();
    });
    ast::FieldGroup field = ParseField();
    if (!field.names.empty()) fields.push_back(std::move(field));
    if (AtWord("END") || AtWord("METHODS") || AtWord("OVERRIDES")) FixLowerCase();
    if (at_end()) break;
    ExpectSemicolon("the field", "2.4");
  }
}

// Id Signature [":=" ConstExpr].
ast::Method Parser::ParseMethod() {
  ast::Method method;
  const uint32_t begin = token().begin;
  method.name = ExpectIdent("a method's name", "2.4");
  method.signature = ParseSignature();
  if (At(TokenKind::kEqual) && MayRepair()) {
    Repair(MessageId::kAssignWithoutColon, TokenSpan(), "a method's default")
        .Fix(TokenSpan(), ":=");
  }
  if (Accept(TokenKind::kAssign) || Accept(TokenKind::kEqual)) method.default_value = ParseExpr();
  method.span = SpanFrom(begin);
  return method;
}

// [Method {";" Method} [";"]].
void Parser::ParseMethods(std::vector<ast::Method>& methods) {
  for (;;) {
    SkipMisplacedPragmas();
    if (!AtIdent()) break;
    if (At(TokenKind::kIdentifier) && PeekKind(1) != TokenKind::kLeftParen && FixLowerCase()) break;
    if (PeekKind(1) == TokenKind::kColon || PeekKind(1) == TokenKind::kComma) {
      // A field behind the methods.
      if (MayReport()) Report(MessageId::kMemberOrder, TokenSpan());
      SkipTo({TokenKind::kSemicolon, TokenKind::kEnd});
      last_error_ = position_;
      if (!Accept(TokenKind::kSemicolon)) break;
      continue;
    }
    TryItem([this] {
      ParseMethod();
      RequireNextMember();
    });
    methods.push_back(ParseMethod());
    if (AtAny({TokenKind::kEnd, TokenKind::kMethods, TokenKind::kOverrides})) break;
    ExpectSemicolon("the method", "2.4");
  }
}

// Id ":=" ConstExpr.
ast::Override Parser::ParseOverride() {
  ast::Override override;
  const uint32_t begin = token().begin;
  override.name = ExpectIdent("a method's name", "2.4");
  if (At(TokenKind::kEqual)) {
    if (MayRepair()) {
      Repair(MessageId::kAssignWithoutColon, TokenSpan(), "an override").Fix(TokenSpan(), ":=");
    }
    Advance();
  } else {
    Expect(TokenKind::kAssign, "2.4");
  }
  override.value = ParseExpr();
  override.span = SpanFrom(begin);
  return override;
}

// [Override {";" Override} [";"]].
void Parser::ParseOverrides(std::vector<ast::Override>& overrides) {
  for (;;) {
    SkipMisplacedPragmas();
    if (!AtIdent()) break;
    if (PeekKind(1) != TokenKind::kAssign && FixLowerCase()) break;
    TryItem([this] {
      ParseOverride();
      RequireNextMember();
    });
    overrides.push_back(ParseOverride());
    if (AtAny({TokenKind::kEnd, TokenKind::kMethods, TokenKind::kOverrides})) break;
    ExpectSemicolon("the override", "2.4");
  }
}

}  // namespace tenure::compiler
