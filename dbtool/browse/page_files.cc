#include "dbtool/browse/page_files.h"

extern "C" {
#define TN_PAGE_FILE(name) extern const char tn_page_##name[], tn_page_##name##_end[];
#include "dbtool/browse/page_files.def"
#undef TN_PAGE_FILE
}

namespace tenure::dbtool {

namespace {

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kCss = "text/css; charset=utf-8";
constexpr const char* kScript = "text/javascript; charset=utf-8";
constexpr const char* kPicture = "image/svg+xml";
constexpr const char* kText = "text/plain; charset=utf-8";

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

#define TN_CONTENT(name) Between(tn_page_##name, tn_page_##name##_end)

const PageFile kFiles[] = {
    {"/", kHtml, TN_CONTENT(index)},
    {"/style.css", kCss, TN_CONTENT(style)},
    {"/icon.svg", kPicture, TN_CONTENT(icon)},
    {"/app.js", kScript, TN_CONTENT(app)},
    {"/base.js", kScript, TN_CONTENT(base)},
    {"/charts.js", kScript, TN_CONTENT(charts)},
    {"/store_views.js", kScript, TN_CONTENT(store_views)},
    {"/object_views.js", kScript, TN_CONTENT(object_views)},
    {"/page_views.js", kScript, TN_CONTENT(page_views)},
    {"/query_view.js", kScript, TN_CONTENT(query_view)},
    {"/d3.js", kScript, TN_CONTENT(d3)},
    {"/licences.txt", kText, TN_CONTENT(d3_licence)},
};

#undef TN_CONTENT

}  // namespace

const PageFile* PageFileAt(const std::string& path) {
  for (const PageFile& file : kFiles) {
    if (path == file.path) return &file;
  }
  return nullptr;
}

}  // namespace tenure::dbtool
