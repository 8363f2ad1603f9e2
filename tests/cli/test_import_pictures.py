"""Pictures of items whose paths are those of another machine, from the command line."""

import json
import shutil
from pathlib import Path

from assay.study.templates import copy_template
from tests.servers import command as run


def test_a_file_with_absolute_paths_comes_in_with_the_folder_of_the_pictures(tmp_path: Path) -> None:
    study = tmp_path / "study"
    copy_template("trajectories", study)
    shots = tmp_path / "shots"
    shutil.copytree(study / "images", shots)
    data = json.loads((study / "samples.json").read_text("utf-8"))
    for sample in data["samples"]:
        sample["image_path"] = f"/path/to/{Path(sample['image_path']).name}"
    (study / "samples.json").write_text(json.dumps(data), "utf-8")
    refused = run("import", study)
    assert refused.returncode == 2
    assert refused.stderr.count("cannot be the name of a picture") == 1, "once, and not for every picture"
    assert f"nor can {len(data['samples']) - 1} other absolute paths here" in refused.stderr
    assert "--pictures DIR, or items.pictures in study.yaml, names the folder" in refused.stderr
    file = study / "study.yaml"
    file.write_text(
        file.read_text("utf-8").replace("  source: samples.json", "  source: samples.json\n  pictures: shots")
    )
    refused = run("import", study)
    assert refused.stderr.count(f"there is no folder {study / 'shots'}") == 1, "once, and not for every picture"
    shutil.copytree(shots, study / "shots")
    assert run("check", study).returncode == 0
    done = run("import", study, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["added"] == len(data["samples"])


def test_the_folder_can_be_named_in_the_command(tmp_path: Path) -> None:
    study = tmp_path / "study"
    copy_template("trajectories", study)
    moved = tmp_path / "moved.json"
    shutil.move(study / "samples.json", moved)
    assert run("import", study, "--items", moved).returncode == 2
    done = run("import", study, "--items", moved, "--pictures", study)
    assert done.returncode == 0, done.stderr
