"""Compares where moved code ends with where the instructions end, for all functions of some libraries, and for instructions
that are made by chance.

usage: detours.py PROGRAM                      the program of Tests/Programs/detours.c
       detours.py arm64 OBJDUMP FOLDER WORD…   the first instructions of all functions of some archives in that folder; the
                                               words start the program for arm64
"""

import collections
import glob
import random
import re
import subprocess
import sys
import tempfile

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


def lengths(codes, *words):
    """How many bytes of each code would be moved; 0 for those that are refused."""
    lines = "".join(code[:READ].ljust(READ, b"\0").hex() + "\n" for code in codes)
    answers = subprocess.run([*words, "lengths"], input=lines, stdout=subprocess.PIPE, check=True, text=True).stdout
    return map(int, answers.split())


def chance(count):
    """Instructions of any form, most of them of those that are known."""
    dice = random.Random(1)
    opcodes = [bytes([i]) for i in range(256)] + [bytes([0x0F, i]) for i in range(256)]
    codes = []
    for _ in range(count):
        code = b""
        while len(code) < READ:
            prefixes = [b"\x66", b"\x64", b"\x2e", b"\x67", b"\xf0", b"\xf2", b"\xf3"]
            code += b"".join(dice.choices(prefixes, [9, 3, 3, 1, 1, 1, 1], k=dice.choice([0, 0, 0, 0, 1, 1, 2, 3])))
            code += bytes([dice.choice([0x40, 0x41, 0x44, 0x48, 0x48, 0x49, 0x4C])]) * dice.choice([0, 1])
            code += dice.choice(opcodes) + bytes([dice.randrange(256)])
            code += dice.randbytes(dice.choice([0, 0, 1, 4, 5]))
        codes.append(code[:READ])
    return codes


def disassemble(codes):
    """The bytes and words of the instructions of each code, as objdump reads them."""
    # Instructions of one byte between codes: more than an instruction that begins in one code can reach over.
    gap = 16
    found = [[] for _ in codes]
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(code + b"\x90" * gap for code in codes))
        file.flush()
        words = ["objdump", "-D", "-w", "-z", "-b", "binary", "-m", "i386:x86-64", file.name]
        place = 0
        for line in subprocess.check_output(words, text=True).splitlines():
            if match := INSTRUCTION.match(line):
                index, offset = divmod(place, READ + gap)
                code = bytes.fromhex(match[1])
                if offset < READ:
                    found[index].append((code, match[2]))
                place += len(code)
    return found


def main(program):
    compare(program)
    compare_chance(program, 200_000)


def compare_chance(program, count):
    codes = chance(count)
    taken = list(lengths(codes, program))
    moved, wrong = 0, 0
    for code, size, body in zip(codes, taken, disassemble(codes), strict=True):
        if size == 0:
            continue
        moved += 1
        ends = [sum(len(code) for code, _ in body[: i + 1]) for i in range(len(body))]
        needed = next(i for i, end in enumerate(ends) if end >= JUMP)
        # What is no instruction at all ends the program where it is, too. There objdump goes on with the next byte.
        if any("(bad)" in words for _, words in body[: needed + 1]):
            continue
        if size != ends[needed]:
            wrong += 1
            print(f"{code.hex()}: {size} bytes, and not {ends[needed]}: {[words for _, words in body[: needed + 1]]}")
    print(f"{moved} of {count} codes by chance moved")
    if wrong or moved < count // 100:
        sys.exit(f"failed: {wrong} wrong")


def compare(program):
    moved, refused, wrong = 0, collections.Counter(), 0
    for library in LIBRARIES:
        for path in glob.glob(f"/usr/lib/*/{library}") or glob.glob(f"/lib/*/{library}"):
            found = functions(path)
            codes = [b"".join(code for code, _ in body) for _, body in found]
            for (name, body), taken in zip(found, lengths(codes, program), strict=True):
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


def compare_arm64(objdump, folder, *words):
    """Functions of archives, which have names. Where they jump and what they call is not linked yet, and seems to be
    themselves, which is refused."""
    found = []
    for archive in ("libssl.a", "libcrypto.a", "libc.a"):
        text = subprocess.check_output([objdump, "-d", f"{folder}/{archive}"], text=True, stderr=subprocess.DEVNULL)
        lines = text.splitlines()
        for name, line in zip(lines, lines[1:]):
            if name.endswith(">:") and (match := re.match(r"\s+[0-9a-f]+: ([0-9a-f]{8})\s+(\S+)", line)):
                found.append((bytes.fromhex(match[1])[::-1], match[2]))
    refused, moved = collections.Counter(), 0
    for (code, name), taken in zip(found, lengths([code for code, _ in found], *words), strict=True):
        is_itself = name in ("b", "bl") and int.from_bytes(code, "little") & 0x3FFFFFF == 0
        refused["itself" if is_itself else name] += taken == 0
        moved += taken == 4
    others = sum(refused.values()) - refused["itself"]
    print(
        f"{moved} functions for arm64 moved, {refused['itself']} jump where they are not linked yet, {others} refused, most of "
        f"them for {[name for name, _ in refused.most_common(4) if name != 'itself']}")
    needless = {name for name, count in refused.items() if count} & {
        "stp", "sub", "add", "adr", "adrp", "b", "bl", "b.eq", "b.ne", "cbz", "cbnz", "tbz", "tbnz", "cmp", "ldr", "paciasp"}
    if moved + sum(refused.values()) != len(found) or needless or moved < 10_000 or others > len(found) // 100:
        sys.exit(f"failed: {len(found)} functions, needlessly refused: {needless}")


if sys.argv[1] == "arm64":
    compare_arm64(*sys.argv[2:])
else:
    main(sys.argv[1])
