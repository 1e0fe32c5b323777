// Whether a row from the stream matches the filters, by the rules of the API.

import { apiName, isHost } from "./format.js";

/**
 * @param {import("./types.d.ts").Row} row
 * @param {import("./types.d.ts").Filters} filters
 * @returns {boolean | null} null if the row alone does not decide it
 */
export function matches(row, filters) {
  // What comes is not marked.
  if (filters.marked) return false;
  const { status, type, method, host, api, path, failed, slower, text, since, until, task, connection, direction } = filters;
  if (status && !matchesStatus(row.status, status)) return false;
  if (type && !(row.type ?? "").toLowerCase().startsWith(type.toLowerCase())) return false;
  if (method && row.method !== method) return false;
  if (host && !isHost(row, host)) return false;
  if (api && api !== row.template && api !== apiName({ ...row, host: row.authority })) return false;
  if (path && !row.path.startsWith(path)) return false;
  if (failed && !row.failed) return false;
  if (slower && !(row.duration !== null && row.duration > Number(slower))) return false;
  if (since && row.start < Number(since)) return false;
  if (until && row.start >= Number(until)) return false;
  if (task && row.task !== Number(task)) return false;
  if (connection && row.connection !== Number(connection)) return false;
  if (direction && row.direction !== direction) return false;
  return text || filters.process ? null : true;
}

/**
 * @param {number | null} status
 * @param {string} wanted
 */
function matchesStatus(status, wanted) {
  if (wanted === "none") return status === null;
  if (status === null) return false;
  const family = /^([1-5])xx$/.exec(wanted);
  if (family) return Math.floor(status / 100) === Number(family[1]);
  const [low, high = low] = wanted.split("-").map(Number);
  return status >= low && status <= high;
}
