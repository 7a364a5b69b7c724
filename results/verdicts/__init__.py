"""Judge observations against predictions: verdicts, and the places, values and notes in them as data, with their English."""
