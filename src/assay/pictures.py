"""Pictures are decoded and encoded again when they are imported: browsers only get files that were written here.

So nothing but the pixels of a file is kept: no metadata such as the place of a photograph, and no hidden content.
"""

import hashlib
import io
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from assay.errors import AssayError
from assay.mistakes import quote
from assay.truncated_pictures import lacks_rows

FORMATS = {"PNG": (".png",), "JPEG": (".jpg", ".jpeg"), "WEBP": (".webp",), "GIF": (".gif",)}
"""The formats that are read, each with the endings of its files."""
KNOWN = "PNG, JPEG, WebP and GIF are"
MOST_PIXELS = 50_000_000
LARGEST = 50_000_000
MOST_NAMED = 5


class PictureError(AssayError):
    """A picture that cannot be imported."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is stored and shown, known by its hash."""

    hash: str
    content: bytes
    width: int
    height: int
    media_type: str


def take_in(path: Path) -> Picture:
    """Decode a picture and encode its pixels again, upright. The same file always gives the same bytes."""
    read = _read(path)
    image = _decode(path.name, read)
    jpeg = image.format in ("JPEG", "MPO")
    try:
        points = _pixels(image, jpeg)
        rows_are_missing = lacks_rows(read, image.format)
    except Exception:  # the decoders raise whatever they stumble over
        raise PictureError(f"{path.name} is cut off or damaged", "save the picture again") from None
    if rows_are_missing:
        raise PictureError(f"{path.name} ends before its last row", "save the picture again, or copy it again")
    written = io.BytesIO()
    if jpeg:
        points.save(written, "JPEG", quality=92)
    else:
        points.save(written, "PNG")
    content = written.getvalue()
    if len(content) > LARGEST:
        raise PictureError(f"{path.name} is larger than 50 MB as PNG", "make it smaller, or save it as JPEG")
    name = hashlib.sha256(content).hexdigest()
    return Picture(name, content, points.width, points.height, "image/jpeg" if jpeg else "image/png")


def path_inside(folder: Path, name: str) -> Path:
    """The path of a picture that an item names, which must be within the folder."""
    strange = "\x00" in name or "\\" in name or not name.strip()
    if strange or PurePosixPath(name).is_absolute() or PureWindowsPath(name).drive:
        hint = f"a path that counts from {folder}, with / between its parts, is looked for there"
        raise PictureError(f"{quote(name)} cannot be the name of a picture", hint)
    try:
        path = (folder / name).resolve()
        there = path.is_file()
    except (OSError, ValueError, RuntimeError):
        # Too long, not a name in this file system, or a link that leads back to itself.
        raise PictureError(f"{quote(name)} cannot be the name of a picture", "name a file that is there") from None
    if ".." in PurePosixPath(name).parts or not path.is_relative_to(folder.resolve()):
        raise PictureError(f"{quote(name)} lies outside the folder", f"put the picture into {folder}")
    if not there:
        raise PictureError(f"there is no picture {quote(name)}", f"looked for {path}")
    return path


def find_below(folder: Path, name: str) -> Path:
    """A picture below a folder, by as much of its path as leads to one there: the whole path, or the end of it.

    So a file whose paths are those of another machine, `/data/run 3/a.png`, finds its pictures in a copy of any of
    these folders. Nothing outside the folder is ever read.
    """
    parts = PureWindowsPath(name).parts if "\\" in name else PurePosixPath(name).parts
    parts = tuple(part for part in parts if part not in ("/", "\\") and not PureWindowsPath(part).drive)
    if not folder.is_dir():
        raise PictureError(f"there is no folder {folder}", "name the folder with the pictures")
    if not parts or ".." in parts or "\x00" in name:
        raise PictureError(f"{quote(name)} cannot be the name of a picture", f"name a file below {folder}")
    ends = ["/".join(parts[start:]) for start in range(len(parts))]
    for end in ends:
        with suppress(PictureError):
            return path_inside(folder, end)
    raise PictureError(
        f"there is no picture {quote(name)}", f"looked in {folder} for {', '.join(_first_and_last(ends))}"
    )


def _first_and_last(names: list[str]) -> list[str]:
    return names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], "...", names[-1]]


def _read(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise PictureError(f"there is no picture {path.name}", "look at the name and the folder")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError):
        raise PictureError(f"{path.name} cannot be read", "look at its permissions") from None
    if len(content) > LARGEST:
        raise PictureError(f"{path.name} is larger than 50 MB", "make the picture smaller")
    return content


def _decode(name: str, content: bytes) -> Image.Image:
    """Open a picture by its first bytes; its pixels are not decoded yet."""
    too_large = PictureError(f"{name} has more than 50 million points", "make the picture smaller")
    if b"<svg" in content[:4096].lower():
        raise PictureError(f"{name} is an SVG, which is not accepted", f"{KNOWN}: save it as PNG")
    try:
        image = Image.open(io.BytesIO(content), formats=tuple(FORMATS))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise too_large from None
    except UnidentifiedImageError:
        raise PictureError(f"{name} is not a picture that can be read", f"{KNOWN}") from None
    except Exception:  # the decoders raise whatever they stumble over
        raise PictureError(f"{name} is cut off or damaged", "save the picture again") from None
    if image.width * image.height > MOST_PIXELS:
        raise too_large
    return image


def _pixels(image: Image.Image, jpeg: bool) -> Image.Image:
    """The pixels alone, upright, in a colour mode that every browser knows."""
    profile = image.info.get("icc_profile")
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I"):
        # Sixteen bits per pixel: browsers show the upper eight.
        upright = upright.point(lambda value: value / 256).convert("L")
    if upright.mode in ("P", "PA", "La", "RGBa") or "transparency" in upright.info:
        upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    if profile and upright.mode in ("RGB", "RGBA", "CMYK", "L"):
        upright = _convert_to_srgb(upright, profile)
    if jpeg or upright.mode not in ("1", "L", "LA", "RGB", "RGBA"):
        upright = upright if upright.mode == "L" else upright.convert("RGB")
    # A new image has none of the metadata of the old one.
    bare = Image.new(upright.mode, upright.size)
    bare.paste(upright)
    return bare


def _convert_to_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """Convert the colours from the picture's own profile, which is then not needed."""
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        turned = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image
    return turned or image
