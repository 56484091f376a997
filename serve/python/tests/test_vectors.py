"""The messages that the Go side is tested with too."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any, Dict

import numpy as np

import powderkeg
from powderkeg import wire

VECTORS = Path(__file__).resolve().parents[2] / "protocol" / "testdata" / "vectors.json"
DTYPES = {"f4": "<f4", "i4": "<i4", "i8": "<i8", "u8": "<u8", "i1": "i1", "u1": "u1"}


def plain(value: Any) -> Any:
    """Returns a value of the file with its arrays as bytes."""
    if isinstance(value, dict):
        if "$array" in value:
            # uint64 does not survive a list of Python floats, so the type comes first.
            return wire.pack("values", np.array(value["values"], dtype=DTYPES[value["$array"]]), DTYPES[value["$array"]])
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


class Vectors(unittest.TestCase):
    vectors: Dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        cls.vectors = json.loads(VECTORS.read_text(encoding="utf-8"))

    def test_requests_are_encoded_as_written(self) -> None:
        for v in self.vectors["requests"]:
            with self.subTest(v["name"]):
                self.assertEqual(wire.encode_request(v["id"], v["method"], plain(v["params"])).hex(), v["hex"])

    def test_responses_are_read_as_written(self) -> None:
        for v in self.vectors["responses"]:
            with self.subTest(v["name"]):
                frame = bytes.fromhex(v["hex"])
                self.assertEqual(int.from_bytes(frame[:4], "big"), len(frame) - 4)
                request, fault, result = wire.decode_response(frame[4:])
                self.assertEqual(request, v["id"])
                if v["error"] is None:
                    self.assertIsNone(fault)
                    self.assertEqual(result, plain(v["result"]))
                else:
                    assert fault is not None
                    self.assertEqual({"code": fault.code, "message": fault.message}, v["error"])

    def test_bad_responses_are_refused(self) -> None:
        tried = 0
        for v in self.vectors["refused"]:
            if v["side"] != "response":
                continue
            with self.subTest(v["name"]), self.assertRaises(powderkeg.Error):
                wire.decode_response(bytes.fromhex(v["hex"])[4:])
            tried += 1
        self.assertGreater(tried, 2)

    def test_arrays_can_be_written_to(self) -> None:
        data = wire.pack("values", [[1.0, 2.0], [3.0, 4.0]], "<f4")
        array = wire.unpack(data, "<f4", 2, 2)
        array *= 2
        self.assertEqual(array.tolist(), [[2.0, 4.0], [6.0, 8.0]])
        self.assertEqual(wire.unpack(data, "<f4").tolist(), [1.0, 2.0, 3.0, 4.0])


if __name__ == "__main__":
    unittest.main()
