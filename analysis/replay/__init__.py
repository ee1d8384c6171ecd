"""The replay machine: executes a program and its adjoint, store-all and under a plan, and compares."""
