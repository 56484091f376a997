"""A test case with a client of the server that POWDERKEG_ADDRESS names, or of this process."""

from __future__ import annotations

import os
import unittest

import powderkeg

ADDRESS = os.environ.get("POWDERKEG_ADDRESS")


class ServedTest(unittest.TestCase):
    client: powderkeg.Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = powderkeg.connect(ADDRESS)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()
