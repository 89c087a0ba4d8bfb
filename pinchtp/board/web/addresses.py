"""The addresses of a board: those on which it listens, and those for browsers."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address

import psutil

from pinchtp.base.option_types import OptionType

_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<prefix>/[a-z0-9._~/-]*)?",
    re.IGNORECASE | re.ASCII,
)
_PORTS = {"http": "80", "https": "443"}  # default ports, which browsers omit


@dataclass(frozen=True)
class PublicAddress:
    """The address of a board that is reached through a proxy or tunnel.

    host: with the port, as sent by browsers. prefix: the beginning of all paths, which the proxy
    removes, such as `/pinch`; or empty.
    """

    scheme: str
    host: str
    prefix: str = ""

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"

    @property
    def url(self) -> str:
        """The address without a slash at its end."""
        return self.origin + self.prefix

    @property
    def is_loopback(self) -> bool:
        """Whether it is the address of a tunnel that ends on the browser's machine."""
        return is_loopback(re.sub(r":[0-9]+$|[\[\]]", "", self.host))


class PublicAddressType(OptionType[PublicAddress]):
    """The option type of a PublicAddress."""

    expected = "an address such as https://example.org/pinch"

    def parse(self, text: str) -> PublicAddress:
        parts = _URL.fullmatch(text)
        if parts is None:
            raise ValueError
        scheme = parts["scheme"].lower()
        host = parts["host"].lower()
        port = parts["port"] or _PORTS[scheme]
        host += "" if port == _PORTS[scheme] else f":{port}"
        return PublicAddress(scheme, host, (parts["prefix"] or "").rstrip("/"))


def list_hosts(address: str, port: int) -> list[str]:
    """Returns the accepted hosts for a listen address; for loopback, only loopback names."""
    names = {"127.0.0.1", "localhost", "[::1]"}
    if not is_loopback(address):
        names |= {address, socket.gethostname(), f"{socket.gethostname()}.local"}
        for addresses in psutil.net_if_addrs().values():
            names |= {own.address.partition("%")[0] for own in addresses}
    hosts = [f"[{name}]" if ":" in name and name[0] != "[" else name for name in names]
    return [f"{host}:{port}" for host in hosts] + (hosts if port == 80 else [])


def origin_of(address: str, port: int) -> str:
    """Returns the origin of the board's URL at an address."""
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def find_reachable(address: str) -> str:
    """Returns an address that other machines can reach if `address` is a wildcard."""
    probes = {
        "0.0.0.0": (socket.AF_INET, "192.0.2.1"),
        "::": (socket.AF_INET6, "2001:db8::1"),
    }
    if address not in probes:
        return address
    family, far = probes[address]
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((far, 9))  # sends nothing
        return str(probe.getsockname()[0])
    # Without a default route.
    addresses = (each for all_of in psutil.net_if_addrs().values() for each in all_of)
    own = (ip_address(each.address) for each in addresses if each.family == family)
    reached = (str(each) for each in own if not (each.is_loopback or each.is_link_local))
    return next(reached, socket.gethostname())


def is_loopback(address: str) -> bool:
    """Returns whether an address can be reached only from this machine."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"
