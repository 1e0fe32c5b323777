// Where the page is: which view, filters, order and exchange. All of it is in the address, so that it can be shared.

/** @type {import("./types.d.ts").FilterName[]} */
export const filterNames = [
  "text", "status", "type", "method", "host", "api", "path", "failed", "slower", "since", "until", "task", "process", "connection",
  "direction", "marked",
];

export const pages = ["overview", "list", "apis", "map", "timeline", "audit", "compare", "connections"];

/** What the page of comparisons is about: two requests, two APIs, or the earlier file and its range. */
const comparisonNames = /** @type {const} */ (["a", "b", "api.a", "api.b", "before", "before.since", "before.until"]);

/** @type {Set<(place: import("./types.d.ts").Place) => void>} */
const watchers = new Set();

/** @type {import("./types.d.ts").Place} */
let current = parse(location.hash);

/**
 * @param {string} hash
 * @returns {import("./types.d.ts").Place}
 */
function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const items = new URLSearchParams(query);
  /** @type {import("./types.d.ts").Filters} */
  const filters = {};
  for (const name of filterNames) {
    const value = items.get(name);
    if (value) filters[name] = value;
  }
  /** @type {import("./types.d.ts").Comparison} */
  const comparison = {};
  for (const name of comparisonNames) {
    const value = items.get(name);
    if (path === "compare" && value) comparison[name] = value;
  }
  const id = Number(items.get("id"));
  const by = items.get("by");
  return {
    ...(path === "apis" && by && { by }),
    ...(Object.keys(comparison).length > 0 && { comparison }),
    page: path === "" ? "overview" : pages.includes(path) ? path : "list",
    filters,
    sort: items.get("sort") ?? "-start",
    id: Number.isSafeInteger(id) && id > 0 ? id : null,
    tab: items.get("tab") ?? "overview",
  };
}

/** @param {import("./types.d.ts").Place} place */
export function hashOf(place) {
  const items = new URLSearchParams();
  for (const name of filterNames) {
    const value = place.filters[name];
    if (value) items.set(name, value);
  }
  for (const name of place.page === "compare" && place.comparison ? comparisonNames : []) {
    const value = place.comparison?.[name];
    if (value) items.set(name, value);
  }
  if (place.page === "apis" && place.by) items.set("by", place.by);
  if (place.sort !== "-start") items.set("sort", place.sort);
  if (place.id !== null) {
    items.set("id", String(place.id));
    if (place.tab !== "overview") items.set("tab", place.tab);
  }
  const query = items.toString();
  return `#/${place.page}${query ? `?${query}` : ""}`;
}

export function place() {
  return current;
}

/**
 * Goes to another place; parts that are not given stay as they are.
 * @param {Partial<import("./types.d.ts").Place>} change
 * @param {boolean} [replace] without a step in the history
 */
export function go(change, replace = false) {
  const next = { ...current, ...change };
  const hash = hashOf(next);
  if (hash === hashOf(current)) return;
  current = next;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  for (const watcher of watchers) watcher(current);
}

/**
 * Sets filters, and removes empty ones.
 * @param {import("./types.d.ts").Filters} change
 * @param {Partial<import("./types.d.ts").Place>} [more]
 */
export function filter(change, more = {}) {
  const filters = { ...current.filters, ...change };
  for (const name of filterNames) if (!filters[name]) delete filters[name];
  go({ id: null, ...more, filters });
}

/**
 * The address of the list under some filters, the time range and the direction kept.
 * @param {import("./types.d.ts").Filters} filters
 */
export function listAddress(filters) {
  const { since, until, direction } = current.filters;
  /** @type {import("./types.d.ts").Filters} */
  const all = { ...filters };
  if (since) all.since = since;
  if (until) all.until = until;
  if (direction) all.direction = direction;
  return hashOf({ ...current, page: "list", id: null, filters: all });
}

/** @param {(place: import("./types.d.ts").Place) => void} watcher */
export function watch(watcher) {
  watchers.add(watcher);
}

addEventListener("popstate", () => {
  current = parse(location.hash);
  for (const watcher of watchers) watcher(current);
});
