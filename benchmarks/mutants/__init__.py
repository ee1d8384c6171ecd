"""Mutation testing: which small changes of the core no test notices.

    python -m benchmarks.mutants [ROOM ...] [--sample 40] [--seed 1] [--budget 8] [--jobs 2] [--only REGEX]
                                [--every] [--wide] [--survey FILE] [--kept FILE] [--modules REGEX] [--cases N]

A mutant is one function with one change: ``a & b`` becomes ``a | b``, ``~a`` is ``a``, a condition is turned round, a
constant is one more, a statement is left out. Its tests are those that run the changed statement: of the exact sets and
recorded cases, then of the nearest files, or of ``--every`` file of the room; first those that have killed others of
the module, then quick ones, few of each test function, until one fails or ``--budget`` seconds (of the processor) are
spent; a test that takes four times as long as without the change has noticed it, too. A kill
counts where the same tests pass in a process of their own without the change. Which test runs which statement is found
first, by running them all (``--survey FILE`` keeps that for another time: run again are only tests of
changed files or sources). Prints each mutant with the test that killed it, or as a survivor, then killed and total
for each room, those in ``equivalent.tsv`` left out; the exit code is 1 below 85 per cent.

Own code, because cosmic-ray and mutmut change files and start a test run for each mutant: collecting the tests takes
longer than running those concerned, and mutmut's copy of the sources knows no package-dir table. Here the tests are
collected once, and each mutant is a fork in which a function has another ``__code__``. So only bodies of functions are
changed, no annotation, default value or class, and an interrupted run leaves no changed file.
"""
