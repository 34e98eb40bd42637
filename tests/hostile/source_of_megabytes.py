"""passed: compiles source of megabytes."""

exec(compile("x = 1\n" * 400_000, "long", "exec"))
