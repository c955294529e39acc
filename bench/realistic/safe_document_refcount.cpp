// SHOWN
// FLAGS -std=c++20
// Documents carry an intrusive reference count; each holder writes its own section unlocked, and the last one to let go reads them all in the destructor.
#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Document {
public:
  static inline std::atomic<std::size_t> characters{0};
  static inline std::atomic<int> closed{0};
  std::array<std::string, 3> sections;

  void retain() noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

private:
  ~Document() {
    for (const auto &s : sections) characters += s.size(); // NORACE
    closed++;
  }
  std::atomic<int> refs_{0};
};

class DocumentRef {
public:
  explicit DocumentRef(Document *d) noexcept : doc_(d) { doc_->retain(); }
  DocumentRef(const DocumentRef &o) noexcept : doc_(o.doc_) {
    if (doc_) doc_->retain();
  }
  DocumentRef(DocumentRef &&o) noexcept : doc_(std::exchange(o.doc_, nullptr)) {}
  DocumentRef &operator=(DocumentRef o) noexcept {
    std::swap(doc_, o.doc_);
    return *this;
  }
  ~DocumentRef() {
    if (doc_) doc_->release();
  }
  Document *operator->() const noexcept { return doc_; }

private:
  Document *doc_;
};

static void write_section(DocumentRef doc, std::size_t section, int paragraphs) {
  for (int p = 0; p < paragraphs; ++p) doc->sections[section] += "Lorem ipsum. "; // NORACE
  DocumentRef kept = doc;
  doc = std::move(kept);
}

int main() {
  std::vector<std::jthread> authors;
  for (int d = 0; d < 8; ++d) {
    DocumentRef doc(new Document);
    authors.emplace_back(write_section, doc, 0u, d);
    authors.emplace_back(write_section, doc, 1u, d + 1);
    doc->sections[2] = "Imprint"; // NORACE // third section, no one else's
  }
  authors.clear();
  std::printf("%d documents, %zu characters\n", Document::closed.load(), Document::characters.load());
}
