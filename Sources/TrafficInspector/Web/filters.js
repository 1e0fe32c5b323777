// The bar above the list: search, status, and the other filters; each active filter can be removed.
import { get } from "./api.js";
import { directionChoice } from "./directions.js";
import { isBegun, remember } from "./completion.js";
import { byId, fill, h, icon, iconButton } from "./dom.js";
import { termsOf, without } from "./filter-terms.js";
import { apiName, clock, duration } from "./format.js";
import { t } from "./messages.js";
import { filter, filterNames, place } from "./place.js";
import { makeSuggest } from "./suggest.js";

/** @typedef {import("./types.d.ts").FilterName} FilterName */

const statuses = ["", "2xx", "3xx", "4xx", "5xx", "none"];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const types = ["application/json", "text/html", "text/css", "text/javascript", "text/plain", "image/", "font/", "video/"];

/**
 * @param {FilterName} name
 * @param {string} value
 */
function shown(name, value) {
  if (name === "since" || name === "until") return clock(Number(value));
  if (name === "slower") return duration(Number(value));
  if (name === "failed" || name === "marked") return "";
  if (name === "direction") return t(`direction.${value}`);
  if (name === "status" && value === "none") return t("filter.status.none");
  return value;
}

/**
 * @typedef {object} Chip
 * @property {FilterName} name
 * @property {string} label
 * @property {string} value
 * @property {boolean} isNegated
 * @property {string} rest the value of the filter without it
 */

/**
 * The filters that are set, each as a chip; of the filter's text, each term.
 * @param {import("./types.d.ts").Filters} filters
 * @returns {Chip[]}
 */
function chipsOf(filters) {
  /** @type {Chip[]} */
  const chips = [];
  for (const name of filterNames) {
    const text = filters[name];
    if (!text) continue;
    if (name !== "text") {
      chips.push({ name, label: t(`filter.${name}`), isNegated: false, value: shown(name, text), rest: "" });
      continue;
    }
    for (const term of termsOf(text)) {
      const [key, value] = [term.text.slice(0, term.value - term.from), term.text.slice(term.value - term.from)];
      chips.push({
        name, label: term.key === null ? t("filter.word") : key, isNegated: term.isNegated, value: term.key === null ? term.text : value,
        rest: without(text, term),
      });
    }
  }
  return chips;
}

/**
 * Shows filters as chips that remove them.
 * @param {HTMLElement} element
 * @param {Chip[]} active
 */
function showChips(element, active) {
  element.setAttribute("aria-label", t("filter.active"));
  element.hidden = active.length === 0;
  fill(element, active.map(({ name, label, isNegated, value, rest }) =>
    h("li", {}, h("button", {
      type: "button", class: `chip${isNegated ? " not" : ""}`, "data-chip": name, "aria-label": t("filter.remove", { name: `${label} ${value}` }),
      click: () => {
        filter({ [name]: rest });
        byId("main").focus({ preventScroll: true });
      },
    }, h("span", { class: "chip-name" }, label), value && h("span", { class: "chip-value" }, value), icon("close")))), active.length > 1 && h("li", {}, h("button", {
    type: "button", class: "link", click: () => filter(Object.fromEntries(active.map(({ name }) => [name, ""]))),
  }, t("filter.clear"))));
}

/** The filters that a page of sums obeys; a direction has buttons of its own. @type {Record<string, FilterName[]>} */
const obeyed = {
  overview: ["since", "until"], apis: ["since", "until", "host"], map: ["since", "until", "host"],
  timeline: filterNames.filter((name) => name !== "direction"), audit: ["since", "until"], compare: ["since", "until"], connections: [],
};

/** The filters of a page of sums, below its title. */
export function makePageChips() {
  const element = h("ul", { class: "chips page-chips" });
  return {
    /** @param {HTMLElement} page */
    show(page) {
      const { page: name, filters } = place();
      showChips(element, chipsOf(filters).filter((chip) => obeyed[name].includes(chip.name)));
      page.querySelector(".page-head")?.append(element);
    },
  };
}

export function makeFilters() {
  /** @type {number | undefined} */
  let typing;
  const search = h("input", {
    type: "search", id: "search", class: "search", autocomplete: "off", spellcheck: "false", maxlength: 1000,
    input: () => {
      clearTimeout(typing);
      typing = setTimeout(() => {
        if (!isBegun(search.value)) filter({ text: search.value.trim() });
      }, 250);
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") use();
    },
    blur: () => remember(place().filters.text ?? ""),
  });
  function use() {
    clearTimeout(typing);
    filter({ text: search.value.trim() });
    remember(search.value.trim());
  }
  const suggest = makeSuggest(search, { known, use });
  const searchBox = h("div", { class: "search-box" }, icon("search"), search, h("kbd", { "aria-hidden": "true" }, "/"), suggest.element);
  const status = h("div", { class: "segments", role: "group" });
  const directions = h("div", { class: "segments", hidden: true });
  const chips = h("ul", { class: "chips" });
  const more = h("div", { class: "more-filters", id: "more-filters", hidden: true });
  const toggle = h("button", {
    type: "button", class: "button", "aria-expanded": "false", "aria-controls": "more-filters", click: expand,
  });
  const tail = h("div", { class: "filter-tail" });
  const element = h("div", { class: "filters", role: "search" },
    h("div", { class: "filter-row" }, searchBox, status, directions, toggle, tail), more, chips);

  const hosts = h("datalist", { id: "hosts" });
  const apis = h("datalist", { id: "api-names" });
  const processes = h("datalist", { id: "process-names" });

  function expand() {
    more.hidden = !more.hidden;
    toggle.setAttribute("aria-expanded", String(!more.hidden));
    if (!more.hidden) void fillLists();
  }

  /** @typedef {Partial<Record<string, string[]>>} Values by the keys of the filter, as the traffic has them */
  /** @type {{ at: number, values: Promise<Values> }} */
  let read = { at: -Infinity, values: Promise.resolve({}) };

  function known() {
    // What is typed in a moment asks once.
    if (performance.now() - read.at >= 10_000) read = { at: performance.now(), values: readValues(read.values) };
    return read.values;
  }

  /** @param {Promise<Values>} before @returns {Promise<Values>} */
  async function readValues(before) {
    try {
      /** @type {[{ apis: import("./types.d.ts").API[] }, { exchanges: import("./types.d.ts").Row[] }]} */
      const [{ apis: all }, { exchanges }] = await Promise.all([get("apis"), get("exchanges", { limit: 200 })]);
      const unique = (/** @type {string[]} */ values) => [...new Set(values)].slice(0, 200);
      return {
        host: unique(all.map((api) => api.host)), api: unique(all.map((api) => apiName(api))), method: unique(all.map((api) => api.method)),
        path: unique(all.map((api) => api.template.replace(/\{.*/s, ""))).filter((path) => path !== "/"),
        process: unique(exchanges.map((row) => row.process)), type: unique(exchanges.flatMap((row) => row.type ?? [])),
        status: unique(exchanges.flatMap((row) => row.status === null ? [] : String(row.status))),
      };
    } catch {
      // Keys and usual values are there without them.
      return before;
    }
  }

  async function fillLists() {
    try {
      /** @type {import("./types.d.ts").API[]} */
      const known = (await get("apis")).apis;
      fill(hosts, [...new Set(known.map((api) => api.host))].slice(0, 200).map((value) => h("option", { value })));
      /** @type {import("./types.d.ts").Row[]} */
      const newest = (await get("exchanges", { limit: 200 })).exchanges;
      fill(processes, [...new Set(newest.map((row) => row.process))].map((value) => h("option", { value })));
      fill(apis, known.slice(0, 300).map((api) =>
        h("option", { value: apiName(api) })));
    } catch {
      // The filters work without suggestions.
    }
  }

  /**
   * @param {FilterName} name
   * @param {HTMLElement} control
   * @param {string} [label]
   */
  function field(name, control, label = t(`filter.${name}`)) {
    return h("label", { class: "field" }, h("span", {}, label), control);
  }

  /**
   * @param {FilterName} name
   * @param {import("./dom.js").Attributes} attributes
   */
  function input(name, attributes) {
    const control = h("input", {
      "data-filter": name, autocomplete: "off", spellcheck: "false", ...attributes,
      change: () => filter({ [name]: control.value.trim() }),
    });
    control.value = place().filters[name] ?? "";
    return control;
  }

  /**
   * @param {FilterName} name
   * @param {string[]} values
   */
  function choice(name, values) {
    const now = place().filters[name] ?? "";
    const all = now && !values.includes(now) ? [...values, now] : values;
    const control = h("select", { "data-filter": name, change: () => filter({ [name]: control.value }) },
      h("option", { value: "" }, t("filter.any")), all.map((value) => h("option", { value }, value)));
    control.value = now;
    return control;
  }

  /** @param {FilterName} name */
  function moment(name) {
    const control = h("input", {
      type: "datetime-local", step: 1, "data-filter": name,
      change: () => filter({ [name]: control.value ? String(new Date(control.value).getTime()) : "" }),
    });
    const value = Number(place().filters[name]);
    if (value) {
      const local = new Date(value - new Date(value).getTimezoneOffset() * 60_000);
      control.value = local.toISOString().slice(0, 19);
    }
    return control;
  }

  function refresh() {
    const { filters } = place();
    search.setAttribute("aria-label", t("filter.search"));
    search.placeholder = t("filter.search");
    if (document.activeElement !== search) search.value = filters.text ?? "";
    status.setAttribute("aria-label", t("filter.status"));
    fill(status, statuses.map((value) =>
      h("button", {
        type: "button", "data-status": value, "aria-pressed": String((filters.status ?? "") === value),
        click: () => filter({ status: value }),
      }, value === "" ? t("filter.status.all") : value === "none" ? t("filter.status.none") : value)));
    directionChoice(directions, true);
    const shownElsewhere = ["text", "status", "direction"];
    const count = filterNames.filter((name) => filters[name] && !shownElsewhere.includes(name)).length;
    fill(toggle, icon("filter"), h("span", {}, t("filter.more")), count > 0 && h("b", { class: "badge" }, count));
    const failed = h("input", {
      type: "checkbox", "data-filter": "failed", change: () => filter({ failed: failed.checked ? "1" : "" }),
    });
    failed.checked = filters.failed === "1";
    const marked = h("input", {
      type: "checkbox", "data-filter": "marked", change: () => filter({ marked: marked.checked ? "1" : "" }),
    });
    marked.checked = filters.marked === "1";
    // Keep the field in which the user types.
    if (!more.contains(document.activeElement) || more.hidden) {
      fill(more, field("method", choice("method", methods)), field("type", choice("type", types)),
        field("host", input("host", { list: "hosts" })), field("api", input("api", { list: "api-names" })),
        field("path", input("path", {})),
        field("slower", input("slower", { type: "number", min: 0, step: "any", inputmode: "decimal" }),
          t("filter.slower.ms")),
        field("process", input("process", { list: "process-names" })),
        field("task", input("task", { inputmode: "numeric", pattern: "[0-9]*" })),
        field("connection", input("connection", { inputmode: "numeric", pattern: "[0-9]*" })),
        field("since", moment("since")), field("until", moment("until")),
        h("label", { class: "field check" }, failed, h("span", {}, t("filter.failed.long"))),
        h("label", { class: "field check" }, marked, h("span", {}, t("filter.marked.long"))), hosts, apis, processes);
    }
    showChips(chips, chipsOf(filters));
  }

  return {
    element, tail, refresh, focus: () => search.select(), button: iconButton,
    /** Shows whether the server could read the filter. @param {boolean} isWrong */
    judge: (isWrong) => search.setAttribute("aria-invalid", String(isWrong)),
  };
}
