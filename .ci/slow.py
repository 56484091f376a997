"""Reports the slowest tests and packages of "go test".

    go test -json -exec "python3 .ci/slow.py run" ./... | python3 .ci/slow.py report 10 600

"run" stands between go test and the binary of a package's tests and prints what it took of the processor, its children
included. "report" lists as many tests as its first number says, by the clock, and the packages that took more than a
quarter of their limit, its second number in seconds, of the processor: the clock tells of what else a machine does.
It fails where a test fails or a package takes that long.
"""

import json
import re
import resource
import subprocess
import sys

MARK = "processor seconds: "


def run(command):
    code = subprocess.call(command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{MARK}{used.ru_utime + used.ru_stime:.1f}", flush=True)
    return code if code >= 0 else 1


def report(lines, most, limit):
    tests, packages, failed, texts = [], {}, [], {}
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            sys.stderr.write(line)  # what go says itself
            continue
        action = event["Action"]
        package = event.get("Package") or event.get("ImportPath", "")
        test = event.get("Test")
        if action in ("output", "build-output"):
            if m := re.match(re.escape(MARK) + r"([\d.]+)", event["Output"]):
                packages[package] = float(m[1])
            texts.setdefault((package, test), []).append(event["Output"])
            continue
        if action in ("pass", "fail"):
            if test and "/" not in test:
                tests.append((event["Elapsed"], package, test))
        if action in ("fail", "build-fail"):
            failed.append((package, test))
    for package, test in failed:
        print(f"FAIL {package} {test or ''}\n{''.join(texts.get((package, test), []))}")
    print("seconds  test")
    for seconds, package, test in sorted(tests, reverse=True)[:most]:
        print(f"{seconds:7.1f}  {package} {test}")
    print("\nprocessor seconds  package")
    for package, seconds in sorted(packages.items(), key=lambda p: -p[1])[:most]:
        print(f"{seconds:17.1f}  {package}")
    long = [p for p, seconds in packages.items() if seconds > limit / 4]
    for package in long:
        print(f"{package} takes more than a quarter of its {limit:g} seconds")
    return 1 if failed or long or not tests else 0


if __name__ == "__main__":
    if sys.argv[1] == "run":
        sys.exit(run(sys.argv[2:]))
    sys.exit(report(sys.stdin, int(sys.argv[2]), float(sys.argv[3])))
