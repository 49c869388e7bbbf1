"""LibreOffice as a converter to PDF, where it is on the machine."""
