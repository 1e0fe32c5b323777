// A kept body: decoded and shown as a tree, text, an image or bytes, a page at a time. Nothing in it is ever run.
import { address, bodyBytes, save, saveBytes } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { bytes } from "./format.js";
import { t } from "./messages.js";
import { hex, paged } from "./texts.js";

/** The most decoded bytes to hold; a small body may decode to an endless one. */
const mostDecoded = 16 * 1024 * 1024;
const chunk = 1024 * 1024;
const hexPage = 4096;

/** @param {string} coding */
function decoder(coding) {
  /** @type {Record<string, string>} */
  const formats = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "brotli", zstd: "zstd" };
  const format = Object.hasOwn(formats, coding) ? formats[coding] : null;
  if (!format) return null;
  try {
    return new DecompressionStream(/** @type {CompressionFormat} */ (format));
  } catch {
    return null;
  }
}

/**
 * @typedef {object} Decoded
 * @property {Uint8Array} data
 * @property {string | null} trouble
 * @property {boolean} coded whether the bytes are still as sent
 */

/**
 * Reads a body and decodes its content coding.
 * @param {number} id
 * @param {"request" | "response"} side
 * @param {import("./types.d.ts").Body} body
 * @param {() => boolean} wanted
 * @returns {Promise<Decoded>}
 */
async function read(id, side, body, wanted) {
  const codings = (body.coding ?? "").toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  const decoders = codings.reverse().map(decoder);
  const unknown = decoders.includes(null);
  let offset = 0;
  /** @type {ReadableStream<any>} */
  let stream = new ReadableStream({
    async pull(controller) {
      if (offset >= body.size || !wanted()) return controller.close();
      const page = await bodyBytes(id, side, offset, chunk);
      if (page.bytes.length === 0) return controller.close();
      offset += page.bytes.length;
      controller.enqueue(page.bytes);
    },
  }, { highWaterMark: 0 });
  if (!unknown) for (const step of decoders) if (step) stream = stream.pipeThrough(step);
  const reader = stream.getReader();
  const pieces = [];
  let size = 0;
  let trouble = unknown ? t("body.coding", { coding: codings.join(", ") }) : null;
  try {
    while (size < mostDecoded) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      size += value.length;
    }
    if (size >= mostDecoded) {
      trouble = t("body.capped", { n: bytes(mostDecoded) });
      void reader.cancel();
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    trouble = t("body.broken");
  }
  const data = new Uint8Array(Math.min(size, mostDecoded));
  let at = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, data.length - at);
    data.set(part, at);
    at += part.length;
  }
  return { data, trouble, coded: unknown };
}

/**
 * @param {import("./types.d.ts").Detail} detail
 * @param {(text: string) => void} copy
 * @param {"request" | "response"} [only] the side to show, if both are shown
 * @returns {{ element: HTMLElement, leave: () => void }}
 */
export function bodies(detail, copy, only) {
  const element = h("div", { class: "bodies" });
  let alive = true;
  let leave = () => {};
  /** @type {"request" | "response"} */
  let side = only ?? (detail.bodies.response ? "response" : "request");
  /** @type {string | null} */
  let wanted = null;
  let age = 0;

  function drop() {
    leave();
    leave = () => {};
  }

  async function show() {
    const mine = ++age;
    drop();
    const body = detail.bodies[side];
    const sides = only ? h("h3", {}, t(only)) : h("div", { class: "segments", role: "group", "aria-label": t("body.side") },
      /** @type {const} */ (["request", "response"]).map((name) =>
        h("button", {
          type: "button", "aria-pressed": String(side === name), click: () => {
            side = name;
            wanted = null;
            void show();
          },
        }, t(name))));
    const bar = h("div", { class: "body-bar" }, sides);
    const place = h("div", { class: "body-place" });
    fill(element, bar, place);
    if (!body || body.size === 0) {
      fill(place, h("p", { class: "quiet" }, t(body ? "body.empty" : "body.none")));
      return;
    }
    fill(place, h("p", { class: "quiet" }, t("list.loading")));
    /** @type {Decoded} */
    let decoded;
    /** @type {typeof import("./body-views.js")} */
    let shows;
    try {
      // No row waits for what shows bodies.
      const coming = import("./body-views.js");
      [decoded, shows] = await Promise.all([read(detail.row.id, side, body, () => alive && mine === age), coming]);
    } catch (error) {
      if (mine === age) fill(place, h("p", { class: "error" }, String(/** @type {Error} */ (error).message)));
      return;
    }
    if (!alive || mine !== age) return;
    const { data, trouble, coded } = decoded;
    const isPart = body.of !== null && body.of > body.size;
    /** @type {ReturnType<typeof shows.views>} */
    const found = coded ? new Map() : shows.views(data, body.type ?? "", !isPart && !trouble, copy, detail.row.start);
    const kinds = [...found.keys(), "hex"];

    const kindsBar = h("div", { class: "segments", role: "group", "aria-label": t("body.as") });
    const name = `exchange-${detail.row.id}-${side}`;
    const asSent = () => save(address(`exchanges/${detail.row.id}/bodies/${side}`), `${name}.bin`);
    bar.append(kindsBar, h("button", {
      type: "button", class: "button", click: () => {
        if (coded || trouble) asSent();
        else saveBytes(data, `${name}.${shows.extension(body.type ?? "", data)}`);
      },
    }, icon("export"), t("body.save")),
    ...(body.coding && !coded && !trouble ? [h("button", { type: "button", class: "link", click: asSent }, t("body.save.sent"))] : []));
    const kept = isPart ? t("body.part", { n: bytes(body.size), of: bytes(body.of ?? 0) }) : t("body.size", { n: bytes(body.size) });
    const size = body.coding && !coded
      ? `${kept} · ${t("body.decoded", { n: bytes(data.length), coding: body.coding })}`
      : kept;
    const note = h("p", { class: "quiet" }, size, body.type ? ` · ${body.type}` : "");

    function look(/** @type {string} */ kind) {
      wanted = kind;
      drop();
      fill(kindsBar, kinds.map((name) =>
        h("button", { type: "button", "aria-pressed": String(name === kind), click: () => look(name) }, t(`body.${name}`))));
      fill(place, note, trouble && h("p", { class: "warning" }, trouble), shown(kind));
    }

    /** @param {string} kind */
    function shown(kind) {
      const view = found.get(kind)?.();
      if (view) {
        leave = view.leave ?? leave;
        return view.element;
      }
      if (data.length < mostDecoded || body?.coding) {
        return paged(data.length, hexPage, (from, to) => hex(data.subarray(from, to), from)).element;
      }
      return paged(body?.size ?? 0, hexPage, async (from, to) =>
        hex((await bodyBytes(detail.row.id, side, from, to - from)).bytes, from)).element;
    }
    look(wanted && kinds.includes(wanted) ? wanted : kinds[0]);
  }
  void show();
  return {
    element,
    leave() {
      alive = false;
      drop();
    },
  };
}
