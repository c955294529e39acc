// VERBS check confirm
// The counts of shared pointers are the library's affair; what they point to is ours.
#include <memory>
#include <thread>

struct Record {
  int reads = 0;
};

static void use(std::shared_ptr<Record> record) {
  std::shared_ptr<Record> copy = record; // NORACE
  ++copy->reads;                         // RACE reads SELF
}

int main() {
  auto record = std::make_shared<Record>();
  std::thread first(use, record), second(use, record);
  first.join();
  second.join();
  return record->reads == 0;
}
