"""A folder of pages about what some runs found, for publication: values, spans of versions, news, search and pages."""
