// Formats numbers and moments for people.
import { locale, t } from "./messages.js";

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 0) {
  const key = `${locale()} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format.format(value);
}

/**
 * Bytes in decimal units, as the command prints them.
 * @param {number | null | undefined} value
 */
export function bytes(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size < 1000) return `${number(value)} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let scaled = value / 1000;
  let unit = 0;
  while (Math.abs(scaled) >= 999.95 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${number(scaled, 1)} ${units[unit]}`;
}

/**
 * All digits.
 * @param {number | null | undefined} value
 */
export function exactBytes(value) {
  return value === null || value === undefined ? t("unknown") : `${number(value)} B`;
}

/** @param {number | null | undefined} value milliseconds */
export function duration(value) {
  if (value === null || value === undefined) return "–";
  if (value < 1) return value === 0 ? "0 ms" : `${number(value * 1000)} µs`;
  if (value < 999.5) return `${number(value, value < 10 ? 1 : 0)} ms`;
  if (value < 59_950) return `${number(value / 1000, value < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(value / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** @param {number | null | undefined} share */
export function percent(share) {
  if (share === null || share === undefined || !Number.isFinite(share)) return "–";
  return share > 0 && share < 0.001 ? "< 0.1 %" : `${number(share * 100, 1)} %`;
}

/**
 * The time of day, with the date unless it is today's.
 * @param {number | null | undefined} moment
 * @param {boolean} [fine] with milliseconds
 * @param {number} [beside] a moment whose date is written beside it, so that it is not repeated
 */
export function clock(moment, fine = false, beside = Date.now()) {
  if (moment === null || moment === undefined) return "–";
  const date = new Date(moment);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  let text = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  if (fine) text += `.${String(date.getMilliseconds()).padStart(3, "0")}`;
  if (date.toDateString() === new Date(beside).toDateString()) return text;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${text}`;
}

/**
 * A sentence with the order of a table.
 * @param {string} by
 * @param {boolean} text whether the column has words instead of numbers
 * @param {boolean} descending
 */
export function order(by, text, descending) {
  if (text) return t(descending ? "order.backward" : "order.forward", { by });
  return t(descending ? "order.largest" : "order.smallest", { by });
}

/**
 * How long the bar of a size is, from 0 to 1: logarithmic, from 100 bytes to 10 MB.
 * @param {number | null} size
 */
export function weightShare(size) {
  return size === null || size <= 100 ? 0 : Math.min(1, Math.log10(size / 100) / 5);
}

/** @param {import("./types.d.ts").Row} row */
export function statusText(row) {
  if (row.status !== null) return String(row.status);
  return row.state === "running" ? "…" : "—";
}

/**
 * The class for the colour of a row's status: by the status, by the failure, or none while the exchange runs.
 * @param {import("./types.d.ts").Row} row
 */
export function statusClass(row) {
  if (row.state === "running") return "running";
  if (row.state === "incomplete") return "unknown";
  if (row.status === null) return "none";
  if (row.state !== "completed") return "broken";
  return `s${Math.floor(row.status / 100)}`;
}

/**
 * The short name of a media type.
 * @param {string | null} type
 */
export function shortType(type) {
  if (!type) return "";
  const essence = type.split(";", 1)[0].trim().toLowerCase();
  return essence.replace(/^(application|text|image|audio|video|font)\//, (whole, top) =>
    top === "application" || top === "text" ? "" : whole);
}

/**
 * An API as filters name it: `GET api.test:8080/users`, and with a space after the host if its template is no path.
 *
 * @param {{ method?: string | null, host?: string | null, template?: string | null }} api its host with the port unless it is the scheme's default
 */
export function apiName({ method, host, template }) {
  const gap = template?.startsWith("/") ? "" : " ";
  return `${method} ${host}${gap}${template}`;
}

/**
 * Whether a host from the user matches a row's; without a port it matches any port, as in the API.
 *
 * @param {import("./types.d.ts").Row} row
 * @param {string} named
 */
export function isHost(row, named) {
  const wanted = named.toLowerCase().replace(/:\*$/, "");
  return wanted === row.host || wanted === row.authority || wanted === `${row.host}:${row.port}`;
}
