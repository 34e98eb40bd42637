# Finds the scripts to judge. Reads SCRIPTS (pathspecs, one a line), SINCE (a commit or empty), ON and IMAGE, which
# belong to the key of the cache; writes count, list (a file of names), evidence (a folder) and key to GITHUB_OUTPUT.
set -euo pipefail

mapfile -t pathspecs < <(printf '%s\n' "$SCRIPTS" | sed '/^[[:space:]]*$/d')
if [ "${#pathspecs[@]}" -eq 0 ]; then
    echo "::error::The input scripts is empty: write pathspecs such as scripts/*.py, one a line."
    exit 2
fi

list=$RUNNER_TEMP/blendproof-scripts
if [ -n "$SINCE" ]; then
    if ! git rev-parse --quiet --verify "$SINCE^{commit}" > /dev/null; then
        echo "::error::The commit in the input since is not here: check out with fetch-depth: 0."
        exit 2
    fi
    git diff --name-only --diff-filter=d -z "$SINCE...HEAD" -- "${pathspecs[@]}" > "$list"
else
    git ls-files -z -- "${pathspecs[@]}" > "$list"
fi

count=$(tr --complement --delete '\0' < "$list" | wc --bytes)
if [ "$count" -eq 0 ]; then
    echo "No script to judge."
fi
hashes=$(xargs --no-run-if-empty -0 sha256sum -- < "$list")
key=$(printf '%s\n' "$IMAGE" "$ON" "$hashes" | sha256sum | cut --delimiter=' ' --fields=1)
{
    echo "count=$count"
    echo "list=$list"
    echo "evidence=$RUNNER_TEMP/blendproof-evidence"
    echo "key=$key"
} >> "$GITHUB_OUTPUT"
