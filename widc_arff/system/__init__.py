"""Files that are written whole, processes that end with whoever started them, interruptions."""
