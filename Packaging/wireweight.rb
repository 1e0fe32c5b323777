# Homebrew's formula of a release, from source: `Scripts/package.sh formula URL SHA256` fills in the address of the source
# archive and its checksum. On a Mac, the command reads stores and imports; what meters programs works on Linux alone.
# Homebrew has not built it yet, neither on a Mac nor on Linux.
class Wireweight < Formula
  desc "Measure what every HTTP request of a program weighs on the wire"
  homepage "@homepage@"
  url "@url@"
  sha256 "@sha256@"
  license "Apache-2.0"

  depends_on xcode: ["26.0", :build]

  uses_from_macos "python" => :build
  uses_from_macos "swift" => :build
  uses_from_macos "curl"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    arguments = ["--disable-sandbox", "-c", "release"]
    # On Linux, Swift's runtime is inside the command, which looks for the tap beside itself.
    arguments << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *arguments, "--product", "wireweight"
    libexec.install ".build/release/wireweight"
    if OS.linux?
      system "make", "tap", "CONFIGURATION=release"
      libexec.install ".build/release/libWireweightPreload.so"
    end
    bin.install_symlink libexec/"wireweight"

    generate_completions_from_executable(bin/"wireweight", "completions")
    (buildpath/"help.json").write Utils.safe_popen_read(bin/"wireweight", "--experimental-dump-help")
    mkdir "manual"
    system "sh", "-c", "python3 Scripts/man-pages.py #{version} manual <help.json"
    man1.install Dir["manual/*.1"]
    man7.install "Packaging/wireweight-exit-status.7"
    doc.install "docs"
  end

  test do
    assert_match "wireweight #{version}", shell_output("#{bin}/wireweight --version")
    (testpath/"one.har").write <<~JSON
      {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": [{
        "startedDateTime": "2026-11-21T10:00:00.000Z", "time": 5,
        "request": {"method": "GET", "url": "https://example.com/a", "httpVersion": "HTTP/1.1", "cookies": [],
          "headers": [], "queryString": [], "headersSize": 60, "bodySize": 0},
        "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
          "content": {"size": 100, "mimeType": "text/plain"}, "redirectURL": "", "headersSize": 40,
          "bodySize": 100},
        "cache": {}, "timings": {"send": 1, "wait": 3, "receive": 1}}]}}
    JSON
    system bin/"wireweight", "import", "one.har", "--db", "one.db"
    assert_match '"up": 60', shell_output("#{bin}/wireweight report one.db --json")
    # The demo compares the metered bytes with those that its own server counted; it meters by the tap.
    system bin/"wireweight", "demo", "--once" if OS.linux?
  end
end
