# A bare Debian 12 in a chroot, for scripts that try what a newcomer does. Sourced behind common.sh, not run. Needs root, debootstrap,
# and a Debian 12 whose package archives the chroot may use, too.

# What is mounted in the chroot is seen by this script and its children alone and goes with them, however they end: a chroot that
# stays behind is a folder like any other, and may be removed.
[ "$(id -u)" -eq 0 ] || die "needs root, for chroot"
if [ -z "${TILECC_CHROOT:-}" ]; then
  TILECC_CHROOT=1 exec unshare --mount --propagation private bash "$0" "$@"
fi

certificates=/etc/host-certificates.crt

# make_chroot <folder>: makes one, or takes the one that is there, and mounts in it what programs need.
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
  # Certificates of this machine, where pip is told to use them; not in the place of those that Debian's packages install.
  [ -z "${PIP_CERT:-}" ] || install -D -m 644 "$PIP_CERT" "$chroot$certificates"
  mkdir -p "$chroot/dev/shm" "$chroot/dev/pts"
  mount -t proc proc "$chroot/proc"
  mount -t tmpfs tmpfs "$chroot/dev/shm"
  mount -t devpts devpts "$chroot/dev/pts"
}

# inside <command>...: runs it there, with nothing of this machine's environment but the way to the network.
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
