#!/bin/sh
# Makes a Debian package and an archive of a release build, in `dist`.
#
# usage: package.sh stage FOLDER PREFIX    lay out the files of an installation in FOLDER/PREFIX
#        package.sh remove FOLDER PREFIX   remove them
#        package.sh formula URL SHA256    make dist/wireweight.rb, Homebrew's formula of a release's source archive
#        package.sh archives              make dist/wireweight_VERSION_ARCH.deb and dist/wireweight-VERSION-linux-ARCH.tar.gz
set -eu
cd "$(dirname "$0")/.."

build=.build/static/release
proxy=.build/static-proxy/release/wireweight-proxy
name=wireweight
version=$(sed -n 's/.*static let version = "\(.*\)".*/\1/p' Sources/TrafficExport/Producer.swift)
[ -n "$version" ] || { echo "Sources/TrafficExport/Producer.swift has no version" >&2; exit 70; }

usage() {
    sed -n 's/^# usage: \(.*\)/usage: \1/p; s/^#        \(package\.sh\)/       \1/p' "$0" >&2
    exit 64
}

# Where each shell looks for what completes a command.
completion() {
    case $2 in
    bash) echo "$1/share/bash-completion/completions/$name" ;;
    zsh) echo "$1/share/zsh/vendor-completions/_$name" ;;
    fish) echo "$1/share/fish/vendor_completions.d/$name.fish" ;;
    esac
}

remove() {
    root=$1$2
    rm -rf "${root:?}/lib/$name" "$root/share/doc/$name"
    rm -f "$root/bin/$name"
    rm -f "$root/share/man/man1/$name.1.gz" "$root/share/man/man1/$name"-*.1.gz "$root/share/man/man7/$name"-*.7.gz
    for shell in bash zsh fish; do rm -f "$(completion "$root" $shell)"; done
}

# Puts what is installed into folder $1 under prefix $2.
stage() {
    root=$1$2
    home=$root/lib/$name
    remove "$1" "$2"
    mkdir -p "$home" "$root/bin"
    # The command looks for the tap beside itself.
    install -m 755 "$build/$name" "$home/$name"
    install -m 755 "$proxy" "$home/$name-proxy"
    install -m 644 "$build/libWireweightPreload.so" "$home/libWireweightPreload.so"
    # The command itself is the same without it, so that a build can be repeated bit by bit.
    if git rev-parse --short=12 HEAD >"$home/commit" 2>/dev/null; then chmod 644 "$home/commit"; else rm -f "$home/commit"; fi
    strip --strip-unneeded "$home/$name" "$home/$name-proxy" "$home/libWireweightPreload.so"
    # Nothing beside the system's own libraries is loaded; a build's paths must not be searched.
    patchelf --remove-rpath "$home/$name" "$home/$name-proxy"
    ln -sf "../lib/$name/$name" "$root/bin/$name"

    mkdir -p "$root/share/man/man1" "$root/share/man/man7" "$root/share/doc/$name"
    for shell in bash zsh fish; do
        file=$(completion "$root" $shell)
        mkdir -p "$(dirname "$file")"
        "$home/$name" --generate-completion-script "$shell" >"$file"
    done
    "$home/$name" --experimental-dump-help | Scripts/man-pages.py "$version" "$root/share/man/man1"
    install -m 644 Packaging/wireweight-exit-status.7 "$root/share/man/man7/"
    gzip -9nf "$root"/share/man/man1/$name*.1 "$root"/share/man/man7/$name*.7
    install -m 644 Packaging/copyright LICENSE "$root/share/doc/$name/"
    gzip -9nc CHANGELOG.md >"$root/share/doc/$name/changelog.gz"
    # The pages that help names, with what they refer to.
    cp -R docs "$root/share/doc/$name/docs"
    chmod -R u=rwX,go=rX "$root/share/doc/$name/docs"
}

# Compresses the members of plain.deb. dpkg-deb cannot make xz filter machine code, which saves a megabyte in twenty, nor
# expect words of four bytes (lc, lp), which saves 40 kB, nor see from the second program back to the first (dict), 110 kB.
squeeze() {
    filter=''
    [ "$(dpkg --print-architecture)" != amd64 ] || filter=--x86
    (
        cd "$1"
        ar x plain.deb
        # shellcheck disable=SC2086 # nothing is no argument
        xz $filter --lzma2=preset=9e,lc=2,lp=2,dict=96MiB control.tar data.tar
        ar rcD squeezed.deb debian-binary control.tar.xz data.tar.xz
    )
    mv "$1/squeezed.deb" "$2"
}

archives() {
    architecture=$(dpkg --print-architecture)
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    mkdir -p dist

    stage "$folder/deb" /usr
    mkdir -p "$folder/deb/DEBIAN" "$folder/debian"
    # dpkg-shlibdeps asks for a source package beside it.
    printf 'Source: %s\n' "$name" >"$folder/debian/control"
    depends=$(cd "$folder" && dpkg-shlibdeps --ignore-missing-info -O "deb/usr/lib/$name/$name" "deb/usr/lib/$name/$name-proxy" 2>/dev/null | sed 's/^shlibs:Depends=//')
    [ -n "$depends" ] || { echo "dpkg-shlibdeps found no libraries" >&2; exit 70; }
    size=$(du -sk "$folder/deb/usr" | cut -f1)
    sed -e "s/@version@/$version/" -e "s/@architecture@/$architecture/" -e "s/@size@/$size/" -e "s/@depends@/$depends/" \
        Packaging/control >"$folder/deb/DEBIAN/control"
    dpkg-deb -Znone --root-owner-group --build "$folder/deb" "$folder/plain.deb" >/dev/null
    squeeze "$folder" "dist/${name}_${version}_$architecture.deb"

    archive=$name-$version-linux-$(uname -m)
    mkdir "$folder/$archive"
    cp -a "$folder/deb/usr/." "$folder/$archive/"
    cp README.md LICENSE "$folder/$archive/"
    tar -C "$folder" --owner=0 --group=0 --sort=name -czf "dist/$archive.tar.gz" "$archive"

    # To look into a crash: what was stripped.
    objcopy --only-keep-debug --compress-debug-sections "$build/$name" "dist/$archive.debug"
    (cd dist && sha256sum "${name}_${version}_$architecture.deb" "$archive.tar.gz" "$archive.debug" >SHA256SUMS && ls -l && cat SHA256SUMS)
}

formula() {
    mkdir -p dist
    # The archive of a tag is in a folder of its repository.
    sed -e "s|@homepage@|${1%%/archive/*}|" -e "s|@url@|$1|" -e "s|@sha256@|$2|" \
        Packaging/wireweight.rb >dist/wireweight.rb
    # A template that lacks a mark would name no source.
    if ! grep -qF "url \"$1\"" dist/wireweight.rb || ! grep -qF "sha256 \"$2\"" dist/wireweight.rb; then
        echo "Packaging/wireweight.rb has no place for the address or the checksum" >&2
        exit 70
    fi
    ! command -v ruby >/dev/null || ruby -c dist/wireweight.rb >/dev/null
}

case ${1-} in
stage) [ $# -eq 3 ] || usage; stage "$2" "$3" ;;
remove) [ $# -eq 3 ] || usage; remove "$2" "$3" ;;
formula) [ $# -eq 3 ] || usage; formula "$2" "$3" ;;
archives) [ $# -eq 1 ] || usage; archives ;;
*) usage ;;
esac
