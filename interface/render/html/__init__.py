"""Pages of HTML: one file each, nothing fetched, all figures there without a script."""
