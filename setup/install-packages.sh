#!/bin/sh
# Install the missing ones of the Debian packages named in the given files. Without the right to install, say what to
# run. On other systems do nothing: there `blendproof doctor` says what is missing.
set -eu
command -v dpkg-query >/dev/null || exit 0
missing=""
for package in $(cat "$@"); do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
    echo "Missing system packages. Run this, then try again:" >&2
    echo "    sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
fi
echo "installing system packages:$missing" >&2
# On a terminal apt shows its own progress; elsewhere its lines would bury the rest.
if [ -t 1 ]; then quiet=-q; else quiet=-qq; exec >/dev/null; fi
apt-get update $quiet
DEBIAN_FRONTEND=noninteractive apt-get install $quiet -y --no-install-recommends $missing
