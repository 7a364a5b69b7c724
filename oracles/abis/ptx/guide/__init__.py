"""The PTX Writer's Guide to Interoperability: what source types become."""
