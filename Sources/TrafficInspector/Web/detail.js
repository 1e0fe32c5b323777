// One exchange: its sizes, its times, its headers and its bodies.
import { address, get, save } from "./api.js";
import { bodies } from "./body.js";
import { copyForms, textOf } from "./actions.js";
import { directionMark } from "./directions.js";
import { fill, h, icon, iconButton, say } from "./dom.js";
import { apiName, bytes, clock, duration, exactBytes, statusClass, statusText } from "./format.js";
import { findings } from "./findings.js";
import { heads, marked } from "./heads.js";
import { network, websocketFacts } from "./ledger.js";
import { legs } from "./legs.js";
import { named, t } from "./messages.js";
import { makeNote } from "./note.js";
import { phaseBars } from "./phases.js";
import { go, hashOf, listAddress, place } from "./place.js";
import { repeatsOf } from "./repeats.js";
import { sizes } from "./sizes.js";

const tabs = ["overview", "heads", "body"];
/** Pixels from which both bodies have room side by side. */
const wide = 860;

/** @param {import("./types.d.ts").Row} row */
function waterfall(row) {
  return h("div", { class: "phases", role: "list", "aria-label": t("phase.label", { total: duration(row.duration) }) },
    phaseBars(row).map(({ name, time, bar }) =>
      h("div", { role: "listitem", class: "phase" }, h("span", {}, t(`phase.${name}`)),
        h("span", { class: "phase-track" }, bar), h("b", {}, duration(time)))),
    h("div", { role: "listitem", class: "phase phase-total" }, h("span", {}, t("phase.total")),
      h("span", { class: "phase-track" }), h("b", {}, duration(row.duration))));
}

/**
 * The version of HTTP of the request, and that of the response if it differs.
 * @param {import("./types.d.ts").Exchange} exchange
 */
function version({ httpVersion, response }) {
  const sent = httpVersion ? `HTTP/${httpVersion}` : "–";
  const received = response?.httpVersion ? `HTTP/${response.httpVersion}` : sent;
  return received === sent ? sent : t("detail.version.both", { sent, received });
}

/**
 * The bytes that followed a 101 on the connection, and WebSocket's frames and messages.
 * @param {import("./types.d.ts").Upgrade} upgrade
 */
function afterSwitch({ bytes: all, websocket, ...parts }) {
  /** @type {("websocketOverhead" | "websocketPayload" | "upgraded")[]} */
  const names = ["websocketOverhead", "websocketPayload", "upgraded"];
  const flows = names.filter((name) => parts[name].up + parts[name].down > 0).map((name) => ({ name, flow: parts[name] }));
  return h("section", { class: "after-switch" }, h("h3", {}, t(websocket ? "websocket.title" : "websocket.other")),
    h("table", { class: "parts" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("part")), h("th", { scope: "col" }, t("column.up")),
        h("th", { scope: "col" }, t("column.down")))),
      h("tbody", {}, flows.map(({ name, flow }) =>
        h("tr", {}, h("th", { scope: "row" }, t(`ledger.${name}`)), h("td", {}, exactBytes(flow.up)), h("td", {}, exactBytes(flow.down))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("websocket.total")),
        h("td", {}, exactBytes(all.up)), h("td", {}, exactBytes(all.down))))),
    h("dl", { class: "facts" }, websocketFacts(websocket).map(([name, value]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
}

/** @param {import("./types.d.ts").Detail} detail */
function overview({ exchange, row, attempts, findings: found, upgrade }) {
  const { connection, reused, remoteAddress } = exchange;
  const api = apiName({ ...exchange, host: exchange.authority });
  /** Names, values, and the filter that lists all exchanges with the same value. @type {([string, string, import("./types.d.ts").Filters?] | null)[]} */
  const facts = [
    [t("detail.outcome"), [named("state", row.state), exchange.error ? `: ${exchange.error}` : ""].join("")],
    [t("detail.started"), clock(row.start, true)],
    row.sent === null ? null : [t("detail.sent"), clock(row.sent, true)],
    [t("filter.api"), api, { api }],
    row.direction === "served" ? [t("direction"), t("direction.served.long"), { direction: row.direction }] : null,
    [t("detail.process"), `${exchange.process} (${exchange.pid})`, { process: exchange.process }],
    connection === null ? null : [t("detail.connection"), `${connection}, ` +
      t(reused ? "detail.connection.reused" : "detail.connection.new") + (remoteAddress ? `, ${remoteAddress}` : ""),
    { connection: String(connection) }],
    exchange.network ? [t("connections.network"), network(exchange)] : null,
    [t("detail.version"), version(exchange)],
    exchange.response?.decodedBody && exchange.response.contentEncoding
      ? [t("detail.decoded"), `${exactBytes(exchange.response.decodedBody)} (${exchange.response.contentEncoding})`]
      : null,
  ];
  return h("div", { class: "overview" },
    h("section", {}, h("h3", {}, t("detail.size")), sizes(exchange)),
    h("section", {}, h("h3", {}, t("detail.time")), waterfall(row)),
    legs(exchange),
    upgrade && afterSwitch(upgrade),
    attempts.length > 1 && h("section", {}, h("h3", {}, h("a", { href: listAddress({ task: String(row.task) }), title: t("detail.same") }, t("detail.chain"))),
      h("ol", { class: "attempts" }, attempts.map((attempt) =>
        h("li", {}, h("a", {
          href: hashOf({ ...place(), id: attempt.id }), class: `attempt ${statusClass(attempt)}`,
          "aria-current": attempt.id === row.id ? "true" : null,
        }, h("b", { class: "c-status" }, statusText(attempt)), h("span", { class: "attempt-url" }, `${attempt.method} ${attempt.url}`),
        h("span", { class: "attempt-size" }, bytes((attempt.up ?? 0) + (attempt.down ?? 0)))))))),
    h("section", { class: "audit-part" }, h("h3", {}, t("detail.audit")),
      found.length ? findings(found) : h("p", { class: "quiet" }, t("audit.none"))),
    h("section", {}, h("h3", {}, t("detail.about")),
      h("dl", { class: "facts" }, facts.filter((fact) => fact !== null).map((fact) =>
        h("div", {}, h("dt", {}, fact[0]), h("dd", {}, fact[2] && Object.values(fact[2])[0]
          ? h("a", { href: listAddress(fact[2]), title: t("detail.same") }, fact[1]) : fact[1]))))));
}

/**
 * @param {object} actions
 * @param {() => void} actions.close
 * @param {(by: number) => void} actions.step
 * @param {(event: MouseEvent, items: import("./menus.js").Item[]) => void} actions.menu
 * @param {() => string} actions.file the file that the command opens
 */
export function makeDetail({ close, step, menu, file }) {
  const element = h("aside", { class: "detail", id: "detail", hidden: true });
  /** @type {import("./types.d.ts").Detail | null} */
  let detail = null;
  /** @type {number | null} */
  let shown = null;
  let tab = "overview";
  let spoken = "";
  let leave = () => {};
  /** @type {import("./repeats.js").Repeats | null} */
  let repeats = null;
  /** Whether both bodies had room side by side when they were drawn. */
  let isWide = false;
  /** Shows the repeats in the headers that are drawn. @type {(repeats: import("./repeats.js").Repeats) => void} */
  let know = () => {};
  const note = makeNote();
  new ResizeObserver(() => {
    const hasBoth = detail?.bodies.request && detail.bodies.response;
    if (tab === "body" && hasBoth && element.clientWidth >= wide !== isWide) draw();
  }).observe(element);

  /**
   * @param {string} text
   * @param {string} label
   * @param {string} done
   */
  async function copy(text, label, done = t("copy.done")) {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch {
      const area = h("textarea", { class: "raw curl", readonly: true, rows: 5, "aria-label": label });
      area.value = text;
      element.querySelector(".detail-body")?.prepend(h("p", { class: "warning" }, t("copy.failed")), area);
      area.select();
    }
  }

  /** @param {import("./types.d.ts").Detail} of */
  function copyItems(of) {
    return copyForms.filter((form) => form !== "curl").map((form) => {
      const label = t(`copy.${form}`);
      return { label, act: async () => copy(await textOf(form, of, file()), label) };
    });
  }

  /**
   * With what the request can be compared: the call of the same API before it, and one that was chosen earlier.
   * @param {import("./types.d.ts").Detail} of
   */
  function compareItems({ exchange, row }) {
    /** @param {number} other */
    const beside = (other) => go({ page: "compare", comparison: { a: String(other), b: String(row.id) } });
    const chosen = Number(sessionStorage.getItem("wireweight.pair") ?? 0);
    return [
      {
        label: t("pair.previous"), on: null, act: async () => {
          const found = await get("exchanges", { api: apiName(exchange), direction: row.direction, until: row.start, limit: 1, sort: "-start" });
          const previous = found.exchanges[0]?.id;
          if (previous) beside(previous);
          else say(t("pair.first"));
        },
      },
      ...(chosen > 0 && chosen !== row.id ? [{ label: t("pair.chosen", { n: chosen }), on: null, act: () => beside(chosen) }] : []),
      {
        label: t("pair.choose"), on: null, act: () => {
          sessionStorage.setItem("wireweight.pair", String(row.id));
          say(t("pair.choose.done", { n: row.id }));
        },
      },
    ];
  }

  function draw() {
    if (!detail) return;
    leave();
    leave = () => {};
    know = () => {};
    const { exchange, row, curl } = detail;
    const of = detail;
    element.setAttribute("aria-label", t("detail.label", { n: row.id }));
    const bar = h("div", { class: "detail-bar" },
      iconButton("previous", t("detail.previous"), () => step(-1), { "data-control": "previous" }),
      iconButton("next", t("detail.next"), () => step(1), { "data-control": "next" }),
      h("span", { class: "detail-number" }, `#${row.id}`),
      detail.findings.length > 0 && h("button", {
        type: "button", class: "link found", click: () => {
          go({ tab: "overview" }, true);
          element.querySelector(".audit-part")?.scrollIntoView();
        },
      }, t(detail.findings.length === 1 ? "detail.finding" : "detail.findings", { n: detail.findings.length })),
      h("span", { class: "spring" }), note.button,
      h("button", { type: "button", class: "button", click: () => void copy(curl, t("detail.curl"), t("detail.curl.done")) },
        icon("copy"), h("span", {}, t("detail.curl"))),
      iconButton("compare", t("pair.with"), (event) => menu(event, compareItems(of)), { "data-control": "pair", "aria-haspopup": "menu" }),
      iconButton("down", t("copy.as"), (event) => menu(event, copyItems(of)), { "data-control": "copy", "aria-haspopup": "menu" }),
      h("button", {
        type: "button", class: "button", title: t("detail.har"), "aria-label": t("detail.har"),
        click: () => save(address(`exchanges/${row.id}/har`), `exchange-${row.id}.har`),
      }, icon("export"), h("span", {}, "HAR")),
      iconButton("close", t("detail.close"), close, { "data-control": "close" }));
    const title = h("h2", { class: `detail-title ${statusClass(row)}` },
      h("b", { class: "c-status" }, statusText(row)), h("b", { class: "c-method" }, exchange.method), directionMark(row.direction),
      h("span", { class: "detail-url" }, marked(exchange.url)));
    const list = h("div", { class: "tabs", role: "tablist" }, tabs.map((name) =>
      h("button", {
        type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === tab), "aria-controls": "tab-panel",
        tabindex: name === tab ? 0 : -1, click: () => go({ tab: name }, true),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
          if (!by) return;
          event.preventDefault();
          go({ tab: tabs[(tabs.indexOf(name) + by + tabs.length) % tabs.length] }, true);
          document.getElementById(`tab-${tab}`)?.focus();
        },
      }, t(`tab.${name}`))));
    const panel = h("div", {
      class: "detail-body", role: "tabpanel", id: "tab-panel", "aria-labelledby": `tab-${tab}`, tabindex: 0,
    });
    if (tab === "overview") panel.append(overview(detail));
    else if (tab === "heads") {
      const shown = heads(exchange);
      know = shown.know;
      if (repeats) know(repeats);
      panel.append(shown.element);
    } else {
      const copyText = (/** @type {string} */ text) => void copy(text, t("body.copy"));
      isWide = element.clientWidth >= wide;
      const hasBoth = isWide && detail.bodies.request && detail.bodies.response;
      const viewers = hasBoth ? [bodies(detail, copyText, "request"), bodies(detail, copyText, "response")] : [bodies(detail, copyText)];
      leave = () => viewers.forEach((viewer) => viewer.leave());
      panel.append(h("div", { class: "both-sides" }, viewers.map((viewer) => viewer.element)));
    }
    note.show(row.id);
    const isWriting = note.isFocused;
    fill(element, bar, h("div", { class: "detail-head" }, title, note.field), list, panel);
    if (isWriting) note.focus();
    if (tab === "heads" && !repeats) void again(row.id);
  }

  /** @param {number} id */
  async function again(id) {
    const found = await repeatsOf(id);
    if (shown !== id || !found || repeats) return;
    repeats = found;
    if (tab === "heads") know(found);
  }

  /** @param {number} id */
  async function load(id) {
    try {
      const loaded = await get(`exchanges/${id}`);
      if (shown !== id) return;
      // The stream may have asked for it again before the first response was here.
      const isSame = JSON.stringify(loaded) === JSON.stringify(detail);
      detail = loaded;
      if (!isSame) draw();
    } catch (error) {
      if (shown !== id) return;
      detail = null;
      const status = /** @type {{ status?: number }} */ (error).status;
      fill(element, h("div", { class: "detail-bar" }, h("span", { class: "spring" }),
        iconButton("close", t("detail.close"), close)),
      h("p", { class: "error", role: "alert" },
        status === 404 ? t("detail.gone") : String(/** @type {Error} */ (error).message)));
    }
  }

  return {
    element,
    /** @param {import("./types.d.ts").Place} where */
    show(where) {
      const next = tabs.includes(where.tab) ? where.tab : "overview";
      const words = t("tab.overview");
      element.hidden = where.id === null;
      if (where.id === null) {
        leave();
        shown = null;
        detail = null;
        note.show(null);
        fill(element);
      } else if (where.id !== shown) {
        shown = where.id;
        detail = null;
        repeats = null;
        tab = next;
        void load(where.id);
      } else if (next !== tab || words !== spoken) {
        tab = next;
        draw();
      }
      spoken = words;
    },
    /** Opens the field of the note. */
    write() {
      if (shown === null) return;
      // At once, so that no letter goes elsewhere; the details follow.
      if (!detail) {
        note.show(shown);
        fill(element, h("div", { class: "detail-head" }, note.field));
      }
      note.write();
    },
    /** @param {import("./types.d.ts").Row[]} rows */
    come(rows) {
      if (shown === null || tab !== "overview") return;
      if (rows.some((row) => row.id === shown && row.state !== detail?.row.state)) void load(shown);
    },
  };
}
