"""Bedrock's client, cut loose from the machine: no profile, no file, no variable; what it sends goes our way out."""

import io
import os
from collections.abc import Iterator
from typing import Any

import anyio.from_thread
import botocore.session
from botocore import UNSIGNED
from botocore.awsrequest import AWSResponse
from botocore.config import Config

from slowwave.models.outgoing import Outgoing

_UNREAD = {
    "profile": None,
    "config_file": os.devnull,
    "credentials_file": os.devnull,
    "ca_bundle": None,
    "csm_enabled": False,
    "ec2_metadata_service_endpoint": None,
}
"""What the library would look up in variables and files, and gets told instead."""


class _Body(io.BytesIO):
    """An answer's bytes, as the library reads them."""

    def stream(self, amt: int = 1024, *, decode_content: bool = False) -> Iterator[bytes]:
        """All of it, in parts."""
        del decode_content
        while part := self.read(amt):
            yield part


def bedrock_client(url: str, region: str, key: str, outgoing: Outgoing) -> Any:
    """A client for one Bedrock address, whose requests leave through ``outgoing``."""
    told = {name: (None, None, value, None) for name, value in _UNREAD.items()}
    session = botocore.session.Session(session_vars=told)
    client = session.create_client(
        "bedrock-runtime",
        region_name=region,
        endpoint_url=url,
        config=Config(signature_version=UNSIGNED, retries={"total_max_attempts": 1}, proxies={}),
    )

    def send(request: Any, **_: Any) -> AWSResponse:
        # The library would put its key only on https; ours may go to this machine, which the settings were held to.
        headers = {**request.headers, "authorization": f"Bearer {key}"}
        # It works in a thread beside the loop that our transport belongs to.
        status, headers, content = anyio.from_thread.run(outgoing.fetch, request.url, headers, request.body)
        return AWSResponse(request.url, status, headers, _Body(content))

    client.meta.events.register("before-send.bedrock-runtime", send)
    return client
