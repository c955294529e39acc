"""Small C programs for matrix.py, put together from tables: who owns the data, how threads get it, what it is, how it is locked, what is wrong.

Every program has a `struct store`, functions that write and read its data, two threads that call them, and `main`. A
table's row is a part of the text; `program` puts one row of each together and sets the marks.
"""

import matrix_parts

# name: (declarations before main, statements in main, a pointer to the object)
OWNERS = {
    "global": ("static struct store the_store;", "", "&the_store"),
    "local": ("", "struct store mine;\n  memset(&mine, 0, sizeof mine);", "&mine"),
    "heap": ("", "struct store *mine = calloc(1, sizeof *mine);", "mine"),
    "global-pointer": ("static struct store *the_store;", "the_store = calloc(1, sizeof *the_store);", "the_store"),
    "element": ("static struct store stores[4];", "", "&stores[2]"),
    "member": ("struct app {\n  int mode;\n  struct store inner;\n};\nstatic struct app the_app;", "", "&the_app.inner"),
    "pointer-in-struct": ("struct app {\n  int mode;\n  struct store *inner;\n};\nstatic struct app the_app;",
                          "the_app.inner = calloc(1, sizeof *the_app.inner);", "the_app.inner"),
    "made-by-function": ("static struct store *make_store(void) {\n  struct store *made = malloc(sizeof *made);\n"
                         "  if (made == NULL) abort();\n  memset(made, 0, sizeof *made);\n  return made;\n}",
                         "struct store *mine = make_store();", "mine"),
}

ENTRY = """static void *{name}(void *argument) {{
  struct store *s = argument;
  for (int i = 0; i < 3; i++) {way}(s, i);
  return NULL;
}}"""

ENTRY_OF_STRUCT = """static void *{name}(void *argument) {{
  struct task *task = argument;
  for (int i = 0; i < task->rounds; i++) {way}(task->store, i);
  return NULL;
}}"""

ENTRY_OF_C11 = """static int {name}(void *argument) {{
  struct store *s = argument;
  for (int i = 0; i < 3; i++) {way}(s, i);
  return 0;
}}"""

TASK = "struct task {\n  int rounds;\n  struct store *store;\n};\n"

START = """static pthread_t start(void *(*function)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, function, argument) != 0) abort();
  return thread;
}
"""

WORK_BY_POINTER = """struct task {{
  void (*function)(struct store *, int);
  struct store *store;
}};

static void first(struct store *s, int i) {{ {a}(s, i); }}

static void second(struct store *s, int i) {{ {b}(s, i); }}

static void *work(void *argument) {{
  struct task *task = argument;
  for (int i = 0; i < 3; i++) task->function(task->store, i);
  return NULL;
}}"""


def entries(form, head=""):
    return lambda one, two: head + "\n\n".join(form.format(name=name, way=way) for name, way in (("first", one), ("second", two)))


# name: (what stands before main, how both threads are started, how they are waited for); {o} points to the object
GIVEN = {
    "argument": (entries(ENTRY), "pthread_t one, two;\n  pthread_create(&one, NULL, first, {o});\n  pthread_create(&two, NULL, second, {o});",
                 "pthread_join(one, NULL);\n  pthread_join(two, NULL);"),
    "array-of-threads": (entries(ENTRY), "void *(*entries[2])(void *) = {{first, second}};\n  pthread_t threads[2];\n"
                                         "  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, entries[i], {o});",
                         "for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);"),
    "struct": (entries(ENTRY_OF_STRUCT, TASK), "struct task tasks[2] = {{{{3, {o}}}, {{3, {o}}}}};\n  pthread_t one, two;\n"
                                               "  pthread_create(&one, NULL, first, &tasks[0]);\n  pthread_create(&two, NULL, second, &tasks[1]);",
               "pthread_join(one, NULL);\n  pthread_join(two, NULL);"),
    "heap-struct": (entries(ENTRY_OF_STRUCT, TASK),
                    "struct task *task = malloc(sizeof *task);\n  task->rounds = 3;\n  task->store = {o};\n  pthread_t one, two;\n"
                    "  pthread_create(&one, NULL, first, task);\n  pthread_create(&two, NULL, second, task);",
                    "pthread_join(one, NULL);\n  pthread_join(two, NULL);"),
    "start-function": (entries(ENTRY, START), "pthread_t one = start(first, {o});\n  pthread_t two = start(second, {o});",
                       "pthread_join(one, NULL);\n  pthread_join(two, NULL);"),
    "c11": (entries(ENTRY_OF_C11), "thrd_t one, two;\n  thrd_create(&one, first, {o});\n  thrd_create(&two, second, {o});",
            "thrd_join(one, NULL);\n  thrd_join(two, NULL);"),
    "by-pointer": (lambda one, two: WORK_BY_POINTER.format(a=one, b=two),
                   "struct task tasks[2] = {{{{first, {o}}}, {{second, {o}}}}};\n  pthread_t threads[2];\n"
                   "  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &tasks[i]);",
                   "for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);"),
}

# name: (declarations before struct store, members, what writes them, what reads them)
DATA = {
    "int": ("", "int value;", "s->value += i;", "s->value"),
    "enum": ("enum state { IDLE, BUSY };\n", "enum state state;", "s->state = i > 1 ? BUSY : IDLE;", "s->state == BUSY"),
    "element": ("", "int values[8];", "s->values[3] = i;", "s->values[3]"),
    "any-element": ("", "int values[8];", "s->values[2 + (i >> 3)]++;", "s->values[2]"),
    "list": ("struct node {\n  struct node *next;\n  int value;\n};\nstatic struct node nodes[64];\n", "struct node *head;",
             "s->head = &nodes[i & 63];", "s->head != NULL"),
    "text": ("", "char text[32];", 'snprintf(s->text, sizeof s->text, "%d", i);', "s->text[0]"),
    "copied": ("struct point {\n  int x, y, z[6];\n};\n", "struct point point;", "s->point = (struct point){.x = i};", "s->point.x"),
    "memcpy": ("", "char bytes[64];", "memset(s->bytes, i, sizeof s->bytes);", "s->bytes[5]"),
    "bits": ("", "unsigned low : 3, high : 5;", "s->high = i & 7;", "(int)s->high"),
    "union": ("", "union {\n    int whole;\n    char part[4];\n  } u;", "s->u.whole = i;", "s->u.part[1]"),
    "inner": ("struct total {\n  long count, sum;\n};\n", "struct total total;", "s->total.sum += i;", "(int)s->total.sum"),
    "floating": ("", "double value;", "s->value = s->value * 2 + i;", "(int)s->value"),
    "function": ("static int none(int i) { return i; }\n\nstatic int some(int i) { return i + 1; }\n", "int (*function)(int);",
                 "s->function = i > 1 ? none : some;", "s->function == some"),
}

WRAPPERS = """static void store_lock(pthread_mutex_t *mutex) {
  if (pthread_mutex_lock(mutex) != 0) abort();
}

static void store_unlock(pthread_mutex_t *mutex) {
  if (pthread_mutex_unlock(mutex) != 0) abort();
}
"""

MACROS = "#define LOCK(m) pthread_mutex_lock(&(m))\n#define UNLOCK(m) pthread_mutex_unlock(&(m))\n"

OWN_SPIN = """static void spin_take(atomic_int *word) {
  while (atomic_exchange_explicit(word, 1, memory_order_acquire)) sched_yield();
}

static void spin_leave(atomic_int *word) { atomic_store_explicit(word, 0, memory_order_release); }
"""

# name: (before struct store, member, global, making it, taking it, letting go, taking it to read); {l} the lock's name
MEMBER = ("", "pthread_mutex_t {l};", "", "pthread_mutex_init(&s->{l}, NULL);")
LOCKS = {
    "member": MEMBER + ("pthread_mutex_lock(&s->{l});", "pthread_mutex_unlock(&s->{l});", None),
    "global": ("", "", "static pthread_mutex_t {l} = PTHREAD_MUTEX_INITIALIZER;", "", "pthread_mutex_lock(&{l});", "pthread_mutex_unlock(&{l});", None),
    "behind-pointer": ("", "pthread_mutex_t *{l};", "", "s->{l} = malloc(sizeof *s->{l});\n  pthread_mutex_init(s->{l}, NULL);",
                       "pthread_mutex_lock(s->{l});", "pthread_mutex_unlock(s->{l});", None),
    "wrappers": (WRAPPERS,) + MEMBER[1:] + ("store_lock(&s->{l});", "store_unlock(&s->{l});", None),
    "macros": (MACROS,) + MEMBER[1:] + ("LOCK(s->{l});", "UNLOCK(s->{l});", None),
    "trylock": MEMBER + ("while (pthread_mutex_trylock(&s->{l}) != 0) sched_yield();", "pthread_mutex_unlock(&s->{l});", None),
    "asked": MEMBER + ("if (pthread_mutex_lock(&s->{l}) != 0) abort();", "pthread_mutex_unlock(&s->{l});", None),
    "spin": ("", "pthread_spinlock_t {l};", "", "pthread_spin_init(&s->{l}, 0);", "pthread_spin_lock(&s->{l});", "pthread_spin_unlock(&s->{l});", None),
    "rwlock": ("", "pthread_rwlock_t {l};", "", "pthread_rwlock_init(&s->{l}, NULL);", "pthread_rwlock_wrlock(&s->{l});",
               "pthread_rwlock_unlock(&s->{l});", "pthread_rwlock_rdlock(&s->{l});"),
    "semaphore": ("", "sem_t {l};", "", "sem_init(&s->{l}, 0, 1);", "sem_wait(&s->{l});", "sem_post(&s->{l});", None),
    "c11": ("", "mtx_t {l};", "", "mtx_init(&s->{l}, mtx_plain);", "mtx_lock(&s->{l});", "mtx_unlock(&s->{l});", None),
    "flag": ("", "atomic_flag {l};", "", "", "while (atomic_flag_test_and_set(&s->{l})) sched_yield();", "atomic_flag_clear(&s->{l});", None),
    "own-spin": (OWN_SPIN, "atomic_int {l};", "", "", "spin_take(&s->{l});", "spin_leave(&s->{l});", None),
    "compare": ("", "atomic_int {l};", "", "", "for (int none = 0; !atomic_compare_exchange_weak(&s->{l}, &none, 1); none = 0) sched_yield();",
                "atomic_store(&s->{l}, 0);", None),
    "sync-builtin": ("", "volatile int {l};", "", "", "while (__sync_lock_test_and_set(&s->{l}, 1)) sched_yield();",
                     "__sync_lock_release(&s->{l});", None),
    "recursive": ("", "pthread_mutex_t {l};", "", "make_recursive(&s->{l});", "pthread_mutex_lock(&s->{l});", "pthread_mutex_unlock(&s->{l});", None),
    "array-of-locks": ("static pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,"
                       " PTHREAD_MUTEX_INITIALIZER};\nenum { lock = 1, other = 2 };\n", "", "", "",
                       "pthread_mutex_lock(&locks[{l}]);", "pthread_mutex_unlock(&locks[{l}]);", None),
}

MAKE_RECURSIVE = """static void make_recursive(pthread_mutex_t *mutex) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(mutex, &kind);
}
"""

KEPT = "static _Thread_local volatile int kept;"  # what is read is used, or no code would read it

INCLUDES = ("pthread.h", "sched.h", "semaphore.h", "stdatomic.h", "stdio.h", "stdlib.h", "string.h", "threads.h")

TABLES = {"owner": OWNERS, "given": GIVEN, "data": DATA, "lock": LOCKS, "fault": matrix_parts.FAULTS}
SUFFIX = ".c"


def function(lock, data, way, mark):
    """A function that goes one way."""
    _, _, write, read = DATA[data]
    guard = matrix_parts.LOCKS[way]
    take, let_go, take_to_read = LOCKS[lock][4:]
    if matrix_parts.is_shared(way) and take_to_read:
        take = take_to_read
    before, after = (part.format(l=guard) if guard else "" for part in (take, let_go))
    if way in matrix_parts.READERS:
        body = [before, f"int seen = {read};{mark}", after, "kept = seen + i;", "return kept;"]
        return [f"static int {way}(struct store *s, int i) {{"] + [f"  {line}" for line in body if line] + ["}", ""]
    return [f"static void {way}(struct store *s, int i) {{"] + [f"  {line}" for line in (before, write + mark, after) if line] + ["}", ""]


def program(owner, given, data, lock, fault):
    """The text of a program, or None where the rows do not go together."""
    row = matrix_parts.FAULTS[fault]
    if row.needs_shared and LOCKS[lock][6] is None:
        return None
    names = ("lock", "other")
    before_store, member, variable, make = LOCKS[lock][:4]
    before_main, in_main, thing = OWNERS[owner]
    functions, start, wait = GIVEN[given]
    lines = ["// SHOWN"] + [f"#include <{name}>" for name in INCLUDES] + [KEPT]
    lines += [MAKE_RECURSIVE if lock == "recursive" else "", before_store, DATA[data][0], "struct store {", f"  {DATA[data][1]}"]
    lines += [f"  {member.format(l=name)}" for name in names] + ["};"] + [variable.format(l=name) for name in names]
    for way in row.ways:
        lines += function(lock, data, way, row.marks.get(way, ""))
    lines += ["static void make_locks(struct store *s) {", "  (void)s;"] + [f"  {make.format(l=name)}" for name in names] + ["}"]
    lines += [before_main, functions(*row.threads), "int main(void) {", f"  {in_main}", f"  make_locks({thing});"]

    def calls(ways):
        return [matrix_parts.statement(way, f"{way}({thing}, 4)") for way in ways]

    lines += ["  int seen = 0;"] + calls(row.before) + ["  " + start.format(o=thing)] + calls(row.beside)
    lines += ["  " + wait] + calls(row.after)
    return "\n".join(line for line in lines + ["  return seen == 12345;", "}"] if line.strip()) + "\n"
