"""What specification parts declare, before names are bound."""
