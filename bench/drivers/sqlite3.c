/* Closes sqlite3, an open library: two threads with a connection each to one database with a write-ahead log, and a third connection that both
   use as well (serialized). Status 0: every row that was written is there.

     sqlite3 FOLDER */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

enum { kThreads = 2, kRows = 12 };

static char path[4096];
static sqlite3 *common;

static void must(int status, int wanted, sqlite3 *database) {
  if (status == wanted) return;
  fprintf(stderr, "sqlite3: %d: %s\n", status, sqlite3_errmsg(database));
  exit(2);
}

static sqlite3 *openDatabase(void) {
  sqlite3 *database;
  must(sqlite3_open(path, &database), SQLITE_OK, database);
  sqlite3_busy_timeout(database, 60000);
  must(sqlite3_exec(database, "pragma journal_mode = wal; pragma synchronous = off", NULL, NULL, NULL), SQLITE_OK,
       database);
  return database;
}

static int number(sqlite3 *database, const char *query) {
  sqlite3_stmt *statement;
  must(sqlite3_prepare_v2(database, query, -1, &statement, NULL), SQLITE_OK, database);
  must(sqlite3_step(statement), SQLITE_ROW, database);
  const int value = sqlite3_column_int(statement, 0);
  must(sqlite3_finalize(statement), SQLITE_OK, database);
  return value;
}

static void *work(void *argument) {
  const int me = *(int *)argument;
  sqlite3 *own = openDatabase();
  int seen = 0;
  for (int row = 0; row != kRows; row++) {
    char text[200];
    snprintf(text, sizeof(text), "begin immediate; insert into rows values(%d, %d); commit", me, row);
    must(sqlite3_exec(own, text, NULL, NULL, NULL), SQLITE_OK, own);
    const int now = number(row % 2 ? common : own, "select count(*) from rows");
    if (now < seen) exit(3); /* rows do not go away */
    seen = now;
    if (row == kRows / 2) sqlite3_wal_checkpoint_v2(own, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  }
  sqlite3_close(own);
  return NULL;
}

int main(int count, char **arguments) {
  pthread_t threads[kThreads];
  int numbers[kThreads];
  if (count != 2) return 2;
  snprintf(path, sizeof(path), "%s/database", arguments[1]);
  common = openDatabase();
  must(sqlite3_exec(common, "create table rows(thread int, row int, primary key(thread, row))", NULL, NULL, NULL),
       SQLITE_OK, common);
  for (int i = 0; i != kThreads; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i != kThreads; i++) pthread_join(threads[i], NULL);
  const int rows = number(common, "select count(*) from rows");
  sqlite3_close(common);
  return rows == kThreads * kRows ? 0 : 1;
}
