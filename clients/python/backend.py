"""Builds the package with the standard library alone (PEP 517, PEP 427)."""

import base64
import hashlib
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME = f"{PROJECT['name']}-{PROJECT['version']}"

METADATA = f"""Metadata-Version: 2.1
Name: {PROJECT["name"]}
Version: {PROJECT["version"]}
Summary: {PROJECT["description"]}
Requires-Python: {PROJECT["requires-python"]}
License: {PROJECT["license"]["text"]}
"""

WHEEL = """Wheel-Version: 1.0
Generator: prompthook
Root-Is-Purelib: true
Tag: py3-none-any
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Write the wheel and return its name."""
    name = f"{NAME}-py3-none-any.whl"
    info = f"{NAME}.dist-info"
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _modules()}
    files[f"{info}/METADATA"] = METADATA.encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    record = [f"{path},{_digest(data)},{len(data)}" for path, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            # A fixed time makes the same wheel of the same files.
            wheel.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Write the source distribution and return its name."""
    name = f"{NAME}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz") as sdist:
        for path in [ROOT / "pyproject.toml", ROOT / "backend.py", *_modules()]:
            sdist.add(path, f"{NAME}/{path.relative_to(ROOT).as_posix()}")
    return name


def _modules():
    return sorted(path for path in (ROOT / "prompthook").iterdir() if path.is_file())


def _digest(data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={digest.decode().rstrip('=')}"
