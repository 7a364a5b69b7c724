"""Compare runs with each other, and declarations with a baseline that was kept."""
