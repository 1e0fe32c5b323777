// What could come next in the filter: keys, and values that the traffic has.
import { quotedValue, termsOf } from "./filter-terms.js";

/** The keys of docs/filter.md; those that people need first come first. */
export const filterKeys = [
  "status", "host", "method", "path", "api", "type", "failed", "slower", "larger", "has", "header", "body", "since", "until", "smaller",
  "faster", "process", "device", "text", "direction", "connection", "task", "exchange", "network", "loopback", "cellular", "expensive",
  "constrained", "multipath", "proxied",
];
const flags = new Set(["failed", "loopback", "cellular", "expensive", "constrained", "multipath", "proxied"]);

/** Values that do not depend on the traffic. @type {Record<string, string[]>} */
const usual = {
  status: ["2xx", "3xx", "4xx", "5xx", "none", "404", "500"],
  method: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
  type: ["application/json", "text/html", "text/css", "text/javascript", "text/plain", "image/", "font/", "video/"],
  slower: ["100ms", "500ms", "1s", "5s"], faster: ["10ms", "100ms"], larger: ["1k", "10k", "100k", "1M"], smaller: ["1k", "10k"],
  since: ["10m", "1h", "1d"], until: ["10m", "1h", "1d"], direction: ["called", "served"],
  has: ["set-cookie", "cookie", "authorization", "content-encoding", "etag", "cache-control", "location"],
  network: ["loopback", "cellular"],
};

const most = 12;

/**
 * @typedef {object} Suggestion
 * @property {string} text the whole filter with it
 * @property {number} caret where to write on
 * @property {string} label
 * @property {string | null} key the key it names, to be explained
 * @property {boolean} isWhole whether the term is complete with it
 */

/**
 * What could come at a place of a filter.
 * @param {string} text
 * @param {number} caret
 * @param {Partial<Record<string, string[]>>} known values by keys, as the traffic has them
 * @returns {Suggestion[]}
 */
export function suggestionsFor(text, caret, known) {
  const term = termsOf(text).find(({ from, to }) => from < caret && caret <= to);
  const from = term?.from ?? caret;
  const to = term?.to ?? caret;
  /**
   * @param {string} piece
   * @param {string} label
   * @param {string | null} key
   * @param {boolean} isWhole
   */
  function suggestion(piece, label, key, isWhole) {
    const rest = text.slice(to).replace(/^\s+/, "");
    const before = text.slice(0, from) + piece + (isWhole ? " " : "");
    return { text: before + (rest && !isWhole ? ` ${rest}` : rest), caret: before.length, label, key, isWhole };
  }
  const sign = term?.isNegated || term?.text === "-" ? "-" : "";
  if (!term || term.key === null) {
    const word = text.slice(from + sign.length, caret).toLowerCase();
    // A word in quotes, a pattern or a URL is searched for.
    if (/[^a-z]/.test(word)) return [];
    return filterKeys.filter((key) => key.startsWith(word) && key !== word).slice(0, word === "" ? 9 : most)
      .map((key) => suggestion(`${sign}${key}${flags.has(key) ? "" : ":"}`, `${sign}${key}${flags.has(key) ? "" : ":"}`, key, flags.has(key)));
  }
  const { key } = term;
  if (!filterKeys.includes(key)) return [];
  // Of several values, the one that is being written.
  const begin = Math.max(term.value, text.lastIndexOf(",", caret - 1) + 1);
  const word = text.slice(begin, caret).replace(/^"/, "").toLowerCase();
  const values = flags.has(key) ? ["yes", "no"] : [...new Set([...(known[key] ?? []), ...(usual[key] ?? [])])];
  const found = values.filter((value) => value.toLowerCase().includes(word) && value.toLowerCase() !== word);
  // What starts with the word comes before what only contains it.
  const sorted = [...found.filter((value) => value.toLowerCase().startsWith(word)), ...found.filter((value) => !value.toLowerCase().startsWith(word))];
  return sorted.slice(0, most).map((value) =>
    suggestion(text.slice(from, begin) + quotedValue(value), value, null, true));
}

/**
 * Whether a filter is only begun, so that it is not yet worth asking for.
 * @param {string} text
 */
export function isBegun(text) {
  const last = termsOf(text).at(-1);
  if (!last) return false;
  return /(^-|[:,~])$/.test(last.text) && last.to === text.length || (last.text.split(/(?<!\\)"/).length - 1) % 2 === 1;
}

const kept = "wireweight.filters";
const mostKept = 20;

/** The filters that were used, the newest first. @returns {string[]} */
export function filterHistory() {
  try {
    const all = JSON.parse(localStorage.getItem(kept) ?? "[]");
    return Array.isArray(all) ? all.filter((text) => typeof text === "string").slice(0, mostKept) : [];
  } catch {
    return [];
  }
}

/**
 * Keeps a filter as the one that was used last.
 * @param {string} text
 */
export function remember(text) {
  if (text === "") return;
  localStorage.setItem(kept, JSON.stringify([text, ...filterHistory().filter((other) => other !== text)].slice(0, mostKept)));
}

/** Forgets the filters that were used. */
export function forgetFilters() {
  localStorage.setItem(kept, "[]");
}
