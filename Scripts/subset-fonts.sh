#!/bin/sh
# Makes the page's fonts again from Debian's packages: the Latin characters that the page itself writes, in WOFF2. All
# others are in the system's fonts. The results are committed, so that neither a build nor a test needs this.
set -eu
cd "$(dirname "$0")/.."

web=$PWD/Sources/TrafficInspector/Web
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/tools"
"$folder/tools/bin/pip" install --quiet --disable-pip-version-check fonttools==4.68.0 brotli==1.2.1
for package in fonts-inter fonts-jetbrains-mono; do
    (cd "$folder" && apt-get download --quiet "$package" && dpkg -x "$package"_*.deb fonts)
done

characters=U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2013-2014,U+2018-201E,U+2020-2022,U+2026,U+2039-203A,U+20AC
characters=$characters,U+2122,U+2190-2193,U+21C4,U+2212,U+2248,U+2260,U+2264-2265
subset() {
    "$folder/tools/bin/pyftsubset" "$(find "$folder/fonts" -name "$1" | head -n 1)" --unicodes="$characters" \
        --layout-features="$2" --flavor=woff2 --no-hinting --desubroutinize --name-IDs=0,1,2,3,4,5,6,13,14 \
        --output-file="$web/$3"
}
subset Inter-Regular.otf kern,tnum,ccmp,mark,locl,cv05,ss03 inter-400.woff2
subset Inter-SemiBold.otf kern,tnum,ccmp,mark,locl,cv05,ss03 inter-600.woff2
subset JetBrainsMono-Regular.ttf ccmp,mark,zero mono-400.woff2
ls -l "$web"/*.woff2
