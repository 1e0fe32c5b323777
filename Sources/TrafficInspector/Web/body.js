// A kept body: decoded and shown as a tree, text, an image or bytes, a page at a time. Nothing in it is ever run.
import { address, bodyBytes, save } from "./api.js";
import { fill, h, icon, iconButton } from "./dom.js";
import { bytes, number } from "./format.js";
import { t } from "./messages.js";
import { parse, tree } from "./tree.js";

/** The most decoded bytes to hold; a small body may decode to an endless one. */
const mostDecoded = 16 * 1024 * 1024;
const chunk = 1024 * 1024;
const textPage = 64 * 1024;
const hexPage = 4096;
const treeLimit = 8 * 1024 * 1024;

/** Raster images, by their first bytes. Vector images are shown as text, because they may contain scripts. */
const images = [
  { type: "image/png", begins: [0x89, 0x50, 0x4e, 0x47] },
  { type: "image/jpeg", begins: [0xff, 0xd8, 0xff] },
  { type: "image/gif", begins: [0x47, 0x49, 0x46, 0x38] },
  { type: "image/webp", begins: [0x52, 0x49, 0x46, 0x46] },
  { type: "image/avif", begins: [] },
];

/**
 * @param {Uint8Array} data
 * @param {string} type
 */
function imageType(data, type) {
  return images.find((image) => image.type === type && image.begins.every((byte, at) => data[at] === byte))?.type ?? null;
}

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
 * @param {Uint8Array} data
 * @param {string} charset
 */
function text(data, charset) {
  try {
    return new TextDecoder(charset).decode(data);
  } catch {
    return new TextDecoder().decode(data);
  }
}

/** @param {Uint8Array} data */
function looksLikeText(data) {
  const sample = data.subarray(0, 2000);
  let odd = 0;
  for (const byte of sample) if (byte === 0 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) odd += 1;
  return odd * 50 <= sample.length;
}

/**
 * @param {Uint8Array} data
 * @param {number} offset
 */
function hex(data, offset) {
  const lines = [];
  for (let at = 0; at < data.length; at += 16) {
    const line = data.subarray(at, at + 16);
    const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, "0"));
    const letters = Array.from(line, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    const left = digits.slice(0, 8).join(" ").padEnd(23);
    const right = digits.slice(8).join(" ").padEnd(23);
    lines.push(`${(offset + at).toString(16).padStart(8, "0")}  ${left}  ${right}  ${letters}`);
  }
  return lines.join("\n");
}

/**
 * Pages of a body that is too long to show at once.
 * @param {number} size
 * @param {number} pageSize
 * @param {(from: number, to: number) => Promise<string> | string} show
 */
function paged(size, pageSize, show) {
  const pre = h("pre", { class: "raw", tabindex: 0 });
  const bar = h("div", { class: "pager" });
  let from = 0;
  async function turn(/** @type {number} */ to) {
    const last = Math.max(0, Math.floor((size - 1) / pageSize) * pageSize);
    from = Math.max(0, Math.min(to, last));
    const end = Math.min(size, from + pageSize);
    fill(bar,
      iconButton("previous", t("body.page.previous"), () => void turn(from - pageSize), { disabled: from === 0 }),
      h("span", { role: "status" }, t("body.page", { from: number(from + 1), to: number(end), n: number(size) })),
      iconButton("next", t("body.page.next"), () => void turn(from + pageSize), { disabled: end >= size }),
      h("button", { type: "button", class: "link", click: () => void turn(0), disabled: from === 0 }, t("body.page.first")),
      h("button", { type: "button", class: "link", click: () => void turn(last), disabled: end >= size },
        t("body.page.last")));
    const at = from;
    const page = await show(from, end);
    if (at === from) pre.textContent = page;
    pre.scrollTop = 0;
  }
  void turn(0);
  return size > pageSize ? h("div", { class: "paged" }, bar, pre) : pre;
}

/**
 * @param {import("./types.d.ts").Detail} detail
 * @returns {{ element: HTMLElement, leave: () => void }}
 */
export function bodies(detail) {
  const element = h("div", { class: "bodies" });
  let alive = true;
  /** @type {string | null} */
  let picture = null;
  /** @type {"request" | "response"} */
  let side = detail.bodies.response ? "response" : "request";
  /** @type {string | null} */
  let wanted = null;
  let age = 0;

  function drop() {
    if (picture) URL.revokeObjectURL(picture);
    picture = null;
  }

  async function show() {
    const mine = ++age;
    drop();
    const body = detail.bodies[side];
    const sides = h("div", { class: "segments", role: "group", "aria-label": t("body.side") },
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
    try {
      decoded = await read(detail.row.id, side, body, () => alive && mine === age);
    } catch (error) {
      if (mine === age) fill(place, h("p", { class: "error" }, String(/** @type {Error} */ (error).message)));
      return;
    }
    if (!alive || mine !== age) return;
    const { data, trouble, coded } = decoded;
    const type = (body.type ?? "").split(";", 1)[0].trim().toLowerCase();
    const charset = /charset="?([\w-]+)/i.exec(body.type ?? "")?.[1] ?? "utf-8";
    const image = coded ? null : imageType(data, type);
    const textual = !coded && (looksLikeText(data) || type.startsWith("text/"));
    const json = textual && data.length <= treeLimit && (/[/+]json$/.test(type) || /^\s*[[{]/.test(text(data.subarray(0, 64), charset)));
    const kinds = [image && "image", json && "tree", textual && "text", "hex"].filter((kind) => typeof kind === "string");

    const kindsBar = h("div", { class: "segments", role: "group", "aria-label": t("body.as") });
    bar.append(kindsBar, h("button", {
      type: "button", class: "button", click: () =>
        save(address(`exchanges/${detail.row.id}/bodies/${side}`), `exchange-${detail.row.id}-${side}.bin`),
    }, icon("export"), t("body.save")));
    const kept = body.of !== null && body.of > body.size ? t("body.part", { n: bytes(body.size), of: bytes(body.of) }) : t("body.size", { n: bytes(body.size) });
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

    /**
     * @param {string} kind
     * @returns {HTMLElement}
     */
    function shown(kind) {
      if (kind === "image" && image) {
        picture = URL.createObjectURL(new Blob([/** @type {any} */ (data)], { type: image }));
        return h("img", { class: "picture", src: picture, alt: `${t("body.image")}, ${bytes(data.length)}` });
      }
      if (kind === "tree") {
        try {
          return tree(parse(text(data, charset)));
        } catch (error) {
          const reason = error instanceof Error ? error.message : "";
          return h("div", {}, h("p", { class: "warning" }, t("tree.invalid", { reason })), shown("text"));
        }
      }
      if (kind === "text") return paged(data.length, textPage, (from, to) => text(data.subarray(from, to), charset));
      if (data.length < mostDecoded || body?.coding) {
        return paged(data.length, hexPage, (from, to) => hex(data.subarray(from, to), from));
      }
      return paged(body?.size ?? 0, hexPage, async (from, to) =>
        hex((await bodyBytes(detail.row.id, side, from, to - from)).bytes, from));
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
