# Judges the scripts in a container without network. Reads LIST (names, each ended by a zero byte), EVIDENCE (a folder
# to make), ON (Blenders or empty) and IMAGE. Ends as `blendproof validate` does.
set -euo pipefail

install --directory --mode 777 "$EVIDENCE"
mapfile -d '' -t scripts < "$LIST"
docker run --rm --network none --read-only --cap-drop ALL --security-opt no-new-privileges \
    --memory 8g --pids-limit 2048 --tmpfs /tmp:size=512m,mode=1777 \
    --tmpfs /var/lib/blendproof:size=1g,mode=1777 \
    --volume "$GITHUB_WORKSPACE:/project:ro" --volume "$EVIDENCE:/evidence" \
    "$IMAGE" validate ${ON:+"--on=$ON"} --format github --output /evidence -- "${scripts[@]}"
