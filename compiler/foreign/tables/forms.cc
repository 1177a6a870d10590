#include "compiler/foreign/tables/forms.h"

namespace tenure::compiler {
namespace {

struct FormInfo {
  const char *form, *ours, *rule;
};

constexpr FormInfo kForms[] = {
#define TN_FOREIGN_FORM(id, form, ours, rule) {form, ours, rule},
#include "compiler/foreign/tables/forms.def"
};

}  // namespace

DiagnosticBuilder ReportForeignForm(Diagnostics& diagnostics, ForeignForm form, SourceSpan span,
                                    const std::vector<std::string>& args) {
  const FormInfo& info = kForms[static_cast<size_t>(form)];
  return diagnostics.Error(MessageId::kForeignForm, span, FormatMessage(info.form, args),
                           FormatMessage(info.ours, args), std::string(info.rule));
}

}  // namespace tenure::compiler
