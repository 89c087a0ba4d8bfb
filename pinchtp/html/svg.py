"""Drawings in SVG, which take their colors from the page's style sheet."""

from __future__ import annotations

from typing import Self
from xml.etree import ElementTree as ET

from markupsafe import Markup

from pinchtp.base.streams import visible


class Drawing:
    """An element, and what is drawn in it."""

    def __init__(self, name: str, content: str = "", /, **attributes: object) -> None:
        self._element = ET.Element(name, _attributes(attributes))
        self._element.text = visible(content) or None

    def add(self, name: str, content: str = "", /, **attributes: object) -> Self:
        """Adds an element, and returns it. `class_` is class, and `_` in a name stands for `-`."""
        child = type(self)(name, content, **attributes)
        self._element.append(child._element)
        return child

    def path(self, d: str, class_: str, **attributes: object) -> None:
        self.add("path", class_=class_, d=d, **attributes)

    def text(
        self,
        x: float,
        y: float,
        content: str,
        class_: str = "",
        anchor: str = "middle",
        **attributes: object,
    ) -> Self:
        place = {"x": x, "y": y, "text_anchor": anchor}
        return self.add("text", content, class_=class_, **place, **attributes)

    def markup(self) -> Markup:
        """All of it, to stand in an HTML document."""
        return Markup(ET.tostring(self._element, encoding="unicode"))


def drawing(width: float, height: float, label: str, class_: str = "chart") -> Drawing:
    """A picture of `width` by `height` units. label: what it shows, for screen readers."""
    box = f"0 0 {width:g} {height:g}"
    return Drawing("svg", class_=class_, viewBox=box, role="img", aria_label=label)


def _attributes(values: dict[str, object]) -> dict[str, str]:
    return {
        name.rstrip("_").replace("_", "-"): _number(value)
        if isinstance(value, float)
        else visible(str(value))
        for name, value in values.items()
        if value != ""
    }


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
