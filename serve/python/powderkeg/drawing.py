"""Drawings of what a seat sees: SVG documents, and their pixels."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt

#: How wide pixels() and the render mode "rgb_array" draw, unless told otherwise.
WIDTH = 960


class Drawing(str):
    """An SVG document. A notebook shows it as a picture; as a str it can be written to
    a file. Its spaces have the attribute ``data-space``, and ``data-action`` with the
    numbers of the legal actions that mean them."""

    def _repr_svg_(self) -> str:
        return str(self)

    def pixels(self, width: int = WIDTH) -> npt.NDArray[np.uint8]:
        """Returns the drawing as RGB, by day: uint8 [height, width, 3], where the height
        follows from the drawing. Needs ``pip install powderkeg[render]``."""
        try:
            import resvg_py
            from PIL import Image
        except ImportError as e:
            raise ImportError(f"pixels of a drawing need {e.name}: pip install 'powderkeg[render]'") from e
        # The types of resvg_py differ from release to release.
        to_png: Any = resvg_py.svg_to_bytes
        with Image.open(io.BytesIO(bytes(to_png(svg_string=str(self), width=width)))) as picture:
            return np.array(picture.convert("RGB"), dtype=np.uint8)


#: What the environments of gymnasium and pettingzoo can render.
RENDER_MODES = ("ansi", "human", "svg", "rgb_array")


def render(env: Any, mode: Any) -> Any:
    """Returns what the native environment shows in a render mode, as the observer sees
    it: None in "human", since that is printed at each step."""
    if mode == "ansi":
        return env.text()
    if mode == "svg":
        return env.drawing()
    if mode == "rgb_array":
        return env.drawing().pixels()
    return None
