"""Parts of arrays: what is written, read and saved element by element, and dependence distances."""
