"""The syntax of one statement: tokens, expressions, the statement's class."""
