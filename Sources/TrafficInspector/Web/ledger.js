// The ledger of one connection: a bar whose parts add up to the payload, and the numbers.
import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { bytes, clock, duration, exactBytes, number } from "./format.js";
import { t } from "./messages.js";
import { hashOf, listAddress, place } from "./place.js";
import { evidenceMark } from "./sizes.js";

/** @typedef {import("./types.d.ts").Connection} Connection */
/** @typedef {import("./types.d.ts").Row} Row */

const listed = 8;
const drawn = 60;

/**
 * Parts that few connections have.
 * @type {("socksOverhead" | "proxyProtocolOverhead" | "proxyTLSOverhead" | "websocketOverhead" | "websocketPayload" | "upgraded" | "afterMessage" | "unseen")[]}
 */
const rare = ["socksOverhead", "proxyProtocolOverhead", "proxyTLSOverhead", "websocketOverhead", "websocketPayload", "upgraded", "afterMessage", "unseen"];

/** @param {{ up: number, down: number } | null} flow */
const both = (flow) => flow ? flow.up + flow.down : 0;

/**
 * The parts of the payload, both directions added up.
 * @param {Connection} one
 */
function parts(one) {
  return [
    { name: "messagesUp", size: one.messages.up },
    { name: "messagesDown", size: one.messages.down },
    { name: "tls", size: both(one.tlsOverhead) },
    { name: "http2", size: both(one.http2Overhead) },
    ...rare.map((name) => ({ name, size: both(one[name]) })),
    { name: "unaccounted", size: both(one.unaccounted) },
  ].filter((part) => part.size !== 0);
}

/** @param {Connection} one */
function payload(one) {
  return one.payload && one.payload.up + one.payload.down;
}

/**
 * A bar of the full width: the share of each part.
 * @param {Connection} one
 * @param {Row[] | null} [exchanges] those that are drawn one by one instead of the messages
 */
export function ledgerBar(one, exchanges = null) {
  const known = parts(one);
  const total = payload(one);
  const text = known.map((part) => `${t(`ledger.${part.name}`)} ${exactBytes(part.size)}`).join(", ");
  const bar = h("span", {
    class: `ledger-bar${exchanges ? " large" : ""}${total === null ? " unknown" : ""}`, role: "img",
    "aria-label": t("ledger.bar", { total: exactBytes(total), parts: text }),
  });
  /**
   * @param {string} name
   * @param {number} size
   * @param {string} title
   */
  const segment = (name, size, title) => {
    if (size <= 0) return;
    const element = h("i", { class: name, title: `${title}: ${exactBytes(size)}` });
    element.style.setProperty("flex-grow", String(size));
    bar.append(element);
  };
  if (exchanges) {
    let left = both(one.messages);
    exchanges.forEach((row, index) => {
      // An exchange that is reported before its connection.
      const size = Math.min(left, (row.up ?? 0) + (row.down ?? 0));
      left -= size;
      segment(`l-messages${index % 2 ? " odd" : ""}`, size, `#${row.id} ${row.method} ${row.path}`);
    });
    segment("l-other", left, t("connections.exchanges.others", { n: number(Math.max(0, one.exchanges - exchanges.length)) }));
  }
  for (const part of known) {
    if (!exchanges || !part.name.startsWith("messages")) segment(`l-${part.name}`, part.size, t(`ledger.${part.name}`));
  }
  return bar;
}

/**
 * The legend of the bars, for the parts that occur.
 * @param {Connection[]} connections
 */
export function ledgerLegend(connections) {
  const there = new Set(connections.flatMap((one) => parts(one).map((part) => part.name)));
  const names = ["messagesUp", "messagesDown", "tls", "http2", ...rare, "unaccounted"].filter((name) => there.has(name));
  return h("ul", { class: "legend ledger-legend" }, names.map((name) =>
    h("li", {}, h("i", { class: `swatch l-${name}`, "aria-hidden": "true" }), t(`ledger.${name}`))));
}

/** @param {Connection} one */
function table(one) {
  const unknown = one.unaccounted === null;
  const rows = [
    { name: "messages", flow: one.messages },
    { name: "tls", flow: one.tlsOverhead },
    { name: "http2", flow: one.http2Overhead },
    ...rare.filter((name) => both(one[name]) !== 0).map((name) => ({ name, flow: one[name] })),
    { name: "unaccounted", flow: one.unaccounted },
  ];
  return h("table", { class: "parts" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("part")), h("th", { scope: "col" }, t("column.up")),
      h("th", { scope: "col" }, t("column.down")))),
    h("tbody", {}, rows.map(({ name, flow }) =>
      h("tr", {}, h("th", { scope: "row" }, h("i", { class: `swatch l-${name}`, "aria-hidden": "true" }), t(`ledger.${name}`)),
        [flow?.up, flow?.down].map((size) =>
          h("td", { class: name === "unaccounted" && size ? "bad" : null }, exactBytes(size)))))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("ledger.payload")),
      h("td", {}, exactBytes(one.payload?.up ?? null)), h("td", {}, exactBytes(one.payload?.down ?? null)))),
    unknown && h("caption", { class: "quiet" }, t("connections.unknown")));
}

/**
 * The network of a connection, in words.
 * @param {{ network: import("./types.d.ts").Network | null }} one
 */
export function network({ network: known }) {
  if (!known) return t("unknown");
  /** @type {("loopback" | "cellular" | "expensive" | "constrained" | "multipath" | "proxied")[]} */
  const names = ["loopback", "cellular", "expensive", "constrained", "multipath", "proxied"];
  const words = names.filter((name) => known[name]).map((name) => t(`network.${name}`));
  const resolved = known.resolution && t("network.resolution", { protocol: known.resolution.toUpperCase() });
  return [known.interface, ...words, resolved].filter(Boolean).join(" · ")
    || t(known.cellular === false ? "network.notCellular" : "unknown");
}

/**
 * WebSocket's numbers of frames and messages, each up and down; empty without WebSocket.
 * @param {import("./types.d.ts").WebSocketCounts | null} counts
 * @returns {[string, string][]}
 */
export function websocketFacts(counts) {
  if (!counts) return [];
  /** @type {("frames" | "controlFrames" | "messages")[]} */
  const names = ["frames", "controlFrames", "messages"];
  return names.map((name) => [t(`websocket.${name}`),
    t("connections.segments.text", { up: number(counts[name].up), down: number(counts[name].down) })]);
}

/**
 * What both ends said in the clear as TLS began; empty if that was not seen.
 * @param {import("./types.d.ts").Handshake | null} handshake
 * @returns {[string, string][]}
 */
export function handshakeFacts(handshake) {
  if (!handshake) return [];
  const { serverName, version, cipher, offered, protocol, resumed, certificate } = handshake;
  const session = resumed === null ? null : t(resumed ? "handshake.resumed" : "handshake.new");
  /** @type {[string, string][]} */
  const all = [[t("handshake"), [version, cipher, session].filter(Boolean).join(", ") || t("unknown")]];
  if (serverName) all.push([t("handshake.serverName"), serverName]);
  if (offered.length > 0) all.push([t("handshake.offered"), offered.join(", ")]);
  if (protocol) all.push([t("handshake.protocol"), protocol]);
  if (certificate) {
    const end = certificate.notAfter && t("handshake.until", { date: certificate.notAfter.slice(0, 10) });
    const size = certificate.chainBytes === null ? null : exactBytes(certificate.chainBytes);
    all.push([t("handshake.certificate"), [certificate.subject, certificate.issuer, end, size].filter(Boolean).join(", ")],
      [t("handshake.sha256"), certificate.sha256]);
  }
  return all;
}

/**
 * How long it took to open a connection whose messages were not seen.
 * @param {Connection["opening"]} opening
 * @returns {[string, string][]}
 */
export function openingFacts(opening) {
  if (!opening) return [];
  /** @type {("dns" | "connect" | "firstByte")[]} */
  const names = ["dns", "connect", "firstByte"];
  return names.flatMap((name) => opening[name] === null ? [] : [[t(`opening.${name}`), duration(opening[name])]]);
}

/** @param {Connection} one */
function facts(one) {
  const { up = null, down = null } = one.segments ?? {};
  const count = (/** @type {number | null} */ value) => value === null ? t("unknown") : number(value);
  /** @type {[string, import("./dom.js").Child][]} */
  const all = [
    [t("connections.protocol"), one.protocol ?? "–"],
    [t("connections.tls"), one.tls ? [one.tls.version, one.tls.cipher].filter(Boolean).join(", ") || t("connections.tls") : t("connections.tls.none")],
    [t("connections.evidence"), one.evidence ? evidenceMark(one.evidence) : t("unknown")],
    [t("connections.opened"), clock(one.opened, true)],
    [t("connections.closed"), one.closed === null ? t("connections.open.for") : clock(one.closed, true)],
    [t("connections.network"), network(one)],
    [t("connections.local"), one.local ?? t("unknown")],
    [t("connections.roundTrip"), duration(one.roundTrip)],
    [t("connections.retransmitted"), bytes(one.retransmitted)],
    [t("connections.segments"), one.segments ? t("connections.segments.text", { up: count(up), down: count(down) }) : t("unknown")],
    ...websocketFacts(one.websocket),
    ...handshakeFacts(one.handshake),
    ...openingFacts(one.opening),
    [t("connections.ip"), one.ipBytes ? t("connections.segments.text", { up: bytes(one.ipBytes.up), down: bytes(one.ipBytes.down) }) : t("unknown")],
  ];
  return h("dl", { class: "facts" }, all.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/**
 * The opened connection: the bar exchange by exchange, its numbers, and its exchanges.
 * @param {Connection} one
 */
export function ledger(one) {
  const bar = h("div", {});
  const carried = h("div", {});
  const element = h("div", { class: "ledger" }, bar,
    h("section", {}, h("h3", {}, t("connections.ledger")), table(one)),
    h("section", { class: "ledger-about" }, h("h3", {}, t("connections.about")), facts(one)),
    h("section", {}, h("h3", {}, t("connections.exchanges")), carried));
  bar.style.setProperty("grid-column", "1 / -1");
  fill(bar, ledgerBar(one, []));
  void (async () => {
    try {
      const page = await get("exchanges", { connection: one.id, sort: "start", limit: drawn });
      /** @type {Row[]} */
      const rows = page.exchanges;
      fill(bar, ledgerBar(one, rows));
      fill(carried, h("ol", { class: "carried" }, rows.slice(0, listed).map((row) =>
        h("li", {}, h("a", { href: hashOf({ ...place(), page: "list", filters: { connection: String(one.id) }, id: row.id }) },
          `#${row.id} ${row.method} ${row.path}`), h("span", {}, `${bytes(row.up)} + ${bytes(row.down)}`)))),
      h("a", { href: listAddress({ connection: String(one.id) }), class: "all-carried" },
        page.total === 1 ? t("connections.exchanges.one") : t("connections.exchanges.all", { n: number(page.total) })));
    } catch (error) {
      fill(carried, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
    }
  })();
  return element;
}
