"""Commands with which a project begins: a first project file, the schema of a document."""
