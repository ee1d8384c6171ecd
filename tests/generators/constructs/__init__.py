"""Random programs of many constructs, each judged by the replay machine and by the compiled original.

``writing`` has the vocabulary of a procedure, ``statements`` what every program has, ``shapes`` to ``control`` one
function a construct, ``programs`` puts them together, ``native`` compiles and differences them, ``trial`` judges.
"""
