"""Say what a run, a comparison or a model found, for people and for programs: text, HTML, Markdown, JSON, JUnit, SARIF."""
