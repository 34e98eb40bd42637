# Checks the add-ons at a path in a container without network. Reads ADDON (the path), ON (Blenders or empty) and IMAGE.
# Ends as `blendproof addon check` does.
set -euo pipefail

docker run --rm --network none --read-only --cap-drop ALL --security-opt no-new-privileges \
    --memory 8g --pids-limit 2048 --tmpfs /tmp:size=512m,mode=1777 \
    --tmpfs /var/lib/blendproof:size=1g,mode=1777 \
    --volume "$GITHUB_WORKSPACE:/project:ro" \
    "$IMAGE" addon check ${ON:+"--on=$ON"} --format github -- "$ADDON"
