"""libffi: C that describes each prototype to libffi, which makes the call, and takes it with a closure."""
