"""One head in several processes: its queries asked where they are dealt to, their answers told to all."""
