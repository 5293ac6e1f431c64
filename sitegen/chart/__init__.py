"""Charts: data first, then drawn as markup, as a table, and as a figure for the script that takes over. Pure."""
