"""What ``--format json`` writes, as types: one class for each object of a document, from which its JSON Schema is made.

    class SplitDocument(Struct, frozen=True, kw_only=True):   ->   {"file": "a.f90", "line": 24, ...}

A field's name is the document's, its order is the document's order, its type is the schema's, and what ``said`` says of
it is the schema's description. The classes import nothing of the analysis:
:mod:`snapset.render.records.report_json` and its like fill them in.
"""
