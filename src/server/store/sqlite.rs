//! The store in a SQLite database.
