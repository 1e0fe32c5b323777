"""The ClickHouse of Debian and, where chdb is installed, that of today: what serves each of them."""

import clickhouse

SERVING = [clickhouse.serving]
try:
    import today
    SERVING.append(today.serving)
except ModuleNotFoundError as missing:
    if missing.name != "chdb":
        raise
    print("today's ClickHouse: left out, there is no chdb here")
