"""The written ABIs on linking object files: flags, attributes and properties, and the values that go together."""
