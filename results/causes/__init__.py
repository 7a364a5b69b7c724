"""Group deviations by cause: fingerprints, traits, whom to blame, what a triage keeps."""
