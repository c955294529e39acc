// Accesses are named in the words of the source in C++ as well: members, bases, references, captures, library types.
//
// RUN: %cxx -O0 -g -fstandalone-debug -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
// RUN: %cxx -O1 -g -fstandalone-debug -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
// RUN: %cxx -O2 -g -fstandalone-debug -c %s -o %t.o && %deadheat model dump --sites %t.o | FileCheck %s
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace shop {

struct Base {
  virtual ~Base();
  virtual int kind();
  int id;
};

class Account : public Base {
public:
  explicit Account(Account &other);
  void pay(long sum);
  static long total;

  long balance = 0;
  Account &partner;
  int history[4][8];
};

namespace {
struct Hidden {
  int n;
};
Hidden hidden;
} // namespace

// CHECK: function shop::Account::pay(long)
// CHECK-NEXT: read 8 this->balance shop::Account.balance
// CHECK-NEXT: write 8 this->balance shop::Account.balance
// CHECK-NEXT: read 8 this->partner shop::Account.partner
// CHECK-NEXT: write 4 this->partner.id shop::Base.id
// CHECK-NEXT: write 4 this->history[sum][3] shop::Account.history
// CHECK-NEXT: write 8 shop::Account::total
void Account::pay(long sum) {
  balance -= sum;
  partner.id = 1;
  history[sum][3] = 7;
  total = sum;
}

// CHECK: function shop::byReference(
// CHECK-NEXT: read 8 account.balance shop::Account.balance
long byReference(Account &account) { return account.balance; }

// CHECK: function shop::virtualCall(
// CHECK-NEXT: read 8 account->vptr shop::Base.vptr
int virtualCall(Account *account) { return account->kind(); }

// CHECK: function shop::inNamespace(
// CHECK-NEXT: read 4 shop::hidden.n shop::Hidden.n
int inNamespace() { return hidden.n; }

// CHECK: function shop::vectorElement(
// CHECK-NEXT: read 8 all[i] shop::Account *
// CHECK-NEXT: read 8 all[i]->balance shop::Account.balance
long vectorElement(std::vector<Account *> &all, int i) { return all[i]->balance; }

// CHECK: function shop::smartPointer(
// CHECK-NEXT: read 8 owner->balance shop::Account.balance
long smartPointer(std::unique_ptr<Account> &owner) { return owner->balance; }

// CHECK: function shop::mapElement(
// CHECK: write 8 prices[key] long
void mapElement(std::map<int, long> &prices, const int &key) { prices[key] = 1; }

// CHECK: function shop::capture(
// CHECK-NEXT: write 8 local long
// CHECK-NEXT: write 8 task.local (lambda).local
// CHECK-NEXT: write 8 task.account (lambda).account
void keep(const std::function<void()> &);
void capture(Account *account, long sum) {
  long local = sum;
  auto task = [&local, account] { local += account->balance; };
  keep(task);
}

// CHECK: function shop::byValue(
// CHECK-NEXT: read 1 slice.data[i] char
struct Slice {
  const char *data;
  unsigned long size;
};
char byValue(Slice slice, int i) { return slice.data[i]; }

// CHECK: function shop::rangeFor(
// CHECK: read 8 account->balance shop::Account.balance
long rangeFor(Account *(&all)[3]) {
  long sum = 0;
  for (Account *account : all)
    sum += account->balance;
  return sum;
}

// The body of the lambda comes after what uses it.
// CHECK: function shop::capture({{.*}}::operator()() const
// CHECK-NEXT: read 8 this->account (lambda).account
// CHECK-NEXT: read 8 this->account->balance shop::Account.balance
// CHECK-NEXT: read 8 this->local (lambda).local
// CHECK-NEXT: read 8 this->local long
// CHECK-NEXT: write 8 this->local long

} // namespace shop
