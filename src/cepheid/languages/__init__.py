"""One package per query language: its grammar, its lowering to the algebra and its printer."""
