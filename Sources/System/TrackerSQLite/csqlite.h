// The part of SQLite's C interface (https://www.sqlite.org/c3ref/intro.html) that the event store uses,
// declared here so that the package builds where no development package of SQLite is installed.
#ifndef TRACKER_CSQLITE_H
#define TRACKER_CSQLITE_H

#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef void (*sqlite3_destructor_type)(void *);

#define SQLITE_OK 0
#define SQLITE_BUSY 5
#define SQLITE_NOMEM 7
#define SQLITE_ERROR 1
#define SQLITE_READONLY 8
#define SQLITE_INTERRUPT 9
#define SQLITE_IOERR 10
#define SQLITE_CORRUPT 11
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_NOTADB 26
#define SQLITE_ROW 100
#define SQLITE_DONE 101

#define SQLITE_NULL 5

#define SQLITE_OPEN_READWRITE 0x00000002
#define SQLITE_OPEN_CREATE 0x00000004
#define SQLITE_OPEN_NOMUTEX 0x00008000

int sqlite3_open_v2(const char *filename, sqlite3 **database, int flags, const char *vfs);
int sqlite3_close_v2(sqlite3 *database);
int sqlite3_exec(sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *context,
                 char **error);
int sqlite3_extended_errcode(sqlite3 *database);
const char *sqlite3_errmsg(sqlite3 *database);
int sqlite3_busy_timeout(sqlite3 *database, int milliseconds);
int sqlite3_changes(sqlite3 *database);
void sqlite3_progress_handler(sqlite3 *database, int steps, int (*handler)(void *), void *context);

#define SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE 1006
#define SQLITE_DBCONFIG_DEFENSIVE 1010
#define SQLITE_DBCONFIG_TRUSTED_SCHEMA 1017

int sqlite3_db_config(sqlite3 *database, int option, ...);

// Swift cannot call a function with any number of arguments.
static inline int tracker_sqlite3_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

int sqlite3_prepare_v2(sqlite3 *database, const char *sql, int length, sqlite3_stmt **statement, const char **tail);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_clear_bindings(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, int64_t value);
int sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int length,
                      sqlite3_destructor_type destructor);
int sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length,
                      sqlite3_destructor_type destructor);
int64_t sqlite3_column_int64(sqlite3_stmt *statement, int column);
const void *sqlite3_column_blob(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);
int sqlite3_column_type(sqlite3_stmt *statement, int column);

#endif
