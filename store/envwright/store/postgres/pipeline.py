"""The pipeline: prepared statements that are sent together and answered together."""

import select
from collections.abc import Sequence
from typing import Any

from psycopg import pq

Call = tuple[bytes, Any, Any]
"""A prepared statement's name, the values of its parameters, and their formats."""


def send_together(connection: "pq.abc.PGconn", calls: Sequence[Call]) -> "list[pq.abc.PGresult]":
    """Run prepared statements in one round trip and return their results.

    After one that fails the others are not run; their results say so.

    Raises:
        OperationalError: the connection was lost.
    """
    connection.enter_pipeline_mode()
    try:
        for name, values, formats in calls:
            connection.send_query_prepared(name, values, formats, pq.Format.BINARY)
        connection.pipeline_sync()
        poll = select.poll()
        poll.register(connection.socket, select.POLLIN | select.POLLOUT)
        while connection.flush():
            poll.poll()
            connection.consume_input()
        poll.modify(connection.socket, select.POLLIN)
        results: list[pq.abc.PGresult] = []
        while True:
            # Not a call that blocks: psycopg's would keep every other thread waiting too.
            while connection.is_busy():
                poll.poll()
                connection.consume_input()
            result = connection.get_result()
            if result is None:
                continue  # What stands between the results of two statements.
            if result.status == pq.ExecStatus.PIPELINE_SYNC:
                return results
            results.append(result)
    finally:
        if connection.status == pq.ConnStatus.OK:
            connection.exit_pipeline_mode()
