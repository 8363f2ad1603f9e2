"""The machinery: connections and group commit, prepared statements, the lock, migrations, backup."""
