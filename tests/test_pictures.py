"""Pictures are taken in upright and bare, or refused in plain words; no reference leads out of the folder."""

import contextlib
import hashlib
import io
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms, PngImagePlugin

from assay.pictures import LARGEST, Picture, PictureError, find_below, path_inside, take_in
from assay.truncated_pictures import lacks_rows
from tests.examples import examples

CANARY = "CANARY-where-and-who"


def a_picture(mode: str = "RGB", size: tuple[int, int] = (40, 20)) -> Image.Image:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", size, "blue")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    return image.convert(mode)


def saved(folder: Path, name: str, image: Image.Image | None = None, **how: Any) -> Path:
    path = folder / name
    (image or a_picture()).save(path, **how)
    return path


def opened(picture: Picture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.content))
    image.load()
    return image


def is_near(found: Any, wanted: tuple[int, ...]) -> bool:
    return all(abs(one - other) < 12 for one, other in zip(found, wanted, strict=True))


# What is taken


@pytest.mark.parametrize(
    ("name", "media_type"),
    [("x.png", "image/png"), ("x.gif", "image/png"), ("x.webp", "image/png"), ("x.jpg", "image/jpeg")],
)
def test_a_picture_keeps_what_it_shows(tmp_path: Path, name: str, media_type: str) -> None:
    picture = take_in(saved(tmp_path, name))
    assert (picture.width, picture.height, picture.media_type) == (40, 20, media_type)
    assert picture.hash == hashlib.sha256(picture.content).hexdigest()
    image = opened(picture).convert("RGB")
    assert image.size == (40, 20)
    assert is_near(image.getpixel((5, 10)), (255, 0, 0))
    assert is_near(image.getpixel((35, 10)), (0, 0, 255))


def test_the_format_is_known_by_the_bytes_and_not_by_the_ending(tmp_path: Path) -> None:
    assert take_in(saved(tmp_path, "x.png", format="JPEG")).media_type == "image/jpeg"


def test_the_same_file_gives_the_same_also_in_another_process(tmp_path: Path) -> None:
    path = saved(tmp_path, "x.jpg")
    code = "import sys, pathlib, assay.pictures as p; print(p.take_in(pathlib.Path(sys.argv[1])).hash)"
    other = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert take_in(path).hash == take_in(path).hash == other.stdout.strip()


@pytest.mark.parametrize(("orientation", "left_is_at"), [(1, "left"), (3, "right"), (6, "top"), (8, "bottom")])
@pytest.mark.parametrize("name", ["x.jpg", "x.png", "x.webp"])
def test_a_picture_is_turned_upright(tmp_path: Path, name: str, orientation: int, left_is_at: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = take_in(saved(tmp_path, name, exif=exif))
    image = opened(picture).convert("RGB")
    assert image.size == (picture.width, picture.height) == ((40, 20) if orientation < 5 else (20, 40))
    where = {"left": (3, 10), "right": (36, 10), "top": (10, 3), "bottom": (10, 36)}[left_is_at]
    assert is_near(image.getpixel(where), (255, 0, 0))


def test_nothing_but_the_points_is_kept(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = CANARY
    exif.get_ifd(0x8825)[1] = "N"
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", CANARY)
    notes.add_itxt("XML:com.adobe.xmp", CANARY)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    paths = [
        saved(tmp_path, "x.jpg", exif=exif, comment=CANARY, icc_profile=profile, dpi=(300, 300), xmp=CANARY.encode()),
        saved(tmp_path, "x.png", exif=exif, pnginfo=notes, icc_profile=profile, dpi=(300, 300)),
        saved(tmp_path, "x.webp", exif=exif, xmp=CANARY.encode(), icc_profile=profile),
        saved(tmp_path, "x.gif", comment=CANARY),
    ]
    for path in paths:
        path.write_bytes(path.read_bytes() + f"<script>{CANARY}</script>".encode())
        picture = take_in(path)
        assert CANARY.encode() in path.read_bytes()
        assert CANARY.encode() not in picture.content
        assert not set(opened(picture).info) - {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
        assert not opened(picture).getexif()


def test_of_an_animation_the_first_frame_is_taken(tmp_path: Path) -> None:
    more = [Image.new("RGB", (40, 20), "green")]
    for name in ("x.gif", "x.webp", "x.png"):
        picture = take_in(saved(tmp_path, name, save_all=True, append_images=more, duration=100))
        assert getattr(opened(picture), "n_frames", 1) == 1
        assert is_near(opened(picture).convert("RGB").getpixel((5, 10)), (255, 0, 0))


def test_printers_colours_become_those_of_the_screen(tmp_path: Path) -> None:
    image = opened(take_in(saved(tmp_path, "x.jpg", a_picture("CMYK"))))
    assert image.mode == "RGB"
    assert is_near(image.getpixel((5, 10)), (255, 0, 0))


def test_colours_of_a_profile_are_turned_into_those_without(tmp_path: Path) -> None:
    right = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = right.replace(b"rXYZ", b"____").replace(b"bXYZ", b"rXYZ").replace(b"____", b"bXYZ")
    for profile, colour in ((right, (255, 0, 0)), (swapped, (0, 0, 255)), (b"not a profile", (255, 0, 0))):
        for mode in ("RGB", "RGBA"):
            image = opened(take_in(saved(tmp_path, "x.png", a_picture(mode), icc_profile=profile)))
            assert image.mode == mode
            assert is_near(image.convert("RGB").getpixel((5, 10)), colour)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_every_kind_of_points_is_taken(tmp_path: Path, mode: str) -> None:
    wanted = a_picture(mode)
    found = opened(take_in(saved(tmp_path, "x.png", wanted)))
    assert found.convert("RGBA").tobytes() == wanted.convert("RGBA").tobytes()


def test_what_is_clear_stays_clear(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (8, 8), (0, 0, 0, 0))
    for name in ("x.png", "x.gif", "x.webp"):
        assert opened(take_in(saved(tmp_path, name, clear))).convert("RGBA").getpixel((1, 1))[3] == 0  # type: ignore[index]


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    deep = Image.new("I;16", (8, 8), 32768)
    assert opened(take_in(saved(tmp_path, "x.png", deep))).getpixel((1, 1)) == 128


# What is refused


def refusal(path: Path) -> str:
    with pytest.raises(PictureError) as raised:
        take_in(path)
    assert raised.value.hint
    return raised.value.what


def png_that_says(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    points = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + points + chunk(b"IEND", b"")


def test_no_file_and_a_folder_are_said(tmp_path: Path) -> None:
    assert refusal(tmp_path / "x.png") == "there is no picture x.png"
    assert refusal(tmp_path) == f"there is no picture {tmp_path.name}"


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize(("width", "height"), [(50_000, 50_000), (10_000, 10_000), (7072, 7072), (50_000_001, 1)])
def test_more_than_fifty_million_points_are_refused_before_they_are_decoded(
    tmp_path: Path, width: int, height: int
) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(png_that_says(width, height))
    assert refusal(path) == "x.png has more than 50 million points"


def test_a_file_beyond_all_bounds_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, "x.png")
    with path.open("r+b") as file:
        file.truncate(LARGEST + 1)
    assert refusal(path) == "x.png is larger than 50 MB"


@pytest.mark.parametrize("name", ["x.png", "x.jpg", "x.webp", "x.gif"])
def test_a_picture_that_is_cut_off_is_refused(tmp_path: Path, name: str) -> None:
    path = saved(tmp_path, name, Image.effect_noise((200, 200), 90).convert("RGB"))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert refusal(path) == f"{name} is cut off or damaged"


@pytest.mark.parametrize(
    "content", [b"", b"x", b"<html><script>alert(1)</script>", b"%PDF-1.4", b"BM" + b"\0" * 60, b"II*\0" + b"\0" * 60]
)
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(content)
    assert refusal(path) == "x.png is not a picture that can be read"


@pytest.mark.parametrize("start", ["", "<?xml version='1.0'?>\n<!-- x -->\n", "\ufeff"])
def test_svg_is_refused(tmp_path: Path, start: str) -> None:
    path = tmp_path / "x.png"
    path.write_text(start + '<SVG xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "utf-8")
    assert refusal(path) == "x.png is an SVG, which is not accepted"


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(["PNG", "JPEG", "WEBP", "GIF"]), st.integers(0, 5000), st.binary(min_size=1, max_size=6))
def test_a_spoiled_picture_is_taken_or_refused_in_words(kind: str, at: int, piece: bytes) -> None:
    file = io.BytesIO()
    a_picture("P" if kind == "GIF" else "RGB").save(file, kind)
    content = file.getvalue()
    at %= len(content)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        path.write_bytes(content[:at] + piece + content[at + len(piece) :])
        with contextlib.suppress(PictureError):
            assert opened(take_in(path)).size


# References


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a picture in it, and one beside it."""
    for name in ("media/a b.png", "media/sub/ü..png", "media-evil/canary.png", "canary.png", "media/a\\b.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"canary")
    (tmp_path / "media" / "link.png").symlink_to(tmp_path / "canary.png")
    (tmp_path / "media" / "out").symlink_to(tmp_path)
    (tmp_path / "media" / "loop.png").symlink_to(tmp_path / "media" / "loop.png")
    return tmp_path / "media"


@pytest.mark.parametrize("name", ["a b.png", "sub/ü..png", "./a b.png", "sub//ü..png"])
def test_a_reference_leads_to_a_file_in_the_folder(folder: Path, name: str) -> None:
    assert path_inside(folder, name) == (folder / name).resolve()


UP = ["../", "..\\", "..//", "sub/../../", "./../", "%2e%2e/", "..%2f", "..;/", "\\..\\", "....//", "．．/"]
OUTSIDE = [
    up * times + target for up in UP for times in (1, 2, 8) for target in ("canary.png", "media-evil/canary.png")
]
OUTSIDE += [
    "",
    " ",
    ".",
    "sub",
    "/",
    "//",
    "/etc/passwd",
    "//server/x.png",
    "\\\\server\\x.png",
    "C:\\x.png",
    "C:x.png",
]
OUTSIDE += [
    "link.png",
    "out/canary.png",
    "out/media-evil/canary.png",
    "loop.png",
    "a b.png\x00",
    "\x00",
    "a b.png\x00.jpg",
]
OUTSIDE += [
    "file:///etc/passwd",
    "http://x/y.png",
    "~/x.png",
    "x" * 5000,
    "x/" * 3000,
    "\ud800.png",
]
OUTSIDE += ["sub/../a b.png", "../media/a b.png", "a\\b.png"]


@pytest.mark.parametrize("name", OUTSIDE, ids=lambda name: ascii(name[:30]))
def test_a_reference_to_anything_else_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(PictureError) as raised:
        path_inside(folder, name)
    assert raised.value.what
    assert raised.value.hint


def test_an_absolute_path_to_the_picture_itself_is_refused(folder: Path) -> None:
    with pytest.raises(PictureError, match="cannot be the name"):
        path_inside(folder, str(folder / "a b.png"))


@pytest.mark.parametrize(
    "name",
    ["/a b.png", "/data/run 3/a b.png", "C:\\data\\a b.png", "data/a b.png", "a b.png", "\\\\server\\x\\a b.png"],
)
def test_below_a_folder_a_picture_is_found_by_the_end_of_its_path(folder: Path, name: str) -> None:
    assert find_below(folder, name) == folder.resolve() / "a b.png"


def test_as_much_of_the_path_as_there_is_decides(folder: Path) -> None:
    (folder / "sub" / "a b.png").write_bytes(b"another")
    assert find_below(folder, "/data/sub/a b.png") == folder.resolve() / "sub" / "a b.png"
    assert find_below(folder, "/data/a b.png") == folder.resolve() / "a b.png"


@pytest.mark.parametrize(
    "name", ["/x/link.png", "out/canary.png", "/etc/passwd", "../canary.png", "x/../a b.png", "/", ""]
)
def test_nothing_outside_the_folder_is_found(folder: Path, name: str) -> None:
    with pytest.raises(PictureError):
        find_below(folder, name)


def test_what_was_looked_for_is_said(folder: Path) -> None:
    with pytest.raises(PictureError) as refused:
        find_below(folder, "/data/run/none.png")
    assert refused.value.what == 'there is no picture "/data/run/none.png"'
    assert refused.value.hint == f"looked in {folder} for data/run/none.png, run/none.png, none.png"
    with pytest.raises(PictureError) as refused:
        path_inside(folder, "none.png")
    assert refused.value.hint == f"looked for {folder.resolve() / 'none.png'}"
    with pytest.raises(PictureError, match="there is no folder"):
        find_below(folder / "nowhere", "none.png")


def without_rows(kind: str) -> bytes:
    """A picture that its format's decoder takes for whole, although rows are missing at its end."""
    drawn = Image.effect_noise((64, 64), 80).convert("RGB")
    written = io.BytesIO()
    how = {"progressive": True} if kind == "progressive" else {}
    drawn.save(written, "PNG" if kind == "png" else "JPEG", **how)
    whole = written.getvalue()
    if kind != "png":
        return whole[: len(whole) * 2 // 3] + b"\xff\xd9"
    rows = zlib.compress(bytes(1 + 3 * 64) * 32)
    made = whole[:33]  # the signature and the first chunk
    for name, data in ((b"IDAT", rows), (b"IEND", b"")):
        made += struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return made


@pytest.mark.parametrize("kind", ["png", "jpeg", "progressive"])
def test_a_picture_whose_rows_are_missing_is_refused(tmp_path: Path, kind: str) -> None:
    content = without_rows(kind)
    assert Image.open(io.BytesIO(content)).tobytes(), "the decoder itself says nothing"
    (tmp_path / "half").write_bytes(content)
    with pytest.raises(PictureError, match="ends before its last row"):
        take_in(tmp_path / "half")


@pytest.mark.parametrize(
    "how", [{}, {"progressive": True}, {"quality": 5}, {"subsampling": 0}, {"restart_marker_rows": 1}]
)
@pytest.mark.parametrize("size", [(1, 1), (17, 33), (200, 90)])
def test_a_whole_picture_lacks_no_rows(size: tuple[int, int], how: dict[str, Any]) -> None:
    for mode, kind, more in (
        ("RGB", "JPEG", how),
        ("L", "JPEG", how),
        ("1", "PNG", {}),
        ("P", "PNG", {}),
        ("RGBA", "PNG", {}),
    ):
        written = io.BytesIO()
        Image.effect_noise(size, 90).convert(mode).save(written, kind, **more)
        assert not lacks_rows(written.getvalue(), kind), (mode, kind)
