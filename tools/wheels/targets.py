"""The target platforms of wheels, which zig's compiler builds on any of them."""

from __future__ import annotations

from dataclasses import dataclass

SYSTEMS = {"linux": "Linux", "macos": "Darwin", "windows": "Windows"}  # zig's names and CMake's


@dataclass(frozen=True)
class Target:
    """A platform, by its names."""

    zig: str  # zig's target
    tag: str  # platform tag of wheels
    abi: str  # suffix of modules for one Python version, {}
    stable_abi: str = "abi3"  # suffix of modules for all versions from 3.12

    @property
    def processor(self) -> str:
        return self.zig.partition("-")[0]

    @property
    def system(self) -> str:
        """Returns CMake's name of the operating system."""
        return SYSTEMS[self.zig.split("-")[1].partition(".")[0]]

    @property
    def extension(self) -> str:
        return ".pyd" if self.system == "Windows" else ".so"

    def module(self, interpreter: str, abi: str) -> str:
        """Returns the file name of the core in a wheel with these tags."""
        middle = self.stable_abi if abi == "abi3" else self.abi.format(interpreter[2:])
        return ".".join(filter(None, ("_core", middle))) + self.extension

    def cmake_options(self, version: str) -> dict[str, str]:
        """Returns the variables for CMake. version: of Python, such as 312."""
        options = {
            "CMAKE_SYSTEM_NAME": self.system,
            "CMAKE_SYSTEM_PROCESSOR": self.processor,
            "SKBUILD_SOABI": self.abi.format(version),
            "SKBUILD_SOSABI": self.stable_abi,
        }
        if self.system == "Darwin":
            options["CMAKE_INSTALL_NAME_TOOL"] = "true"  # not needed, but CMake looks for it
        if self.system == "Windows":
            options["NB_SUFFIX"] = f".{self.abi.format(version)}{self.extension}"
        return options


TARGETS = {
    "linux-x86_64": Target(
        "x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64", "cpython-{}-x86_64-linux-gnu"
    ),
    "linux-aarch64": Target(
        "aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64", "cpython-{}-aarch64-linux-gnu"
    ),
    "musl-x86_64": Target(
        "x86_64-linux-musl", "musllinux_1_2_x86_64", "cpython-{}-x86_64-linux-musl"
    ),
    "musl-aarch64": Target(
        "aarch64-linux-musl", "musllinux_1_2_aarch64", "cpython-{}-aarch64-linux-musl"
    ),
    "macos-x86_64": Target("x86_64-macos.11.0", "macosx_11_0_x86_64", "cpython-{}-darwin"),
    "macos-arm64": Target("aarch64-macos.11.0", "macosx_11_0_arm64", "cpython-{}-darwin"),
    "windows-x86_64": Target("x86_64-windows-gnu", "win_amd64", "cp{}-win_amd64", stable_abi=""),
}
