#include "report/markdown.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace deadheat::report {
namespace {

// `a` and b: every second part is code.
std::string inlineHtml(llvm::StringRef text) {
  std::string html;
  bool code = false;
  for (llvm::StringRef part : llvm::split(text, '`')) {
    html += code ? "<code>" + escapeHtml(part) + "</code>" : escapeHtml(part);
    code = !code;
  }
  return html;
}

// A block is what is open: the next line goes on with it or ends it.
class Renderer {
public:
  void line(llvm::StringRef text) {
    if (text.starts_with("```")) return code_ ? endCode() : beginCode();
    if (code_) return void(html_ += escapeHtml(text) + "\n");
    if (text.trim().empty()) return close();
    if (text.starts_with("#")) return heading(text);
    if (text.consume_front("- ")) {
      if (!list_) close();
      html_ += list_ ? "</li>\n<li>" : "<ul>\n<li>";
      list_ = true;
    } else if (!list_ && !paragraph_) {
      html_ += "<p>";
      paragraph_ = true;
    } else {
      html_ += " ";
    }
    html_ += inlineHtml(text.trim());
  }

  std::string finish() {
    if (code_) endCode();
    close();
    return std::move(html_);
  }

private:
  void close() {
    if (paragraph_) html_ += "</p>\n";
    if (list_) html_ += "</li></ul>\n";
    paragraph_ = list_ = false;
  }

  void beginCode() {
    close();
    html_ += "<pre>";
    code_ = true;
  }

  void endCode() {
    html_ += "</pre>\n";
    code_ = false;
  }

  // The page stands under a heading of its own, so its headings are smaller ones.
  void heading(llvm::StringRef text) {
    close();
    std::string tag = text.starts_with("##") ? "h4" : "h3";
    html_ += "<" + tag + ">" + inlineHtml(text.ltrim("#").trim()) + "</" + tag + ">\n";
  }

  std::string html_;
  bool paragraph_ = false;
  bool list_ = false;
  bool code_ = false;
};

} // namespace

std::string escapeHtml(std::string_view text) {
  std::string escaped;
  llvm::raw_string_ostream out(escaped);
  llvm::printHTMLEscaped(llvm::json::fixUTF8(text), out);
  return escaped;
}

std::string markdownToHtml(std::string_view text) {
  Renderer renderer;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(text), '\n')) renderer.line(line);
  return renderer.finish();
}

} // namespace deadheat::report
