"""What each call of MPI does on a rank: messages, requests, probes, collectives, communicators, types of data."""
