"""Links a program anew with another form of one of its targets: relink.py MANIFEST PROGRAM TARGET FOLDER FLAG…

The commands are those with which Swift's package manager built the program, as its manifest (.build/release.yaml) lists
them, so nothing else differs: each C or C++ file of the target is compiled once more with the flags added, and all is
linked into FOLDER/PROGRAM.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def commands(manifest):
    """The commands of a manifest, as lists of words."""
    with open(manifest) as lines:
        for line in lines:
            if line.startswith("    args: ["):
                yield json.loads(line.removeprefix("    args: "))


def output(words):
    return words[words.index("-o") + 1] if "-o" in words else ""


def run(words):
    ended = subprocess.run(words, capture_output=True, text=True)
    if ended.returncode:
        sys.exit(f"relink: '{' '.join(words)}' failed:\n{ended.stdout}{ended.stderr}")


def main(manifest, program, target, folder, *flags):
    all_commands = list(commands(manifest))
    compiling = [words for words in all_commands if "-c" in words and f"/{target}.build/" in output(words)]
    linking = [words for words in all_commands if "-emit-executable" in words and os.path.basename(output(words)) == program]
    if not compiling or len(linking) != 1:
        sys.exit(f"relink: {manifest} doesn't say how {target} is compiled and {program} is linked")
    os.makedirs(folder, exist_ok=True)

    moved = {output(words): os.path.join(folder, os.path.basename(output(words))) for words in compiling}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, ([moved.get(word, word) for word in words] + list(flags) for words in compiling)))

    words = linking[0]
    listed = next(word for word in words if word.startswith("@"))
    with open(listed[1:]) as objects:
        names = [moved.get(line.strip().strip("'\""), line.strip()) for line in objects]
    with open(os.path.join(folder, "objects"), "w") as objects:
        objects.write("\n".join(names) + "\n")
    elsewhere = {output(words): os.path.join(folder, program), listed: "@" + os.path.join(folder, "objects")}
    run([elsewhere.get(word, word) for word in words])


main(*sys.argv[1:])
