"""Tables and texts on streams: unprintable text, and streams that cannot be written."""

import io

from pinchtp.base.console import Output, PlainTable, make_console, print_text


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")

    def flush(self) -> None:
        raise BrokenPipeError


def test_unwritable_output_is_dropped() -> None:
    output = Output(Broken())
    assert output.write("x") == 1
    output.flush()
    print_text("x", Broken())
    make_console(Broken()).print("x")


def test_cells_are_printable() -> None:
    table = PlainTable("a", ">b")
    table.add_texts("\x1b[31m", "1")
    out = io.StringIO()
    make_console(out).print(table)
    assert r"\x1b[31m" in out.getvalue()
