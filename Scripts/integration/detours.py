"""Compares where moved code ends with where the instructions end, for all functions of some libraries.

usage: detours.py PROGRAM      the program of Tests/Programs/detours.c
"""

import collections
import glob
import re
import subprocess
import sys

LIBRARIES = "libssl.so.3 libcrypto.so.3 libgnutls.so.30 libc.so.6 libcurl.so.4 libnghttp2.so.14 libstdc++.so.6".split()
INSTRUCTION = re.compile(r"\s+[0-9a-f]+:\t((?:[0-9a-f]{2} )+)\s*(.*)")
JUMP = 5
# Each function is read this far.
READ = 32


def functions(path):
    """The name of each function, and the bytes and words of its first instructions."""
    found = []
    text = subprocess.check_output(["objdump", "-d", "-w", "-j", ".text", path], text=True)
    for line in text.splitlines():
        if line.endswith(">:"):
            found.append((line.split("<")[1][:-2], []))
        elif (match := INSTRUCTION.match(line)) and found and sum(len(code) for code, _ in found[-1][1]) < READ:
            found[-1][1].append((bytes.fromhex(match[1]), match[2]))
    return [(name, body) for name, body in found if body]


def main(program):
    moved, refused, wrong = 0, collections.Counter(), 0
    for library in LIBRARIES:
        for path in glob.glob(f"/usr/lib/*/{library}") or glob.glob(f"/lib/*/{library}"):
            found = functions(path)
            lines = "".join(b"".join(code for code, _ in body)[:READ].ljust(READ, b"\0").hex() + "\n" for _, body in found)
            answers = subprocess.run([program, "lengths"], input=lines, stdout=subprocess.PIPE, check=True, text=True).stdout
            for (name, body), taken in zip(found, map(int, answers.split()), strict=True):
                ends = [sum(len(code) for code, _ in body[: i + 1]) for i in range(len(body))]
                needed = next((i for i, end in enumerate(ends) if end >= JUMP), len(ends) - 1)
                if taken == 0:
                    refused[" ".join(words.split()[0] for _, words in body[: needed + 1])] += 1
                elif taken != ends[needed]:
                    wrong += 1
                    print(f"{path} {name}: {taken} bytes, and not {ends[needed]}: {body[: needed + 1]}")
                else:
                    moved += 1
    # What functions begin with that get a detour: nothing of that may be refused.
    plain = {"push", "mov", "sub", "test", "lea", "xor", "cmp", "endbr64", "and", "add", "movzbl", "je", "jne", "js", "jle"}
    needless = {words: count for words, count in refused.items() if set(words.split()) <= plain}
    print(f"{moved} functions moved, {sum(refused.values())} refused, most of them for {refused.most_common(3)}")
    if wrong or needless or moved < 1000:
        sys.exit(f"failed: {wrong} wrong, needlessly refused: {needless}")


main(sys.argv[1])
