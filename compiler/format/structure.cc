#include "compiler/format/structure.h"

#include <algorithm>
#include <initializer_list>

namespace tenure::compiler {

namespace {

using enum TokenKind;

// Reads the tokens outside of pragmas, one function for each kind of construct. The parser has
// accepted the source, so what is read here is only what decides about lines.
class StructureReader {
 public:
  explicit StructureReader(const SourceItems& source) : source_(source) {
    out_.places.resize(source.items.size());
    out_.constructs.push_back(
        {.closer = static_cast<uint32_t>(source.items.size() - 1), .indent = 0});
    while (!IsCode(at_)) ++at_;
  }

  std::optional<Structure> Run() {
    ReadUnit();
    if (!At(kEndOfFile) || is_lost_) return std::nullopt;
    out_.places[at_] = {Role::kEntry, BreakRule::kAuthor, false, 0, at_};
    return std::move(out_);
  }

 private:
  static constexpr int kMostNesting = 1000;

  bool IsCode(uint32_t index) const {
    const Item& item = source_.items[index];
    return item.item_class == ItemClass::kToken && !item.in_pragma;
  }
  TokenKind kind() const { return source_.items[at_].kind; }
  bool At(TokenKind k) const { return kind() == k; }
  bool AtAny(std::initializer_list<TokenKind> kinds) const {
    return std::ranges::find(kinds, kind()) != kinds.end();
  }

  void Advance() {
    if (At(kEndOfFile)) return;
    ItemPlace& place = out_.places[at_];
    if (place.role == Role::kInside) {
      place.construct = current_;
      place.entry = entry_;
      if (AtAny({kThen, kDo, kOf, kComma, kSemicolon, kRightParen, kRightBracket, kAssign, kDot,
                 kCaret, kArrow}) ||
          (At(kEqual) && EqualDefines())) {
        place.rule = BreakRule::kNever;
      }
    }
    do {
      ++at_;
    } while (!IsCode(at_));
  }

  // At `=`: is it the one of a declaration, a heading or WITH? Otherwise it compares.
  bool EqualDefines() const {
    return !out_.constructs[current_].has_statements || source_.items[entry_].kind == kWith;
  }

  void Mark(Role role, uint32_t construct, BreakRule rule) {
    out_.places[at_] = {role, rule, false, construct, at_};
    entry_ = at_;
  }

  // A construct that begins at the cursor, until Close.
  class Opened {
   public:
    Opened(StructureReader& reader, uint32_t indent)
        : reader_(reader),
          index_(static_cast<uint32_t>(reader.out_.constructs.size())),
          around_(reader.current_) {
      reader.out_.constructs.push_back(
          {.opener = reader.at_, .closer = reader.at_, .indent = indent});
      reader.current_ = index_;
      if (++reader.nesting_ > kMostNesting) reader.is_lost_ = true;
    }
    ~Opened() {
      --reader_.nesting_;
      reader_.current_ = around_;
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    uint32_t index() const { return index_; }
    Construct& construct() { return reader_.out_.constructs[index_]; }

   private:
    StructureReader& reader_;
    const uint32_t index_, around_;
  };

  // At END of the construct, or at the end of what was read of it.
  void Close(Opened& opened) {
    if (!At(kEnd)) {
      is_lost_ = true;
      return;
    }
    Mark(Role::kPart, opened.index(), BreakRule::kIfSeveral);
    opened.construct().closer = at_;
    Advance();
  }

  // Passes tokens up to one of these outside of brackets and of RECORD and OBJECT.
  void SkipTo(std::initializer_list<TokenKind> ends) {
    int depth = 0;
    while (!At(kEndOfFile) && !is_lost_) {
      if (depth == 0 && AtAny(ends)) return;
      if (AtAny({kLeftParen, kLeftBracket, kLeftBrace})) ++depth;
      if (AtAny({kRightParen, kRightBracket, kRightBrace})) --depth;
      if (At(kRecord) || At(kObject)) {
        ReadFields();
      } else {
        Advance();
      }
    }
  }

  // RECORD ... END, OBJECT ... METHODS ... OVERRIDES ... END.
  void ReadFields() {
    const uint32_t entry = entry_;
    {
      Opened fields(*this, 2);
      fields.construct().is_fields = true;
      Advance();
      while (!At(kEnd) && !At(kEndOfFile) && !is_lost_) {
        if (At(kMethods) || At(kOverrides)) {
          Mark(Role::kPart, fields.index(), BreakRule::kAuthor);
          Advance();
          continue;
        }
        Mark(Role::kEntry, fields.index(), BreakRule::kAuthor);
        SkipTo({kSemicolon, kEnd, kMethods, kOverrides});
        if (At(kSemicolon)) Advance();
      }
      Close(fields);
    }
    entry_ = entry;
  }

  void ReadUnit() {
    Mark(Role::kEntry, 0, BreakRule::kAuthor);
    Opened unit(*this, 0);
    SkipTo({kSemicolon, kEqual});
    if (At(kEqual)) {
      SkipTo({kEnd});
    } else {
      Advance();
      while (At(kImport) || At(kFrom)) {
        Mark(Role::kEntry, unit.index(), BreakRule::kAuthor);
        SkipTo({kSemicolon});
        Advance();
      }
      ReadDeclarations(unit.index());
      if (At(kBegin)) ReadBody(unit.index());
    }
    if (At(kEnd)) Close(unit);
    unit.construct().closer = at_;
    SkipTo({kEndOfFile});
  }

  bool AtSection() const { return AtAny({kConst, kType, kVar, kReveal, kException}); }

  void ReadDeclarations(uint32_t construct) {
    while (!is_lost_) {
      if (AtSection()) {
        Mark(Role::kEntry, construct, BreakRule::kIfSeveral);
        Opened section(*this, 2);
        section.construct().is_section = true;
        Advance();
        while (!AtSection() && !AtAny({kProcedure, kBegin, kEnd, kEndOfFile}) && !is_lost_) {
          Mark(Role::kEntry, section.index(), BreakRule::kAuthor);
          SkipTo({kSemicolon, kEnd, kBegin});
          section.construct().closer = at_;
          if (At(kSemicolon)) Advance();
        }
      } else if (At(kProcedure)) {
        ReadProcedure(construct);
      } else if (At(kSemicolon)) {
        Advance();
      } else {
        return;
      }
    }
  }

  void ReadProcedure(uint32_t construct) {
    Mark(Role::kEntry, construct, BreakRule::kIfSeveral);
    Opened procedure(*this, 2);
    SkipTo({kSemicolon, kEqual});
    procedure.construct().closer = at_;
    if (At(kEqual)) {
      Advance();
      ReadDeclarations(procedure.index());
      ReadBody(procedure.index());
      procedure.construct().closer = at_;
      SkipTo({kSemicolon});
    }
    if (At(kSemicolon)) Advance();
  }

  // BEGIN ... END, as an entry of a construct.
  void ReadBody(uint32_t construct) {
    if (!At(kBegin)) {
      is_lost_ = true;
      return;
    }
    Mark(Role::kEntry, construct, BreakRule::kIfSeveral);
    ReadBlock();
  }

  void ReadBlock() {
    Opened block(*this, 2);
    block.construct().has_statements = true;
    Advance();
    ReadStatements(block.index(), BreakRule::kIfSeveral);
    Close(block);
  }

  bool AtEndOfStatements() const {
    return AtAny({kEnd, kElse, kElsif, kUntil, kExcept, kFinally, kBar, kEndOfFile});
  }

  // `first`: of the first statement.
  void ReadStatements(uint32_t construct, BreakRule first) {
    while (!is_lost_) {
      if (At(kSemicolon)) {
        Advance();
        continue;
      }
      if (AtEndOfStatements()) return;
      Mark(Role::kEntry, construct, first);
      first = BreakRule::kAuthor;
      const uint32_t before = at_;
      ReadStatement();
      if (at_ == before) is_lost_ = true;
    }
  }

  // A keyword of the construct with statements behind it.
  void ReadPart(Opened& construct, BreakRule first) {
    Mark(Role::kPart, construct.index(), BreakRule::kIfSeveral);
    Advance();
    ReadStatements(construct.index(), first);
  }

  void ReadArms(Opened& construct, bool catches) {
    while (!AtAny({kEnd, kElse, kFinally, kEndOfFile}) && !is_lost_) {
      if (At(kBar)) {
        Mark(Role::kPart, construct.index(), BreakRule::kIfSeveral);
        Advance();
        if (AtAny({kEnd, kElse, kFinally})) break;
      } else {
        Mark(Role::kEntry, construct.index(), BreakRule::kAuthor);
      }
      const uint32_t before = at_;
      while (!At(kArrow) && !At(kEndOfFile) && !is_lost_) {
        if (catches && At(kLeftParen)) out_.places[at_].is_caught_value = true;
        SkipTo({kArrow, kLeftParen});
        if (At(kLeftParen) && catches) out_.places[at_].is_caught_value = true;
        if (At(kLeftParen)) SkipBrackets();
      }
      if (at_ == before) is_lost_ = true;
      Advance();
      ReadStatements(construct.index(), BreakRule::kAuthor);
    }
    if (At(kElse)) ReadPart(construct, BreakRule::kAuthor);
  }

  void SkipBrackets() {
    int depth = 0;
    do {
      if (AtAny({kLeftParen, kLeftBracket, kLeftBrace})) ++depth;
      if (AtAny({kRightParen, kRightBracket, kRightBrace})) --depth;
      Advance();
    } while (depth > 0 && !At(kEndOfFile));
  }

  void ReadStatement() {
    switch (kind()) {
      case kConst:
      case kType:
      case kVar:
      case kReveal:
      case kException:
      case kProcedure: {
        Opened block(*this, 0);
        block.construct().is_block = true;
        const ItemPlace first = out_.places[at_];
        ReadDeclarations(block.index());
        out_.places[block.construct().opener] = first;
        ReadBody(block.index());
        block.construct().closer = at_;
        return;
      }
      case kBegin: ReadBlock(); return;
      case kIf:
      case kWhile:
      case kFor:
      case kWith:
      case kLock:
      case kLoop:
      case kRepeat:
      case kTry:
      case kCase:
      case kTypecase: ReadCompound(); return;
      default: SkipTo({kSemicolon, kEnd, kElse, kElsif, kUntil, kExcept, kFinally, kBar});
    }
  }

  void ReadCompound() {
    const TokenKind keyword = kind();
    Opened construct(*this, 2);
    construct.construct().has_statements = true;
    switch (keyword) {
      case kIf:
        SkipTo({kThen});
        Advance();
        ReadStatements(construct.index(), BreakRule::kIfSeveral);
        while (At(kElsif)) {
          Mark(Role::kPart, construct.index(), BreakRule::kIfSeveral);
          SkipTo({kThen});
          Advance();
          ReadStatements(construct.index(), BreakRule::kIfSeveral);
        }
        if (At(kElse)) ReadPart(construct, BreakRule::kIfSeveral);
        break;
      case kCase:
      case kTypecase:
        SkipTo({kOf});
        Advance();
        ReadArms(construct, keyword == kTypecase);
        break;
      case kRepeat:
        Advance();
        ReadStatements(construct.index(), BreakRule::kIfSeveral);
        if (!At(kUntil)) is_lost_ = true;
        Mark(Role::kPart, construct.index(), BreakRule::kIfSeveral);
        construct.construct().closer = at_;
        Advance();
        SkipTo({kSemicolon, kEnd, kElse, kElsif, kUntil, kExcept, kFinally, kBar});
        return;
      case kTry:
        Advance();
        ReadStatements(construct.index(), BreakRule::kIfSeveral);
        if (At(kExcept)) {
          Mark(Role::kPart, construct.index(), BreakRule::kIfSeveral);
          Advance();
          ReadArms(construct, true);
        }
        if (At(kFinally)) ReadPart(construct, BreakRule::kIfSeveral);
        break;
      default:
        if (keyword != kLoop) SkipTo({kDo});
        Advance();
        ReadStatements(construct.index(), BreakRule::kIfSeveral);
    }
    Close(construct);
  }

  const SourceItems& source_;
  Structure out_;
  uint32_t at_ = 0;       // the item at the cursor, code
  uint32_t current_ = 0;  // the innermost construct
  uint32_t entry_ = 0;    // the statement or declaration at the cursor
  int nesting_ = 0;
  bool is_lost_ = false;  // what stands there is not understood
};

}  // namespace

std::optional<Structure> FindStructure(const SourceItems& source) {
  return StructureReader(source).Run();
}

}  // namespace tenure::compiler
