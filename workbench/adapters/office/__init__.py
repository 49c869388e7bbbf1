"""Documents of office and mail programs: each format into marked-up text or sheets."""
