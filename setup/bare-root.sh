#!/bin/sh
# Try this checkout on a bare Debian: make a minimal root of a release, clone HEAD into it, and run `make` there, as root
# and as an ordinary user, for whom only the system packages that set-up asks for are installed.
#
#   sudo sh setup/bare-root.sh [OPTION...] FOLDER [TARGET...]      the targets are `demo test` unless given
#
#   --release NAME     a release of Debian, such as bookworm or trixie; may be given again; both of these unless given
#   --as root|user     who runs make; both unless given
#   --bind PATH        show a file or folder of this machine in the root, read-only; may be given again
#   --env NAME=VALUE   set a variable in the root; may be given again
#   --keep             leave the roots in FOLDER, to be used again; otherwise each is removed when its last target is done
#
# The network settings of this machine are copied: the mirror of apt and its settings, pip's configuration, name
# service, certificates, proxies and the variables of each. Bind the paths that pip's configuration names on the disk.
# Each root takes about 10 GB. Logs stay in FOLDER/logs. The exit code is 0 if every target passed.
set -eu

say() { echo "bare-root: $*" >&2; }
usage() { sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0" >&2; exit 2; }

here=$(cd "$(dirname "$0")/.." && pwd)
releases="" users="" binds="" variables="" keep=""
while [ $# -gt 0 ]; do
    case $1 in
        --release) releases="$releases ${2:?}"; shift 2 ;;
        --as) users="$users ${2:?}"; shift 2 ;;
        --bind) binds="$binds ${2:?}"; shift 2 ;;
        --env) variables="$variables ${2:?}"; shift 2 ;;
        --keep) keep=yes; shift ;;
        -*) usage ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || usage
mkdir -p "$1/logs"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- demo test
[ "$(id -u)" = 0 ] || { say "only root can make and enter a root"; exit 1; }

# --- network settings -------------------------------------------------------------------------------------

for path in /etc/pip.conf /etc/xdg/pip; do
    [ ! -e "$path" ] || binds="$binds $path"
done
for name in $(env | sed -n 's/^\([A-Za-z0-9_]*\)=.*/\1/p'); do
    case $name in
        PIP_* | UV_* | SSL_CERT_* | *_CA_BUNDLE | *_proxy | *_PROXY) variables="$variables $name=$(printenv "$name")" ;;
    esac
done

mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Identifier: Packages' |
    sed -n '/security/d; s/ main$//p' | head -n 1)
[ -n "$mirror" ] || { say "apt names no mirror of Debian on this machine"; exit 1; }
command -v debootstrap >/dev/null || { apt-get update -qq && apt-get install -qq -y --no-install-recommends debootstrap; }

# --- making and entering a root ---------------------------------------------------------------------------

# Make a root with what a new user has: git, make, certificates, and an ordinary account.
make_root() { # RELEASE ROOT
    debootstrap --variant=minbase "$1" "$2" "$mirror" &&
        { apt-config dump | grep -E '^Acquire::(Check-|https?::|Retries)' >"$2/etc/apt/apt.conf.d/50host" || true; } &&
        enter "$2" root / "apt-get update && apt-get install -y --no-install-recommends git make ca-certificates" &&
        enter "$2" root / "useradd --create-home --shell /bin/sh newcomer" &&
        cp /etc/ssl/certs/ca-certificates.crt "$2/etc/ssl/certs/ca-certificates.crt"
}

# Run a command in a root as if the machine had booted it: its own processes, which end with the command, and the root
# itself in place of this machine's, because the kernel forbids user namespaces in a chroot.
enter() { # ROOT USER FOLDER COMMAND
    unshare --mount --pid --fork --kill-child sh -eu -c '
        root=$1 user=$2 folder=$3 command=$4 binds=$5 variables=$6
        mount --make-rprivate /
        mount --bind "$root" "$root"
        cp /etc/resolv.conf /etc/hosts "$root/etc/"
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        for path in $binds; do
            if [ -d "$path" ]; then mkdir -p "$root$path"; else mkdir -p "$root${path%/*}"; : >>"$root$path"; fi
            mount --bind "$path" "$root$path"
            mount -o remount,bind,ro "$root$path"
        done
        mkdir -p "$root/mnt/host"
        cd "$root"
        pivot_root . mnt/host
        cd /
        umount --lazy /mnt/host
        home=/root
        [ "$user" = root ] || home=/home/$user
        export DEBIAN_FRONTEND=noninteractive
        status=0
        # Not by exec: orphans of the command must be reaped, as an init would.
        env -i HOME="$home" USER="$user" DEBIAN_FRONTEND=noninteractive $variables \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            runuser -u "$user" -- sh -c "cd \"$folder\" && $command" || status=$?
        exit $status
    ' enter "$1" "$2" "$3" "$4" "$binds" "$variables"
}

# Run what set-up tells a user who may not install packages.
install_as_told() { # ROOT CHECKOUT LIST
    told=$(enter "$1" newcomer "$2" "sh setup/install-packages.sh $3" 2>&1 | sed -n 's/^ *sudo \(apt-get .*\)/\1/p')
    [ -z "$told" ] || enter "$1" root / "apt-get update && $told -y"
}

# --- the runs ---------------------------------------------------------------------------------------------

failed=0
# Run a step with its output in a log, and report the result.
step() { # LABEL COMMAND...
    label=$1 log="$folder/logs/$(echo "$1" | tr ' /' '--').log" began=$(date +%s)
    shift
    if "$@" >"$log" 2>&1 </dev/null; then said=ok; else said="FAILED, see $log" failed=1; fi
    say "$label: $said ($(($(date +%s) - began)) s)"
    [ "$said" = ok ]
}

for release in ${releases:-bookworm trixie}; do
    for who in ${users:-root user}; do
        root="$folder/$release-$who"
        if [ "$who" = root ]; then user=root home=/root; else user=newcomer home=/home/newcomer; fi
        checkout="$home/blendproof"
        if [ ! -d "$root" ]; then
            step "$release $who root" make_root "$release" "$root" || continue
            git clone --quiet --no-hardlinks "$here" "$root$checkout"
        else
            git -c safe.directory='*' -C "$root$checkout" pull --quiet
        fi
        chown -R "$(stat -c %u:%g "$root$home")" "$root$checkout"
        if [ "$who" = user ]; then
            step "$release $who packages" install_as_told "$root" "$checkout" setup/system-packages.txt || true
            case "$*" in
                *test*) step "$release $who test-packages" \
                    install_as_told "$root" "$checkout" setup/test-packages.txt || true ;;
            esac
        fi
        for target in "$@"; do
            step "$release $who $target" enter "$root" "$user" "$checkout" "make $target" || true
            sizes=$(cd "$root$checkout" && du -sh .venv .blendproof 2>/dev/null | awk '{printf "%s %s, ", $2, $1}')
            say "$release $who: ${sizes}$(du -sh "$root" | cut -f 1) in all"
        done
        [ -n "$keep" ] || rm -rf --one-file-system "$root"
    done
done
exit $failed
