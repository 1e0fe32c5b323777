// The bar above the list: search, status, and the other filters; each active filter can be removed.
import { get } from "./api.js";
import { directionChoice } from "./directions.js";
import { byId, fill, h, icon, iconButton } from "./dom.js";
import { apiName, clock, duration } from "./format.js";
import { t } from "./messages.js";
import { filter, filterNames, place } from "./place.js";

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
  if (name === "failed") return "";
  if (name === "direction") return t(`direction.${value}`);
  if (name === "status" && value === "none") return t("filter.status.none");
  return value;
}

export function makeFilters() {
  /** @type {number | undefined} */
  let typing;
  const search = h("input", {
    type: "search", id: "search", class: "search", autocomplete: "off", spellcheck: "false", maxlength: 1000,
    input: () => {
      clearTimeout(typing);
      typing = setTimeout(() => filter({ text: search.value.trim() }), 250);
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter") return;
      clearTimeout(typing);
      filter({ text: search.value.trim() });
    },
  });
  const searchBox = h("label", { class: "search-box" }, icon("search"), search, h("kbd", { "aria-hidden": "true" }, "/"));
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
    if (!more.hidden) void suggest();
  }

  async function suggest() {
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
        h("label", { class: "field check" }, failed, h("span", {}, t("filter.failed.long"))), hosts, apis, processes);
    }
    const active = filterNames.filter((name) => filters[name]);
    chips.setAttribute("aria-label", t("filter.active"));
    chips.hidden = active.length === 0;
    fill(chips, active.map((name) => {
      const value = shown(name, filters[name] ?? "");
      const label = t(`filter.${name}`);
      return h("li", {}, h("button", {
        type: "button", class: "chip", "data-chip": name, "aria-label": t("filter.remove", { name: `${label} ${value}` }),
        click: () => {
          filter({ [name]: "" });
          byId("main").focus({ preventScroll: true });
        },
      }, h("span", { class: "chip-name" }, label), value && h("span", { class: "chip-value" }, value), icon("close")));
    }), active.length > 1 && h("li", {}, h("button", {
      type: "button", class: "link", click: () => filter(Object.fromEntries(filterNames.map((name) => [name, ""]))),
    }, t("filter.clear"))));
  }

  return { element, tail, refresh, focus: () => search.select(), button: iconButton };
}
