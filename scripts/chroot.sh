# A bare Debian 12 in a chroot, for scripts that test the first steps of a new user. To be sourced after common.sh. Needs root,
# debootstrap, and a Debian 12 with package archives that the chroot may also use.

# Only this script and its children see the file systems that are mounted in the chroot. They are unmounted when these processes end
# in any way, so a chroot that is left over is an ordinary folder, and may be removed.
[ "$(id -u)" -eq 0 ] || die "needs root, for chroot"
if [ -z "${TILECC_CHROOT:-}" ]; then
  TILECC_CHROOT=1 exec unshare --mount --propagation private bash "$0" "$@"
fi

certificates=/etc/host-certificates.crt

# make_chroot <folder>: creates a chroot or reuses an existing one, and mounts the file systems that programs need.
make_chroot() {
  chroot=$1
  command -v debootstrap >/dev/null || die "install debootstrap"
  local archives
  archives=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u)
  if [ ! -x "$chroot/usr/bin/apt-get" ]; then
    local archive
    archive=$(awk '$3 == "bookworm" { print $2; exit }' <<<"$archives")
    say "making a bare Debian 12 in $chroot"
    debootstrap --variant=minbase bookworm "$chroot" "${archive:?apt knows no archive of Debian 12}" >"$chroot.log" ||
      { tail "$chroot.log"; die "debootstrap failed"; }
  fi
  printf '%s\n' "$archives" >"$chroot/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(Check|https?::)' >"$chroot/etc/apt/apt.conf.d/90host"
  cp -L /etc/resolv.conf "$chroot/etc/"
  # This machine's certificates, if pip uses them. They do not replace those that Debian's packages install.
  [ -z "${PIP_CERT:-}" ] || install -D -m 644 "$PIP_CERT" "$chroot$certificates"
  mkdir -p "$chroot/dev/shm" "$chroot/dev/pts"
  mount -t proc proc "$chroot/proc"
  mount -t tmpfs tmpfs "$chroot/dev/shm"
  mount -t devpts devpts "$chroot/dev/pts"
}

# inside <command>...: runs a command in the chroot. Of this machine's environment, it gets only the network settings.
inside() {
  local variable settings=()
  for variable in http_proxy https_proxy no_proxy PIP_INDEX_URL; do
    [ -z "${!variable:-}" ] || settings+=("$variable=${!variable}")
  done
  [ -z "${PIP_CERT:-}" ] || settings+=("PIP_CERT=$certificates")
  chroot "$chroot" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root DEBIAN_FRONTEND=noninteractive "${settings[@]}" "$@"
}

install_inside() {
  inside apt-get install -y -qq --no-install-recommends "$@" >"$chroot.log" 2>&1 || { tail "$chroot.log"; die "apt-get failed"; }
}
