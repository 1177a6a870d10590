// The tables in PostgreSQL of all stores that are replicated together.
#pragma once

namespace tenure::store {

inline constexpr int kPostgresFormat = 2;
// Groups of this format get the table of sessions by MakeTables.
inline constexpr int kFormatWithoutSessions = 1;

// Large values lie outside of their rows, uncompressed: pages are read whole. `store` and `applied`
// are updated at each commit and each apply, in place. Rows of `log` and `page` come and go.
inline constexpr const char* kPostgresSchema[] = {
    "CREATE SCHEMA tenure",
    "CREATE TABLE tenure.format (version int NOT NULL)",
    "CREATE TABLE tenure.store (uuid bytea PRIMARY KEY, name text NOT NULL UNIQUE,"
    " lineage bigint NOT NULL, term bigint NOT NULL, last bigint NOT NULL,"
    " node text NOT NULL, node_epoch bigint NOT NULL) WITH (fillfactor = 50)",
    "CREATE TABLE tenure.node (name text PRIMARY KEY, address text NOT NULL, epoch bigint NOT NULL,"
    " beat bigint NOT NULL, subject text NOT NULL) WITH (fillfactor = 50)",
    "CREATE TABLE tenure.applied (store bytea PRIMARY KEY, term bigint NOT NULL,"
    " pos bigint NOT NULL) WITH (fillfactor = 50)",
    "CREATE TABLE tenure.log (store bytea, pos bigint, part int, kind smallint NOT NULL,"
    " id bytea NOT NULL, body bytea NOT NULL, PRIMARY KEY (store, pos, part))"
    " WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,"
    " autovacuum_vacuum_cost_delay = 0)",
    "ALTER TABLE tenure.log ALTER body SET STORAGE EXTERNAL",
    "CREATE TABLE tenure.db (uuid bytea PRIMARY KEY, store bytea NOT NULL, name text NOT NULL,"
    " root bigint NOT NULL, next_page bigint NOT NULL, freed bytea NOT NULL)",
    "CREATE INDEX ON tenure.db (store)",
    "CREATE TABLE tenure.page (db bytea, no bigint, body bytea NOT NULL, PRIMARY KEY (db, no))"
    " WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,"
    " autovacuum_vacuum_cost_delay = 0)",
    "ALTER TABLE tenure.page ALTER body SET STORAGE EXTERNAL",
    "CREATE TABLE tenure.ref (db bytea, kind smallint, no bigint, body bytea NOT NULL,"
    " PRIMARY KEY (db, kind, no))",
    "CREATE TABLE tenure.type (store bytea, idx bigint, body bytea NOT NULL,"
    " PRIMARY KEY (store, idx))",
    "CREATE TABLE tenure.granted (store bytea, subject text, role smallint NOT NULL,"
    " PRIMARY KEY (store, subject))",
    "CREATE TABLE tenure.outcome (store bytea, pos bigint, id bytea NOT NULL,"
    " PRIMARY KEY (store, pos))",
    "CREATE TABLE tenure.doubt (store bytea, kind smallint, id bytea, body bytea NOT NULL,"
    " PRIMARY KEY (store, kind, id))",
    "INSERT INTO tenure.format VALUES (2)",
};

inline constexpr const char* kPostgresSessions[] = {
    "CREATE TABLE tenure.session (store bytea, id bytea, program bytea NOT NULL,"
    " PRIMARY KEY (store, id))",
};

}  // namespace tenure::store
