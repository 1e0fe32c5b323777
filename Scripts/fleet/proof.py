"""Many installations ship to a real ClickHouse through lost responses, refusals, doubled and late batches, with clocks that
are wrong by years: nothing acknowledged is missing, nothing counts twice, and the sums are those of the stores.

usage: proof.py debug|release [INSTALLATIONS]
"""

import json
import os
import subprocess
import sys

import clickhouse
import stores

CONFIGURATION = sys.argv[1]
INSTALLATIONS = sys.argv[2] if len(sys.argv) > 2 else "100"


def main():
    with clickhouse.serving() as server:
        stores.make_tables(server, "proof")
        variables = dict(os.environ, WIREWEIGHT_FLEET_PROOF=server.url("proof"), WIREWEIGHT_FLEET_INSTALLATIONS=INSTALLATIONS)
        words = ["swift", "test", "-c", CONFIGURATION, "--skip-build", "--ignore-lock", "--disable-xctest"]
        done = subprocess.run(
            [*words, "--filter", "TrafficShippingTests.FleetProofTests"], cwd=stores.ROOT, env=variables, text=True, capture_output=True)
        said = done.stdout + done.stderr
        for line in said.splitlines():
            if line.startswith(("✘", "↳")) or "exchanges once each" in line:
                print(line)
        assert done.returncode == 0 and "exchanges once each" in said, said[-3_000:]
        # The commands say the same, and no clock has poisoned them.
        report = json.loads(stores.run("report", server.url("proof"), "--by", "installation", "--json")[0])
        count = int(server.ask("SELECT count() FROM proof.exchange FINAL"))
        assert report["totals"]["requests"] == count and len(report["installations"]) == int(INSTALLATIONS), report["totals"]
        assert json.loads(stores.run("fleet", "audit", server.url("proof"), "--json")[0])["audited"] == int(INSTALLATIONS)
        print(f"the report by installation has {count} requests of {INSTALLATIONS} installations")


main()
