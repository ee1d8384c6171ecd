"""What a newcomer meets first: the project file that init writes, the fields of a document."""
