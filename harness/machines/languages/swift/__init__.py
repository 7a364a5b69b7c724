"""Swift: records of C by its importer, `@_cdecl` and `@convention(c)`."""
