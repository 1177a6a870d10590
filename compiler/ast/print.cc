#include "compiler/ast/print.h"

#include <cstdio>

namespace tenure::compiler::ast {
namespace {

const char* OperatorText(UnaryOp op) {
  switch (op) {
    case UnaryOp::kPlus: return "+";
    case UnaryOp::kMinus: return "-";
    case UnaryOp::kNot: return "NOT";
  }
  return "?";
}

const char* OperatorText(BinaryOp op) {
  switch (op) {
    case BinaryOp::kOr: return "OR";
    case BinaryOp::kAnd: return "AND";
    case BinaryOp::kEqual: return "=";
    case BinaryOp::kNotEqual: return "#";
    case BinaryOp::kLess: return "<";
    case BinaryOp::kLessEqual: return "<=";
    case BinaryOp::kGreater: return ">";
    case BinaryOp::kGreaterEqual: return ">=";
    case BinaryOp::kIn: return "IN";
    case BinaryOp::kAdd: return "+";
    case BinaryOp::kSubtract: return "-";
    case BinaryOp::kConcat: return "&";
    case BinaryOp::kMultiply: return "*";
    case BinaryOp::kDivide: return "/";
    case BinaryOp::kDiv: return "DIV";
    case BinaryOp::kMod: return "MOD";
  }
  return "?";
}

const char* ModeText(Mode mode) {
  switch (mode) {
    case Mode::kValue: return "value";
    case Mode::kVar: return "var";
    case Mode::kReadonly: return "readonly";
  }
  return "?";
}

void AppendCharacter(std::string& out, char32_t c, char quote) {
  if (c == static_cast<char32_t>(quote) || c == '\\') {
    out += '\\';
    out += static_cast<char>(c);
  } else if (c >= 0x20 && c < 0x7F) {
    out += static_cast<char>(c);
  } else {
    char text[16];
    std::snprintf(text, sizeof text, "\\%s%x;", c > 255 ? "U" : "x", static_cast<unsigned>(c));
    out += text;
  }
}

class Printer {
 public:
  std::string Take() { return std::move(out_); }

  void PrintExpr(const Expr* expr);
  void PrintType(const TypeExpr* type);
  void PrintStmt(const Stmt* stmt);
  void PrintDecl(const Decl* decl);
  void PrintUnit(const Unit& unit);

 private:
  void Add(std::string_view text) { out_ += text; }
  void AddId(const QualId& id) {
    if (id.is_qualified()) {
      Add(id.qualifier.name.view());
      Add(".");
    }
    Add(id.name.name ? id.name.name.view() : "<error>");
  }
  void AddNames(const std::vector<Ident>& names) {
    Add("(");
    for (size_t i = 0; i < names.size(); ++i) {
      if (i > 0) Add(" ");
      Add(names[i].name.view());
    }
    Add(")");
  }
  void AddIds(const std::vector<QualId>& ids) {
    Add("(");
    for (size_t i = 0; i < ids.size(); ++i) {
      if (i > 0) Add(" ");
      AddId(ids[i]);
    }
    Add(")");
  }
  // A space and the expression or type, or `-` for null.
  void AddPart(const Expr* expr) {
    Add(" ");
    PrintExpr(expr);
  }
  void AddPart(const TypeExpr* type) {
    Add(" ");
    PrintType(type);
  }
  void NewLine() {
    out_ += '\n';
    out_.append(static_cast<size_t>(indent_) * 2, ' ');
  }
  void AddBody(std::string_view label, const StmtList& body) {
    ++indent_;
    NewLine();
    Add("(");
    Add(label);
    ++indent_;
    for (const Stmt* stmt : body) {
      NewLine();
      PrintStmt(stmt);
    }
    --indent_;
    Add(")");
    --indent_;
  }
  // The statements, each in a line of its own.
  void AddStatements(const StmtList& body) {
    ++indent_;
    for (const Stmt* stmt : body) {
      NewLine();
      PrintStmt(stmt);
    }
    --indent_;
  }
  void AddElse(bool has_else, const StmtList& body) {
    if (has_else) AddBody("else", body);
  }
  void AddBlock(const Block& block);
  void AddBlockBody(const Block& block);
  void AddTrace(const Expr* trace);
  void AddDeclarations(const Block& block);
  void AddSignature(const Signature& signature);
  void AddFields(const std::vector<FieldGroup>& fields);
  void AddBrand(const Brand& brand);
  void AddPragmas(const DeclPragmas& pragmas);
  void AddExternal(const ExternalPragma& external);
  void PrintNumber(const NumberExpr& number);

  std::string out_;
  int indent_ = 0;
};

void Printer::PrintNumber(const NumberExpr& number) {
  switch (number.number_kind) {
    case NumberKind::kReal: Add(number.real_text.view()); return;
    case NumberKind::kLongreal: Add("longreal:" + number.real_text.str()); return;
    case NumberKind::kExtended: Add("extended:" + number.real_text.str()); return;
    default: break;
  }
  if (number.is_based) Add("based:");
  Add(std::to_string(number.value));
  if (number.number_kind == NumberKind::kLongint) Add("L");
}

void Printer::PrintExpr(const Expr* expr) {
  if (expr == nullptr) {
    Add("-");
    return;
  }
  switch (expr->kind) {
    case ExprKind::kError: Add("<error>"); break;
    case ExprKind::kName: Add(As<NameExpr>(expr)->name.view()); break;
    case ExprKind::kNumber: PrintNumber(*As<NumberExpr>(expr)); break;
    case ExprKind::kCharLiteral: {
      const auto* literal = As<CharLiteralExpr>(expr);
      Add(literal->is_wide ? "W'" : "'");
      AppendCharacter(out_, literal->value, '\'');
      Add("'");
      break;
    }
    case ExprKind::kTextLiteral: {
      const auto* literal = As<TextLiteralExpr>(expr);
      Add(literal->is_wide ? "W\"" : "\"");
      for (const char32_t c : literal->value) AppendCharacter(out_, c, '"');
      Add("\"");
      break;
    }
    case ExprKind::kConstructor: {
      const auto* constructor = As<ConstructorExpr>(expr);
      Add("(constructor");
      AddPart(constructor->type);
      for (const ConstructorElement& element : constructor->elements) {
        Add(" ");
        if (element.keyword.name) Add(element.keyword.name.str() + ":=");
        PrintExpr(element.value);
        if (element.high != nullptr) {
          Add("..");
          PrintExpr(element.high);
        }
      }
      Add(constructor->has_trailing_dots ? " ..)" : ")");
      break;
    }
    case ExprKind::kUnary: {
      const auto* unary = As<UnaryExpr>(expr);
      Add(std::string("(") + OperatorText(unary->op));
      AddPart(unary->operand);
      Add(")");
      break;
    }
    case ExprKind::kBinary: {
      // The chain of operators on the left has no bound, so its walk is a loop, not a recursion.
      std::vector<const BinaryExpr*> spine;
      const Expr* first = expr;
      while (const auto* binary = DynAs<const BinaryExpr>(first)) {
        if (!spine.empty()) Add(" ");
        Add(std::string("(") + OperatorText(binary->op));
        spine.push_back(binary);
        first = binary->left;
      }
      AddPart(first);
      for (size_t i = spine.size(); i-- > 0;) {
        AddPart(spine[i]->right);
        Add(")");
      }
      break;
    }
    case ExprKind::kDeref:
      Add("(^");
      AddPart(As<DerefExpr>(expr)->operand);
      Add(")");
      break;
    case ExprKind::kSelect:
      Add("(.");
      AddPart(As<SelectExpr>(expr)->operand);
      Add(" " + As<SelectExpr>(expr)->selector.name.str() + ")");
      break;
    case ExprKind::kSubscript:
      Add("(subscript");
      AddPart(As<SubscriptExpr>(expr)->operand);
      for (const Expr* index : As<SubscriptExpr>(expr)->indices) AddPart(index);
      Add(")");
      break;
    case ExprKind::kCall:
      Add("(call");
      AddPart(As<CallExpr>(expr)->callee);
      for (const Actual& actual : As<CallExpr>(expr)->actuals) {
        Add(" ");
        if (actual.keyword.name) Add(actual.keyword.name.str() + ":=");
        PrintExpr(actual.value);
      }
      Add(")");
      break;
    case ExprKind::kType:
      Add("(type");
      AddPart(As<TypeAsExpr>(expr)->type);
      Add(")");
      break;
  }
}

void Printer::AddBrand(const Brand& brand) {
  if (!brand.is_branded) return;
  Add(" (branded");
  if (brand.text != nullptr) AddPart(brand.text);
  Add(")");
}

void Printer::AddFields(const std::vector<FieldGroup>& fields) {
  for (const FieldGroup& field : fields) {
    Add(field.is_transient ? " (transient-field " : " (field ");
    AddNames(field.names);
    AddPart(field.type);
    AddPart(field.default_value);
    Add(")");
  }
}

void Printer::AddSignature(const Signature& signature) {
  for (const FormalGroup& formal : signature.formals) {
    Add(std::string(" (") + ModeText(formal.mode) + " ");
    AddNames(formal.names);
    AddPart(formal.type);
    AddPart(formal.default_value);
    AddTrace(formal.trace);
    Add(formal.is_unused ? " unused)" : ")");
  }
  if (signature.result != nullptr) {
    Add(" (result");
    AddPart(signature.result);
    Add(")");
  }
  if (signature.raises_kind == RaisesKind::kAny) Add(" (raises any)");
  if (signature.raises_kind == RaisesKind::kSet) {
    Add(" (raises ");
    AddIds(signature.raises);
    Add(")");
  }
}

void Printer::PrintType(const TypeExpr* type) {
  if (type == nullptr) {
    Add("-");
    return;
  }
  if (type->is_transient) Add("(transient ");
  switch (type->kind) {
    case TypeKind::kError: Add("<error>"); break;
    case TypeKind::kNamed: {
      const auto* named = As<NamedType>(type);
      if (named->form == NamedType::Form::kQualId) {
        AddId(named->id);
      } else {
        Add(named->form == NamedType::Form::kRoot ? "ROOT" : "UNTRACED-ROOT");
      }
      break;
    }
    case TypeKind::kArray:
      Add("(array (");
      for (size_t i = 0; i < As<ArrayType>(type)->indices.size(); ++i) {
        if (i > 0) Add(" ");
        PrintType(As<ArrayType>(type)->indices[i]);
      }
      Add(")");
      AddPart(As<ArrayType>(type)->element);
      Add(")");
      break;
    case TypeKind::kPacked:
      Add("(bits");
      AddPart(As<PackedType>(type)->bits);
      AddPart(As<PackedType>(type)->base);
      Add(")");
      break;
    case TypeKind::kEnumeration:
      Add("(enum ");
      AddNames(As<EnumerationType>(type)->elements);
      Add(")");
      break;
    case TypeKind::kObject: {
      const auto* object = As<ObjectType>(type);
      Add("(object");
      AddPart(object->supertype);
      AddBrand(object->brand);
      AddFields(object->fields);
      for (const Method& method : object->methods) {
        Add(" (method " + method.name.name.str());
        AddSignature(method.signature);
        if (method.default_value != nullptr) {
          Add(" :=");
          AddPart(method.default_value);
        }
        Add(")");
      }
      for (const Override& override : object->overrides) {
        Add(" (override " + override.name.name.str());
        AddPart(override.value);
        Add(")");
      }
      Add(")");
      break;
    }
    case TypeKind::kProcedure: {
      const auto* procedure = As<ProcedureType>(type);
      Add("(procedure");
      if (procedure->convention == CallingConvention::kC) Add(" C");
      if (procedure->convention == CallingConvention::kStdcall) Add(" stdcall");
      AddSignature(procedure->signature);
      Add(")");
      break;
    }
    case TypeKind::kRecord:
      Add("(record");
      AddFields(As<RecordType>(type)->fields);
      Add(")");
      break;
    case TypeKind::kRef:
      Add(As<RefType>(type)->is_untraced ? "(untraced-ref" : "(ref");
      AddBrand(As<RefType>(type)->brand);
      AddPart(As<RefType>(type)->referent);
      Add(")");
      break;
    case TypeKind::kSet:
      Add("(set");
      AddPart(As<SetType>(type)->element);
      Add(")");
      break;
    case TypeKind::kSubrange:
      Add("(range");
      AddPart(As<SubrangeType>(type)->low);
      AddPart(As<SubrangeType>(type)->high);
      Add(")");
      break;
  }
  if (type->is_transient) Add(")");
}

void Printer::AddDeclarations(const Block& block) {
  ++indent_;
  for (const FatalPragma& fatal : block.fatal) {
    NewLine();
    Add("(fatal ");
    if (fatal.is_any) {
      Add("any");
    } else {
      AddIds(fatal.exceptions);
    }
    Add(")");
  }
  for (const Decl* decl : block.declarations) {
    NewLine();
    PrintDecl(decl);
  }
  --indent_;
}

void Printer::AddTrace(const Expr* trace) {
  if (trace == nullptr) return;
  Add(" (trace");
  AddPart(trace);
  Add(")");
}

void Printer::AddBlockBody(const Block& block) {
  AddBody("begin", block.body);
  if (!block.trace.empty()) AddBody("trace", block.trace);
}

void Printer::AddBlock(const Block& block) {
  AddDeclarations(block);
  AddBlockBody(block);
}

void Printer::PrintStmt(const Stmt* stmt) {
  switch (stmt->kind) {
    case StmtKind::kError: Add("<error>"); return;
    case StmtKind::kAssign:
      Add("(:=");
      AddPart(As<AssignStmt>(stmt)->target);
      AddPart(As<AssignStmt>(stmt)->value);
      break;
    case StmtKind::kBlock:
      Add("(block");
      AddBlock(As<BlockStmt>(stmt)->block);
      break;
    case StmtKind::kCall: PrintExpr(As<CallStmt>(stmt)->call); return;
    case StmtKind::kCase: {
      const auto* s = As<CaseStmt>(stmt);
      Add("(case");
      AddPart(s->selector);
      for (const CaseArm& arm : s->arms) {
        std::string label = "of";
        for (const CaseLabel& l : arm.labels) {
          label += " " + Print(*l.low);
          if (l.high != nullptr) label += ".." + Print(*l.high);
        }
        AddBody(label, arm.body);
      }
      AddElse(s->has_else, s->else_body);
      break;
    }
    case StmtKind::kExit: Add("(exit"); break;
    case StmtKind::kEval:
      Add("(eval");
      AddPart(As<EvalStmt>(stmt)->value);
      break;
    case StmtKind::kFor: {
      const auto* s = As<ForStmt>(stmt);
      Add("(for ");
      Add(s->index.name.view());
      AddTrace(s->trace);
      AddPart(s->from);
      AddPart(s->to);
      AddPart(s->by);
      AddStatements(s->body);
      break;
    }
    case StmtKind::kIf: {
      const auto* s = As<IfStmt>(stmt);
      Add("(if");
      for (const IfArm& arm : s->arms) AddBody("when " + Print(*arm.condition), arm.body);
      AddElse(s->has_else, s->else_body);
      break;
    }
    case StmtKind::kLock:
      Add("(lock");
      AddPart(As<LockStmt>(stmt)->mutex);
      AddStatements(As<LockStmt>(stmt)->body);
      break;
    case StmtKind::kLoop:
      Add("(loop");
      AddStatements(As<LoopStmt>(stmt)->body);
      break;
    case StmtKind::kRaise:
      Add("(raise ");
      AddId(As<RaiseStmt>(stmt)->exception);
      if (As<RaiseStmt>(stmt)->argument != nullptr) AddPart(As<RaiseStmt>(stmt)->argument);
      break;
    case StmtKind::kRepeat:
      Add("(repeat-until");
      AddPart(As<RepeatStmt>(stmt)->condition);
      AddStatements(As<RepeatStmt>(stmt)->body);
      break;
    case StmtKind::kReturn:
      Add("(return");
      if (As<ReturnStmt>(stmt)->value != nullptr) AddPart(As<ReturnStmt>(stmt)->value);
      break;
    case StmtKind::kTypecase: {
      const auto* s = As<TypecaseStmt>(stmt);
      Add("(typecase");
      AddPart(s->selector);
      for (const TypecaseArm& arm : s->arms) {
        std::string label = "of";
        for (const TypeExpr* type : arm.types) label += " " + Print(*type);
        if (arm.variable.name) label += " as " + arm.variable.name.str();
        if (arm.trace != nullptr) label += " (trace " + Print(*arm.trace) + ")";
        AddBody(label, arm.body);
      }
      AddElse(s->has_else, s->else_body);
      break;
    }
    case StmtKind::kTryExcept: {
      const auto* s = As<TryExceptStmt>(stmt);
      Add("(try");
      AddStatements(s->body);
      for (const Handler& handler : s->handlers) {
        Printer ids;
        ids.AddIds(handler.exceptions);
        std::string label = "except " + ids.Take();
        if (handler.variable.name) label += " as " + handler.variable.name.str();
        if (handler.trace != nullptr) label += " (trace " + Print(*handler.trace) + ")";
        AddBody(label, handler.body);
      }
      AddElse(s->has_else, s->else_body);
      break;
    }
    case StmtKind::kTryFinally:
      Add("(try");
      AddStatements(As<TryFinallyStmt>(stmt)->body);
      AddBody("finally", As<TryFinallyStmt>(stmt)->finally_body);
      break;
    case StmtKind::kWhile:
      Add("(while");
      AddPart(As<WhileStmt>(stmt)->condition);
      AddStatements(As<WhileStmt>(stmt)->body);
      break;
    case StmtKind::kWith:
      Add("(with");
      for (const Binding& binding : As<WithStmt>(stmt)->bindings) {
        Add(" (" + binding.name.name.str());
        AddTrace(binding.trace);
        AddPart(binding.value);
        Add(")");
      }
      AddStatements(As<WithStmt>(stmt)->body);
      break;
    case StmtKind::kAssert:
      Add("(assert");
      AddPart(As<AssertStmt>(stmt)->condition);
      if (As<AssertStmt>(stmt)->message != nullptr) AddPart(As<AssertStmt>(stmt)->message);
      break;
    case StmtKind::kDebug:
      Add("(debug");
      AddPart(As<DebugStmt>(stmt)->condition);
      for (const Expr* text : As<DebugStmt>(stmt)->texts) AddPart(text);
      break;
  }
  Add(")");
}

void Printer::AddExternal(const ExternalPragma& external) {
  if (!external.is_external) return;
  Add(" (external");
  if (external.link_name) Add(" " + external.link_name.str());
  if (external.language) Add(":" + external.language.str());
  Add(")");
}

void Printer::AddPragmas(const DeclPragmas& pragmas) {
  AddExternal(pragmas.external);
  if (pragmas.is_inline) Add(" inline");
  if (pragmas.is_unused) Add(" unused");
  if (pragmas.is_obsolete) Add(" obsolete");
  if (pragmas.is_implicit) Add(" implicit");
  if (pragmas.convention == CallingConvention::kC) Add(" C");
  if (pragmas.convention == CallingConvention::kStdcall) Add(" stdcall");
}

void Printer::PrintDecl(const Decl* decl) {
  switch (decl->kind) {
    case DeclKind::kConst:
      Add("(const " + As<ConstDecl>(decl)->name.name.str());
      AddPart(As<ConstDecl>(decl)->type);
      AddPart(As<ConstDecl>(decl)->value);
      break;
    case DeclKind::kType:
      Add(As<TypeDecl>(decl)->is_opaque ? "(opaque " : "(type ");
      Add(As<TypeDecl>(decl)->name.name.view());
      AddPart(As<TypeDecl>(decl)->type);
      break;
    case DeclKind::kException:
      Add("(exception " + As<ExceptionDecl>(decl)->name.name.str());
      AddPart(As<ExceptionDecl>(decl)->argument);
      break;
    case DeclKind::kVariable:
      Add("(var ");
      AddNames(As<VariableDecl>(decl)->names);
      AddPart(As<VariableDecl>(decl)->type);
      AddPart(As<VariableDecl>(decl)->initial);
      AddTrace(As<VariableDecl>(decl)->trace);
      break;
    case DeclKind::kReveal:
      Add(As<RevealDecl>(decl)->is_partial ? "(reveal-partly " : "(reveal ");
      AddId(As<RevealDecl>(decl)->name);
      AddPart(As<RevealDecl>(decl)->type);
      break;
    case DeclKind::kProcedure:
      Add("(procedure " + As<ProcedureDecl>(decl)->name.name.str());
      AddSignature(As<ProcedureDecl>(decl)->signature);
      AddPragmas(decl->pragmas);
      if (As<ProcedureDecl>(decl)->body != nullptr) AddBlock(*As<ProcedureDecl>(decl)->body);
      Add(")");
      return;
  }
  AddPragmas(decl->pragmas);
  Add(")");
}

void Printer::PrintUnit(const Unit& unit) {
  Add("(");
  if (unit.is_unsafe) Add("unsafe ");
  if (unit.is_generic) Add("generic ");
  Add(unit.kind == UnitKind::kModule ? "module " : "interface ");
  Add(unit.name.name.view());
  AddExternal(unit.external);
  for (const LibraryPragma& pragma : unit.libraries) {
    Add(" (library " + pragma.library.str() + " " + pragma.package.str() + ")");
  }
  if (unit.has_exports) {
    Add(" (exports ");
    AddNames(unit.exports);
    Add(")");
  }
  if (unit.is_generic) {
    Add(" (formals ");
    AddNames(unit.formals);
    Add(")");
  }
  if (unit.is_instance) {
    Add(" (instance " + unit.generic.name.str() + " ");
    AddNames(unit.actuals);
    Add(")");
  }
  ++indent_;
  for (const Import& import : unit.imports) {
    NewLine();
    Add(import.is_from ? "(from " : "(import ");
    Add(import.interface.name.view());
    if (import.local.name != import.interface.name || import.is_from) {
      Add(" " + import.local.name.str());
    }
    Add(")");
  }
  --indent_;
  if (!unit.is_instance) {
    AddDeclarations(unit.block);
    if (unit.kind == UnitKind::kModule) AddBlockBody(unit.block);
  }
  Add(")\n");
}

}  // namespace

std::string Print(const Unit& unit) {
  Printer printer;
  printer.PrintUnit(unit);
  return printer.Take();
}

std::string Print(const Expr& expr) {
  Printer printer;
  printer.PrintExpr(&expr);
  return printer.Take();
}

std::string Print(const TypeExpr& type) {
  Printer printer;
  printer.PrintType(&type);
  return printer.Take();
}

std::string Print(const Stmt& stmt) {
  Printer printer;
  printer.PrintStmt(&stmt);
  return printer.Take();
}

std::string Print(const Decl& decl) {
  Printer printer;
  printer.PrintDecl(&decl);
  return printer.Take();
}

}  // namespace tenure::compiler::ast
