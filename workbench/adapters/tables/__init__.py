"""The cells of sheets and tables in files of the data directory."""
