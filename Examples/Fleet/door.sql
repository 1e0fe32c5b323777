-- The user of the door (nginx.conf), for ClickHouse 20.4 or newer: it may insert into a fleet's tables, and nothing else.
-- Replace the password. See docs/fleet.md.
CREATE USER fleet_door IDENTIFIED WITH sha256_password BY 'replace-this-password' SETTINGS
    max_memory_usage = 500000000, max_execution_time = 30, async_insert = 0;
GRANT INSERT ON fleet.exchange TO fleet_door;
GRANT INSERT ON fleet.connection TO fleet_door;
GRANT INSERT ON fleet.sums TO fleet_door;
GRANT INSERT ON fleet.template TO fleet_door;
GRANT INSERT ON fleet.loss TO fleet_door;
GRANT INSERT ON fleet.installation TO fleet_door;
GRANT INSERT ON fleet.finding TO fleet_door;
GRANT INSERT ON fleet.audit TO fleet_door;
-- What everybody together may write in an hour, so that a flood of made-up rows ends before the disk is full.
CREATE QUOTA fleet_door FOR INTERVAL 1 hour MAX queries = 200000, written_bytes = 20000000000 TO fleet_door;
