"""Pictures that end before their last row: decoders fill what is missing, and half a picture looks like a whole one."""

import io
import struct
import zlib
from collections.abc import Iterator

from PIL import Image

END_OF_JPEG = b"\xff\xd9"
NOISE = bytes(range(1, 255)) * 8
"""Bytes to append to a JPEG to see whether the decoder still wants rows; without any marker of the format."""
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""The number of values of a PNG's pixel, by its colour type."""
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""The passes of an interlaced PNG: where each begins, and how far apart its pixels are."""


def lacks_rows(content: bytes, format_: str | None) -> bool:
    """Whether a picture has fewer rows than it says. Decoders of the other formats say so themselves."""
    if format_ in ("JPEG", "MPO"):
        return _jpeg_lacks_rows(content)
    return format_ == "PNG" and _png_lacks_rows(content)


def _jpeg_lacks_rows(content: bytes) -> bool:
    """Whether a JPEG lacks rows: noise before its end changes the picture only where rows are missing."""
    end = content.rfind(END_OF_JPEG)
    if end < 0:
        return True
    longer = content[:end] + NOISE + content[end:]
    return Image.open(io.BytesIO(content)).tobytes() != Image.open(io.BytesIO(longer)).tobytes()


def _png_lacks_rows(content: bytes) -> bool:
    """Whether a PNG has fewer bytes of rows than its size needs."""
    unpack, found, wanted = zlib.decompressobj(), 0, 0
    for kind, data in _chunks(content):
        if kind == b"IHDR":
            width, height, bits, colour, _, _, passes = struct.unpack(">IIBBBBB", data[:13])
            sizes = [(width, height)]
            if passes:
                sizes = [(-(-(width - x) // dx), -(-(height - y) // dy)) for x, y, dx, dy in PASSES]
            point = bits * CHANNELS[colour]
            wanted = sum(rows * (1 + -(-points * point // 8)) for points, rows in sizes if points > 0 and rows > 0)
        elif kind == b"IDAT":
            found += len(unpack.decompress(data))
        elif kind == b"IEND":
            break
    return found + len(unpack.flush()) < wanted


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at + 8 <= len(content):
        size = int.from_bytes(content[at : at + 4])
        yield content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        at += 12 + size
