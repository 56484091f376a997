"""What the yardsticks share that are measured beside `powderkeg bench`.

`powderkeg bench ... --beside 'python3 experiments/yardsticks/NAME.py'` starts a yardstick, waits
until it is ready, and has it work in turn with the program's own runs, so that whatever else the
machine does weighs on both. Started by hand, a yardstick measures itself for five seconds.
"""

import json
import sys
import time


def contend(name, work):
    """Measures work(), which does some of it and returns how many units it has done."""
    work()  # what is compiled and allocated at first does not count
    if sys.stdin.isatty():
        done = measure(work, 5)
        print(f"{name}: {done['units'] / done['seconds']:.0f}/s, {done['units'] / done['processor_seconds']:.0f} by processor-second")
        return
    print(json.dumps({"name": name}), flush=True)
    for line in sys.stdin:
        print(json.dumps(measure(work, float(line))), flush=True)


def measure(work, seconds):
    """What is done in at least so many seconds, with the processor time of all threads."""
    units, start, processor = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        units += work()
    return {"units": units, "seconds": time.perf_counter() - start, "processor_seconds": time.process_time() - processor}
