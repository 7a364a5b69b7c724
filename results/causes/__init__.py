"""Causes of deviations: fingerprints, traits, blame, and the contents of a triage."""
