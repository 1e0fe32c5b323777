-- A cap on new hosts and APIs, for ClickHouse 21.10 or newer: what comes through the door goes into the database `door`, which keeps
-- nothing and passes it on into `fleet`. There a host that is not known has its name only while fewer than 200 hosts are new within
-- the last hour, and an API while fewer than 2,000 are; others become `other (new)`. What is counted stays the same.
-- Then nginx.conf has `database=door`, and door.sql's user may insert into the tables of `door` instead. See docs/fleet.md.
CREATE DATABASE IF NOT EXISTS door;

-- The names that are known, and since when. A name that is deleted here is new again.
CREATE TABLE IF NOT EXISTS fleet.label (kind LowCardinality(String), name String, first DateTime DEFAULT now())
    ENGINE = ReplacingMergeTree ORDER BY (kind, name);

CREATE OR REPLACE FUNCTION fleet_may_be_new AS (which, most) ->
    (SELECT count() FROM fleet.label WHERE kind = which AND first > now() - INTERVAL 1 HOUR) < most;
CREATE OR REPLACE FUNCTION fleet_host AS (host) -> if(
    host IN (SELECT name FROM fleet.label WHERE kind = 'host') OR fleet_may_be_new('host', 200), toString(host), 'other (new)');
CREATE OR REPLACE FUNCTION fleet_api AS (host, api) -> if(
    concat(host, api) IN (SELECT name FROM fleet.label WHERE kind = 'api') OR fleet_may_be_new('api', 2000), toString(api),
    'other (new)');

CREATE TABLE door.exchange AS fleet.exchange ENGINE = Null;
CREATE TABLE door.connection AS fleet.connection ENGINE = Null;
CREATE TABLE door.sums AS fleet.sums ENGINE = Null;
CREATE TABLE door.template AS fleet.template ENGINE = Null;
CREATE TABLE door.loss AS fleet.loss ENGINE = Null;
CREATE TABLE door.installation AS fleet.installation ENGINE = Null;
CREATE TABLE door.finding AS fleet.finding ENGINE = Null;
CREATE TABLE door.audit AS fleet.audit ENGINE = Null;

-- Sums are of everything, so what they name is what is known.
CREATE MATERIALIZED VIEW door.new_hosts TO fleet.label AS
    SELECT DISTINCT 'host' AS kind, toString(authority) AS name FROM door.sums
    WHERE authority NOT IN (SELECT name FROM fleet.label WHERE kind = 'host') AND fleet_may_be_new('host', 200);
CREATE MATERIALIZED VIEW door.new_apis TO fleet.label AS
    SELECT DISTINCT 'api' AS kind, concat(authority, template) AS name FROM door.sums
    WHERE name NOT IN (SELECT name FROM fleet.label WHERE kind = 'api') AND fleet_may_be_new('api', 2000)
        AND fleet_host(authority) != 'other (new)';

CREATE MATERIALIZED VIEW door.to_exchange TO fleet.exchange AS
    SELECT * REPLACE (fleet_host(authority) AS authority, fleet_api(authority, template) AS template,
        if(fleet_host(authority) = 'other (new)', 'other (new)', toString(host)) AS host) FROM door.exchange;
CREATE MATERIALIZED VIEW door.to_sums TO fleet.sums AS
    SELECT * REPLACE (fleet_host(authority) AS authority, fleet_api(authority, template) AS template) FROM door.sums;
CREATE MATERIALIZED VIEW door.to_template TO fleet.template AS
    SELECT * REPLACE (fleet_host(authority) AS authority, fleet_api(authority, template) AS template,
        fleet_api(authority, shown) AS shown) FROM door.template;
CREATE MATERIALIZED VIEW door.to_finding TO fleet.finding AS
    SELECT * REPLACE (fleet_host(authority) AS authority, fleet_api(authority, template) AS template) FROM door.finding;
CREATE MATERIALIZED VIEW door.to_connection TO fleet.connection AS SELECT * FROM door.connection;
CREATE MATERIALIZED VIEW door.to_loss TO fleet.loss AS SELECT * FROM door.loss;
CREATE MATERIALIZED VIEW door.to_installation TO fleet.installation AS SELECT * FROM door.installation;
CREATE MATERIALIZED VIEW door.to_audit TO fleet.audit AS SELECT * FROM door.audit;
