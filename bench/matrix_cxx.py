"""Small C++ programs for matrix.py, put together from tables: who owns the data, how threads get it, what it is, how it is locked, what is wrong.

Every program has a `Store` with methods that write and read its data, two threads that call them, and `main`. A table's
row is a part of the text; `program` puts one row of each together and sets the marks.
"""

import matrix_parts

# name: (declaration outside main, statements in main, the object)
OWNERS = {
    "global": ("Store store;", "", "store"),
    "local": ("", "Store store;", "store"),
    "new": ("", "Store *made = new Store;", "(*made)"),
    "by-unique": ("", "auto made = std::make_unique<Store>();", "(*made)"),
    "by-shared": ("", "auto made = std::make_shared<Store>();", "(*made)"),
    "in-vector": ("", "std::vector<Store> stores(2);", "stores[1]"),
    "in-vector-of-unique": ("", "std::vector<std::unique_ptr<Store>> stores;\n"
                             "  for (int i = 0; i < 2; i++) stores.push_back(std::make_unique<Store>());", "(*stores[1])"),
    "in-map": ("", "std::map<int, Store> stores;\n  stores[1];", "stores.at(1)"),
    "in-array": ("std::array<Store, 2> stores;", "", "stores[1]"),
    "member": ("struct App {\n  int mode = 0;\n  Store store;\n};\nApp app;", "", "app.store"),
    "static": ("Store &theStore() {\n  static Store store;\n  return store;\n}", "", "theStore()"),
    "global-unique": ("std::unique_ptr<Store> made;", "made = std::make_unique<Store>();", "(*made)"),
}

WORKER = """class {name} {{
 public:
  explicit {name}(Store &given) : store_(given) {{}}
  void start() {{ thread_ = std::thread(&{name}::work, this); }}
  void join() {{ thread_.join(); }}

 private:
  void work() {{
    for (int i = 0; i < 3; i++) store_.{method}(i);
  }}
  Store &store_;
  std::thread thread_;
}};"""

POOL = """class Pool {
 public:
  Pool() {
    for (int i = 0; i < 2; i++) threads_.emplace_back([this] { work(); });
  }
  ~Pool() { end(); }
  void end() {
    {
      std::lock_guard<std::mutex> guard(lock_);
      ended_ = true;
    }
    ready_.notify_all();
    for (auto &thread : threads_)
      if (thread.joinable()) thread.join();
  }
  void post(std::function<void()> job) {
    {
      std::lock_guard<std::mutex> guard(lock_);
      jobs_.push_back(std::move(job));
    }
    ready_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock<std::mutex> guard(lock_);
      ready_.wait(guard, [this] { return ended_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      auto job = std::move(jobs_.front());
      jobs_.pop_front();
      guard.unlock();
      job();
    }
  }
  std::mutex lock_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> jobs_;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};"""

FREE = "void {name}(Store {sign}given) {{\n  for (int i = 0; i < 3; i++) given{arrow}{method}(i);\n}}"


def free_functions(sign, arrow):
    return lambda one, two: "\n\n".join(FREE.format(name=name, sign=sign, arrow=arrow, method=method)
                                        for name, method in (("first", one), ("second", two)))


def workers(one, two):
    return "\n\n".join(WORKER.format(name=name, method=method) for name, method in (("First", one), ("Second", two)))


def nothing(_one, _two):
    return ""


# name: (what stands before main, how both threads are started, how they are waited for); {o} the object, {a} and {b} the methods
GIVEN = {
    "lambda": (nothing, "std::thread one([&] {{ {o}.{a}(1); }});\n  std::thread two([&] {{ {o}.{b}(2); }});", "one.join();\n  two.join();"),
    "reference": (free_functions("&", "."), "std::thread one(first, std::ref({o}));\n  std::thread two(second, std::ref({o}));",
                  "one.join();\n  two.join();"),
    "pointer": (free_functions("*", "->"), "std::thread one(first, &{o});\n  std::thread two(second, &{o});", "one.join();\n  two.join();"),
    "method": (nothing, "std::thread one(&Store::{a}, &{o}, 1);\n  std::thread two(&Store::{b}, &{o}, 2);", "one.join();\n  two.join();"),
    "bind": (nothing, "std::thread one(std::bind(&Store::{a}, &{o}, 1));\n  std::thread two(std::bind(&Store::{b}, &{o}, 2));",
             "one.join();\n  two.join();"),
    "threads": (nothing, "std::vector<std::thread> threads;\n  threads.emplace_back([&] {{ {o}.{a}(1); }});\n"
                         "  threads.emplace_back([&] {{ {o}.{b}(2); }});", "for (auto &thread : threads) thread.join();"),
    "jthread": (nothing, "{{\n    std::jthread one([&] {{ {o}.{a}(1); }});\n    std::jthread two([&] {{ {o}.{b}(2); }});", "}}"),
    "async": (nothing, "auto one = std::async(std::launch::async, [&] {{ {o}.{a}(1); }});\n"
                       "  auto two = std::async(std::launch::async, [&] {{ {o}.{b}(2); }});", "one.get();\n  two.get();"),
    "class": (workers, "First one({o});\n  Second two({o});\n  one.start();\n  two.start();", "one.join();\n  two.join();"),
    "pool": (lambda one, two: POOL, "Pool pool;\n  pool.post([&] {{ {o}.{a}(1); }});\n  pool.post([&] {{ {o}.{b}(2); }});", "pool.end();"),
}

# name: (declaration, what writes it, what reads it)
DATA = {
    "int": ("int value = 0;", "value += i;", "value"),
    "bool": ("bool value = false;", "value = i > 1;", "value"),
    "double": ("double value = 0;", "value = value * 2 + i;", "(int)value"),
    "string": ("std::string text;", "text += 'x';", "(int)text.size()"),
    "vector": ("std::vector<int> values;", "values.push_back(i);", "(int)values.size()"),
    "map": ("std::map<int, int> values;", "values[i] = i;", "(int)values.count(1)"),
    "unordered": ("std::unordered_map<int, int> values;", "values.emplace(i, i);", "(int)values.size()"),
    "list": ("std::list<int> values;", "values.push_back(i);", "(int)values.size()"),
    "deque": ("std::deque<int> values;", "values.push_front(i);", "values.empty() ? 0 : values.front()"),
    "set": ("std::set<int> values;", "values.insert(i);", "(int)values.size()"),
    "optional": ("std::optional<int> value;", "value = i;", "value ? *value : 0"),
    "unique": ("std::unique_ptr<int> value = std::make_unique<int>(0);", "*value = i;", "*value"),
    "shared": ("std::shared_ptr<int> value;", "value = std::make_shared<int>(i);", "value ? 1 : 0"),
    "element": ("int values[4] = {};", "values[2] += i;", "values[2]"),
    "array": ("std::array<int, 4> values{};", "values[1 + (i >> 3)] = i;", "values[1]"),
    "nested": ("struct { int count = 0, sum = 0; } total;", "total.sum += i;", "total.sum"),
    "bits": ("unsigned low : 3 = 0, high : 5 = 0;", "high = i & 7;", "(int)high"),
    "pair": ("std::pair<int, int> value;", "value.second = i;", "value.second"),
}

SPIN_CLASS = """class Spin {
 public:
  void lock() {
    while (busy_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { busy_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> busy_{false};
};
"""

OWN_GUARD = """class Held {
 public:
  explicit Held(std::mutex &mutex) : mutex_(mutex) { mutex_.lock(); }
  ~Held() { mutex_.unlock(); }

 private:
  std::mutex &mutex_;
};
"""

# name: (what stands before Store, the lock's declaration, taking it, letting go, taking it to read, letting go then); {l} the lock
LOCKS = {
    "guard": ("", "std::mutex {l};", "std::lock_guard<std::mutex> guard({l});", "", None, None),
    "deduced": ("", "std::mutex {l};", "std::lock_guard guard({l});", "", None, None),
    "unique-lock": ("", "std::mutex {l};", "std::unique_lock<std::mutex> guard({l});", "", None, None),
    "unlocked-early": ("", "std::mutex {l};", "std::unique_lock<std::mutex> guard({l});", "guard.unlock();", None, None),
    "scoped-lock": ("", "std::mutex {l};", "std::scoped_lock guard({l});", "", None, None),
    "by-hand": ("", "std::mutex {l};", "{l}.lock();", "{l}.unlock();", None, None),
    "shared-mutex": ("", "std::shared_mutex {l};", "std::unique_lock guard({l});", "", "std::shared_lock guard({l});", ""),
    "recursive": ("", "std::recursive_mutex {l};", "std::lock_guard<std::recursive_mutex> guard({l});", "", None, None),
    "timed": ("", "std::timed_mutex {l};", "std::lock_guard<std::timed_mutex> guard({l});", "", None, None),
    "behind-pointer": ("", "std::unique_ptr<std::mutex> {l} = std::make_unique<std::mutex>();",
                       "std::lock_guard<std::mutex> guard(*{l});", "", None, None),
    "pthread": ("", "pthread_mutex_t {l} = PTHREAD_MUTEX_INITIALIZER;", "pthread_mutex_lock(&{l});", "pthread_mutex_unlock(&{l});", None, None),
    "own-guard": (OWN_GUARD, "std::mutex {l};", "Held held({l});", "", None, None),
    "own-spin": (SPIN_CLASS, "Spin {l};", "std::lock_guard<Spin> guard({l});", "", None, None),
    "flag": ("", "std::atomic_flag {l} = ATOMIC_FLAG_INIT;", "while ({l}.test_and_set(std::memory_order_acquire)) std::this_thread::yield();",
             "{l}.clear(std::memory_order_release);", None, None),
    "compare": ("", "std::atomic<int> {l}{{0}};",
                "for (int none = 0; !{l}.compare_exchange_weak(none, 1, std::memory_order_acquire); none = 0) std::this_thread::yield();",
                "{l}.store(0, std::memory_order_release);", None, None),
}

KEPT = "thread_local volatile int kept;"  # what is read is used, or no code would read it

INCLUDES = ("array", "atomic", "condition_variable", "deque", "functional", "future", "list", "map", "memory", "mutex", "optional",
            "set", "shared_mutex", "string", "thread", "unordered_map", "vector", "pthread.h")

TABLES = {"owner": OWNERS, "given": GIVEN, "data": DATA, "lock": LOCKS, "fault": matrix_parts.FAULTS}
SUFFIX = ".cpp"
FLAGS = "-std=c++20"


def locking(lock, name, reads):
    """(before, after) of an access under the lock."""
    _, _, take, let_go, take_to_read, let_go_after = LOCKS[lock]
    if reads and take_to_read:
        take, let_go = take_to_read, let_go_after
    return [part.format(l=name) for part in (take, let_go)]


def method(lock, data, way, mark):
    """A method of Store: its name, and the lock that its way of access asks for."""
    _, write, read = DATA[data]
    guard = matrix_parts.LOCKS[way]
    before, after = locking(lock, guard, matrix_parts.is_shared(way)) if guard else ("", "")
    if way in matrix_parts.READERS:
        body = [before, f"int seen = {read};{mark}", after, "kept = seen + i;", "return kept;"]
        return [f"  int {way}(int i) {{"] + [f"    {line}" for line in body if line] + ["  }"]
    body = [before, write + mark, after]
    return [f"  void {way}(int i) {{"] + [f"    {line}" for line in body if line] + ["  }"]


def program(owner, given, data, lock, fault):
    """The text of a program, or None where the rows do not go together."""
    row = matrix_parts.FAULTS[fault]
    if row.needs_shared and LOCKS[lock][4] is None:
        return None
    if given == "method" and owner == "in-map" or given == "bind" and "peek" in row.ways:
        return None  # &stores.at(1) is what `pointer` has; bind is for methods without a value
    before_main, in_main, thing = OWNERS[owner]
    functions, start, wait = GIVEN[given]
    one, two = row.threads
    lines = [f"// FLAGS {FLAGS}", "// SHOWN"] + [f"#include <{name}>" for name in INCLUDES] + [KEPT]
    lines += [LOCKS[lock][0], "struct Store {", f"  {LOCKS[lock][1].format(l='lock')}", f"  {LOCKS[lock][1].format(l='other')}",
              f"  {DATA[data][0]}"]
    for way in row.ways:
        lines += method(lock, data, way, row.marks.get(way, ""))
    lines += ["};", before_main, functions(one, two), "int main() {", f"  {in_main}"]
    def calls(ways):
        return [matrix_parts.statement(way, f"{thing}.{way}(4)") for way in ways]

    lines += ["  int seen = 0;"] + calls(row.before) + ["  " + start.format(o=thing, a=one, b=two)]
    lines += calls(row.beside) + ["  " + wait.format()] + calls(row.after)
    return "\n".join(line for line in lines + ["  return seen == 12345;", "}"] if line.strip()) + "\n"
