#!/usr/bin/env python3
"""Type-checks, on Linux, every target that a Mac or a device of Apple's builds, as for that system.

The toolchain for Linux has no standard library for Apple's systems, but it has the library's interfaces as text, and
its compilers know these systems. This script rewrites the interfaces for one of them and compiles the targets against
that. So `#if os(…)`, `canImport(Darwin)` and `#available` are what they are there, and what the oldest system that
Package.swift supports lacks is an error. Foundation, Darwin's headers and the like are declarations in
Tests/AppleStandIn. Other packages are compiled from their own sources, without the bodies of their functions.

usage: Scripts/check-apple.py [--prove] [SYSTEM…]      macos, ios, tvos, watchos; all four if none is named
       Scripts/check-apple.py --branches

With --prove it plants an error for that system into each target that it checks, in a copy, and all of them must be found.
With --branches it plants an error into each branch of each #if, in a copy: every branch must be one of Linux or of a system
that is named here, or its condition is in ELSEWHERE.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAND_IN = ROOT / "Tests/AppleStandIn"
CHECKOUTS = ROOT / ".build/checkouts"
PLUGINS = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift/host/plugins"
SYSTEMS = {
    "macos": "x86_64-apple-macosx{0}",
    "ios": "x86_64-apple-ios{0}-simulator",
    "tvos": "x86_64-apple-tvos{0}-simulator",
    "watchos": "x86_64-apple-watchos{0}-simulator",
}
NAMES = {"macos": "macOS", "ios": "iOS", "tvos": "tvOS", "watchos": "watchOS"}
LIBRARY = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "Synchronization", "Testing"]
# Modules of Apple's, and what each of them imports.
FRAMEWORKS = {
    "Darwin": [],
    "CoreGraphics": [],
    "ObjectiveC": [],
    "Dispatch": ["Darwin", "ObjectiveC"],
    "Foundation": ["CoreGraphics", "Darwin", "Dispatch", "ObjectiveC"],
    "AppKit": ["Foundation"],
    "UIKit": ["Foundation"],
    "SwiftUI": ["Foundation", "AppKit", "UIKit"],
    "WebKit": ["Foundation", "AppKit", "UIKit"],
}
# The systems that have a module, if not all have it.
SOME_HAVE = {"AppKit": ["macos"], "UIKit": ["ios", "tvos", "watchos"], "WebKit": ["macos", "ios"]}
# What a source has that is not the same on all of Apple's systems.
DIFFERS = re.compile(rf"^\s*(#if|(\w+ )*import ({'|'.join([*FRAMEWORKS, 'Synchronization'])}))\b", re.MULTILINE)
# Modules of other packages: their sources, what they import, and what their manifests define.
PACKAGES = {
    "GRDB": ("GRDB.swift/GRDB", ["Dispatch", "Foundation", "UIKit"], ["SQLITE_ENABLE_FTS5", "SQLITE_ENABLE_SNAPSHOT"]),
    "FlyingSocks": ("FlyingFox/FlyingSocks/Sources", ["Darwin", "Foundation"], []),
    "ArgumentParserToolInfo": ("swift-argument-parser/Sources/ArgumentParserToolInfo", [], []),
    "ArgumentParser": ("swift-argument-parser/Sources/ArgumentParser", ["ArgumentParserToolInfo", "Foundation"], []),
}
# What the manifest says of other systems; it is evaluated on Linux here. The tests that they build, and the files and folders
# that they do not, by target.
MANIFEST = (ROOT / "Package.swift").read_text()
TESTS = re.findall(r'"(\w+)"', re.search(r"let testsElsewhere: Set = \[(.*?)\]", MANIFEST, re.DOTALL)[1])
FILES_ON_LINUX = {
    target: re.findall(r'"([^"]+)"', files) for target, files in re.findall(
        r'"(\w+)": \[(.*?)\]', re.search(r"let filesForLinux = \[(.*?)\n    \]", MANIFEST, re.DOTALL)[1], re.DOTALL)}
# Before a target's name: the job that checks it, beside the one that makes its module.
CHECK = "check "
# A line that starts or ends a branch, and the branches that are in no build here: with a trait, another C library or processor.
BRANCH = re.compile(r"\s*#(if|elseif|else|endif)\b\s*(.*)")
ELSEWHERE = {"Server", "canImport(Musl)", "arch(arm64)", "else of arch(x86_64)"}
# Headers of system libraries that are the same on Linux.
HEADERS = ["sqlite3.h", "zlib.h", "zconf.h"]


class Check:
    """The check for one system, in a folder of its own."""

    def __init__(self, system, manifest, out, sources):
        self.system, self.out, self.sources = system, out, sources
        self.oldest = next((each["version"] for each in manifest["platforms"] if each["platformName"] == system), None)
        if self.oldest is None:
            sys.exit(f"check-apple: Package.swift does not say which {system} it supports")
        self.triple = SYSTEMS[system].format(self.oldest)
        self.targets = [each for each in manifest["targets"] if self.is_room(each)]
        # All are built before one is run, on a Mac and for the simulator.
        self.tests = [each for each in manifest["targets"] if each["name"] in TESTS] if system in ("macos", "ios") else []
        self.frameworks = {
            name: imports for name, imports in FRAMEWORKS.items() if system in SOME_HAVE.get(name, SYSTEMS)}

    def is_room(self, target):
        """Whether it is part of the library or the command; what has a path of its own is for tests and benchmarks."""
        return target["type"] != "test" and "path" not in target

    def path(self, target):
        return (ROOT / "Tests" if target in self.tests else self.sources) / target["name"]

    def swift(self, target):
        """The sources that are built for Apple's systems."""
        path = self.path(target)
        excluded = [path / each for each in FILES_ON_LINUX.get(target["name"], [])]
        return [each for each in swift(path) if not any(each.is_relative_to(other) for other in excluded)]

    # Preparing

    def prepare(self):
        """Writes the standard library's interfaces for this system, and the module maps of C targets."""
        self.out.mkdir()
        runtime = json.loads(run("swiftc", "-print-target-info"))
        host = runtime["target"]["moduleTriple"]
        library = pathlib.Path(runtime["paths"]["runtimeLibraryImportPaths"][0])
        name = re.sub(r"x86_64-apple-(macos|ios|tvos|watchos)x?[\d.]+", r"x86_64-apple-\1", self.triple)
        for module in LIBRARY:
            text = (library / f"{module}.swiftmodule/{host}.swiftinterface").read_text()
            # Bodies are not needed to check calls, and the interface is not checked for its own availability.
            flags = (
                f"-target {self.triple} -Onone -experimental-skip-all-function-bodies -disable-availability-checking ")
            text = re.sub(r"(// swift-module-flags: .*?)-target \S+ ", rf"\1{flags}", text, count=1)
            text = re.sub(r"-disable-objc-interop|-target-min-inlining-version min|(?<=-parse-stdlib) -static| -O(?= )", "", text)
            text = re.sub(r"^import Glibc$", "", text, flags=re.MULTILINE)
            # A declaration with that attribute must have a body.
            text = re.sub(r"@backDeployed\([^)]*\)", "", text)
            if module == "Swift":
                # What the library has only where there is Objective-C.
                text += (STAND_IN / "Swift/ObjectiveCInteroperation.swiftinterface").read_text()
            folder = self.out / f"{module}.swiftmodule"
            folder.mkdir()
            (folder / f"{name}.swiftinterface").write_text(text)
        headers = self.out / "include"
        headers.mkdir()
        for header in HEADERS:
            found = run("sh", "-c", f"echo '#include <{header}>' | clang -E -x c - | grep -om1 '\"[^\"]*/{header}\"'")
            shutil.copy(found.strip().strip('"'), headers)
        self.module_map("GRDBSQLite", CHECKOUTS / "GRDB.swift/Sources/GRDBSQLite/shim.h")
        self.module_map("CZlib", self.sources / "CZlib/shim.h")
        # A room's header in C may include that of another.
        self.searched = []
        for target in self.targets:
            header = self.path(target) / f"include/{target['name']}.h"
            if header.exists():
                if not (header.parent / "module.modulemap").exists():
                    self.module_map(target["name"], header)
                self.searched += ["-Xcc", "-I", "-Xcc", header.parent]

    def module_map(self, name, header):
        (self.out / name).mkdir()
        (self.out / name / "module.modulemap").write_text(
            f'module {name} {{\n    umbrella header "{header}"\n    export *\n}}\n')

    # Compiling

    def swiftc(self, name, sources, *flags, warnings="-suppress-warnings"):
        run(
            "swiftc", "-frontend", "-module-name", name, "-target", self.triple, "-sdk", STAND_IN / "SDK",
            "-parse-as-library", "-swift-version", "6", warnings, "-module-cache-path", self.out / "cache",
            "-plugin-path", PLUGINS, "-I", self.out, "-Xcc", "-I", "-Xcc", self.out / "include", *self.searched, *flags,
            *sources)

    def module(self, name, sources, *flags):
        """Makes a module for others to import. Function bodies are left out, as lowering them needs Objective-C's side
        of the standard library."""
        self.swiftc(
            name, sources, "-emit-module", "-o", self.out / f"{name}.swiftmodule",
            "-experimental-skip-all-function-bodies", *flags)

    def framework(self, name):
        flags = ["-disable-objc-attr-requires-foundation-module"]
        if name in ("Darwin", "ObjectiveC"):
            flags.append("-import-underlying-module")
        self.module(name, swift(STAND_IN / name), *flags)

    def package(self, name):
        folder, _, definitions = PACKAGES[name]
        flags = [flag for definition in definitions for flag in ("-D", definition)]
        self.module(name, swift(CHECKOUTS / folder), "-package-name", name, *flags)

    def room(self, target):
        if self.swift(target):
            # Tests import what is internal, too.
            self.module(*self.described(target), *["-enable-testing"] * bool(self.tests))

    def is_checked(self, target):
        """Whether the room is checked: what is the same on all of Apple's systems is checked for macOS alone."""
        if target["type"] == "system":
            return False
        return self.system == "macos" or any(DIFFERS.search(each.read_text()) for each in self.swift(target))

    def check(self, target):
        """Type-checks the target; a warning is an error."""
        path = self.path(target)
        if self.swift(target):
            return self.swiftc(*self.described(target), "-typecheck", warnings="-warnings-as-errors")
        settings = [each["kind"] for each in target["settings"]]
        searched = [each["headerSearchPath"]["_0"] for each in settings if "headerSearchPath" in each]
        includes = [path / each for each in ["include", *searched]]
        includes += [self.sources / each / "include" for each in dependencies(target)]
        run(
            "clang", "-target", self.triple, "-isysroot", STAND_IN / "SDK", "-fsyntax-only", "-Werror", "-std=gnu11",
            *["-fobjc-arc"] * any(each.suffix == ".m" for each in c_sources(path)),
            *[flag for each in includes for flag in ("-I", each)], *c_sources(path))

    def described(self, target):
        """The target's name, sources and flags."""
        settings = [each["kind"] for each in target["settings"]]
        features = [each["enableUpcomingFeature"]["_0"] for each in settings if "enableUpcomingFeature" in each]
        flags = [flag for feature in features for flag in ("-enable-upcoming-feature", feature)]
        return target["name"], self.swift(target), "-package-name", "wireweight", *flags

    def plant(self):
        """Puts an error that only this system has into each target that is checked."""
        for target in filter(self.is_checked, self.targets):
            file = [*self.swift(target), *c_sources(self.path(target))][0]
            error = f"\n#if os({NAMES[self.system]})\nprivate func planted() {{ let _: Int = \"\" }}\n#endif\n"
            if file.suffix != ".swift":
                error = "\n#ifdef __APPLE__\nint planted(void) { return planted_error; }\n#endif\n"
            with file.open("a") as text:
                text.write(error)

    def reached(self):
        """The numbers of the branches that a compiler for this system sees, of those that `plant_branches` planted."""
        self.prepare()
        for name in self.frameworks:
            self.framework(name)
        files = [file for each in self.targets if self.is_checked(each) for file in self.swift(each)]
        return parsed(
            files, "-target", self.triple, "-sdk", STAND_IN / "SDK", "-module-cache-path", self.out / "cache",
            "-I", self.out, "-Xcc", "-I", "-Xcc", self.out / "include", *self.searched)

    # In order

    def run(self, pool):
        """Starts each compilation after those of the modules that it imports. Returns the messages by target."""
        self.prepare()
        jobs = {name: (imports, lambda name=name: self.framework(name)) for name, imports in self.frameworks.items()}
        jobs |= {name: (imports, lambda name=name: self.package(name)) for name, (_, imports, _) in PACKAGES.items()}
        for target in self.targets:
            imports = [*self.frameworks, *dependencies(target)]
            jobs[target["name"]] = (imports, lambda target=target: self.room(target))
            if self.is_checked(target):
                jobs[CHECK + target["name"]] = (imports, lambda target=target: self.check(target))
        for target in self.tests:
            imports = [*self.frameworks, *dependencies(target)]
            if target["type"] != "test":
                jobs[target["name"]] = (imports, lambda target=target: self.room(target))
            jobs[CHECK + target["name"]] = (imports, lambda target=target: self.check(target))
        failures, running, built, known = {}, {}, set(), set(jobs)
        while jobs or running:
            for name, (imports, work) in list(jobs.items()):
                # The others are modules of C, or need a trait that is off.
                if built.issuperset(each for each in imports if each in known):
                    running[pool.submit(work)] = name
                    del jobs[name]
            if not running:
                break
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                name = running.pop(future)
                try:
                    future.result()
                    built.add(name)
                except subprocess.CalledProcessError as error:
                    failures[name.removeprefix(CHECK)] = error.stderr
        return failures | {name: f"{name} was not compiled\n" for name in jobs if not failures}


def plant_branches(sources):
    """Puts an error into each branch of each #if; gives the file and line of each, and its condition."""
    places = []
    for file in swift(sources):
        planted, outer = [], []
        for number, line in enumerate(file.read_text().splitlines(), 1):
            planted.append(line)
            if not (found := BRANCH.match(line)):
                continue
            kind, condition = found.groups()
            if kind == "endif":
                outer.pop()
                continue
            if kind == "if":
                outer.append(condition)
            planted.append(f'#error("branch {len(places)}")')
            places.append((f"{file.relative_to(sources)}:{number}", condition or f"else of {outer[-1]}"))
        file.write_text("\n".join(planted) + "\n")
    return places


def parsed(files, *flags):
    """The numbers of the planted errors that the compiler meets in these files."""
    def meets(file):
        # Parsing alone does not report them. The modules of other targets are missing, which ends the work on a file.
        command = ["swiftc", "-frontend", "-resolve-imports", "-swift-version", "6", *flags, file]
        done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
        return re.findall(r"error: branch (\d+)$", done.stderr, re.MULTILINE)

    planted = [file for file in files if "#error(" in file.read_text()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {int(number) for numbers in pool.map(meets, planted) for number in numbers}


def check_branches(manifest, folder):
    sources = shutil.copytree(ROOT / "Sources", folder / "sources")
    places = plant_branches(sources)
    seen = {"linux": parsed(swift(sources))}
    for system in SYSTEMS:
        seen[system] = Check(system, manifest, folder / system, sources).reached()
    everywhere = set().union(*seen.values())
    dead = [
        f"{place} ({condition})" for number, (place, condition) in enumerate(places)
        if number not in everywhere and condition not in ELSEWHERE]
    if dead:
        sys.exit("check-apple: branches that no check compiles: " + ", ".join(dead))
    apple = everywhere - seen["linux"]
    alone = ", ".join(
        f"{len(seen[system] - set().union(*(seen[other] for other in seen if other != system)))} {system} alone"
        for system in SYSTEMS)
    print(f"check-apple: of {len(places)} branches Linux compiles {len(seen['linux'])}, and a check for Apple's systems {len(apple)} "
          f"others ({alone}); {len(places) - len(everywhere)} need a trait, musl or arm64")


def dependencies(target):
    return [next(iter(each.values()))[0] for each in target["dependencies"]]


def swift(folder):
    return sorted(folder.rglob("*.swift"))


def c_sources(folder):
    return sorted(folder.rglob("*.[cm]"))


def run(*command):
    return subprocess.run([str(part) for part in command], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def main():
    proves = "--prove" in sys.argv
    branches = sys.argv[1:] == ["--branches"]
    systems = list(SYSTEMS) if branches else [each for each in sys.argv[1:] if each != "--prove"] or list(SYSTEMS)
    if not all(system in SYSTEMS for system in systems):
        sys.exit(__doc__[__doc__.index("usage:"):])
    manifest = json.loads(run("swift", "package", "dump-package"))
    if not CHECKOUTS.exists():
        run("swift", "package", "resolve")
    if branches:
        with tempfile.TemporaryDirectory() as folder:
            return check_branches(manifest, pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for system in systems:
            out = pathlib.Path(folder) / system
            sources = ROOT / "Sources"
            if proves:
                sources = shutil.copytree(sources, pathlib.Path(folder) / f"{system}-sources")
            check = Check(system, manifest, out, sources)
            checked = {each["name"] for each in check.targets if check.is_checked(each)}
            if proves:
                check.tests = []
                check.plant()
            failures = check.run(pool)
            if proves and set(failures) == checked:
                print(f"check-apple: {len(checked)} errors for {system} were planted, and found")
            elif proves:
                sys.exit(f"check-apple: not found for {system}: {', '.join(checked.difference(failures))}")
            elif failures:
                print("\n".join(failures.values()), file=sys.stderr)
                sys.exit(f"check-apple: not for {check.triple}: {', '.join(failures)}")
            else:
                print(f"check-apple: {len(check.targets)} targets {f'and {len(check.tests)} of tests ' * bool(check.tests)}compile for "
                      f"{system} {check.oldest}")


if __name__ == "__main__":
    main()
