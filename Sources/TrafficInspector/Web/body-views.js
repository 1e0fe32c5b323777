// The ways in which a decoded body can be shown, by its media type and its first bytes. Nothing in it is ever run.
import { saveBytes } from "./api.js";
import { events, form, graphQL, gRPC, multipart, parameter, pretty, protobuf } from "./contents.js";
import { h, icon } from "./dom.js";
import { bytes } from "./format.js";
import { indentCSS, indentMarkup, mostIndented } from "./indent.js";
import { showTokens, tokensIn } from "./jwt.js";
import { t } from "./messages.js";
import { hex, paged, searchable } from "./texts.js";
import { parse, searchableTree, tree } from "./tree.js";

/** The longest text that is parsed. */
const mostParsed = 8 * 1024 * 1024;
/** Bytes of a part of a multipart body on one page. */
const partPage = 1024;

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

/** What files of a type are called where that is not the name of the type. @type {Record<string, string>} */
const extensions = {
  "text/plain": "txt", "text/javascript": "js", "application/javascript": "js", "image/jpeg": "jpg", "image/svg+xml": "svg",
  "text/event-stream": "txt", "application/x-www-form-urlencoded": "txt", "application/xhtml+xml": "html", "text/markdown": "md",
};

/**
 * The extension of a file with this body.
 * @param {string} header the value of Content-Type
 * @param {Uint8Array} data
 */
export function extension(header, data) {
  const type = header.split(";", 1)[0].trim().toLowerCase();
  const known = Object.hasOwn(extensions, type) ? extensions[type] : /(?:\+|\/)(json|xml|html|css|csv|png|gif|webp|avif|pdf|zip|wasm|woff2?|mp4|webm)$/.exec(type)?.[1];
  return known ?? (looksLikeText(data) ? "txt" : "bin");
}

/**
 * @param {Uint8Array} data
 * @param {string} charset
 */
function decode(data, charset) {
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
 * @typedef {object} Shown
 * @property {HTMLElement} element
 * @property {() => void} [leave]
 */

/**
 * @param {string[]} titles the keys of messages
 * @param {(string | Node)[][]} rows
 */
function pairs(titles, rows) {
  return h("table", { class: "pairs" },
    h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, t(title))))),
    h("tbody", {}, rows.map(([first, ...rest]) =>
      h("tr", {}, h("th", { scope: "row" }, first), rest.map((cell) => h("td", {}, cell))))));
}

/**
 * The views of a body that was decoded, the best one first, without that of its bytes.
 * @param {Uint8Array} data
 * @param {string} header the value of Content-Type
 * @param {boolean} isWhole whether all of it was kept and decoded
 * @param {(text: string) => void} copy
 * @param {number} sent when the exchange began, in ms since 1970
 * @returns {Map<string, () => Shown>}
 */
export function views(data, header, isWhole, copy, sent) {
  const type = header.split(";", 1)[0].trim().toLowerCase();
  const charset = parameter(header, "charset") ?? "utf-8";
  /** @type {Map<string, () => Shown>} */
  const found = new Map();
  /** @param {string} name @param {() => HTMLElement} make */
  const add = (name, make) => found.set(name, () => ({ element: make() }));
  const image = imageType(data, type);
  if (image) found.set("image", () => picture(data, image));
  const isSmall = data.length <= mostParsed;
  const boundary = type.startsWith("multipart/") ? parameter(header, "boundary") : null;
  if (boundary && isSmall) found.set("parts", () => parts(data, boundary, charset, { isWhole, copy, sent }));
  const isGRPC = type.startsWith("application/grpc");
  if (isSmall && (isGRPC || /^application\/(x-|vnd\.google\.)?protobuf$/.test(type))) add("fields", () => messages(data, isGRPC));
  if (!looksLikeText(data) && !type.startsWith("text/")) return found;

  const text = decode(data, charset);
  const json = isSmall && (/[/+]json$/.test(type) || /^\s*[[{]/.test(text.slice(0, 64)));
  if (json) {
    const query = isWhole && /"query"/.test(text.slice(0, 64 * 1024)) ? queryOf(text) : null;
    if (query) add("query", () => graphQLRequest(query, copy));
    if (isWhole) add("tree", () => jsonTree(text, copy));
    add("pretty", () => searchable(pretty(text), copy));
  } else if (data.length <= mostIndented) {
    const isHTML = type === "text/html";
    if (isHTML || /[/+]xml$/.test(type) || /^\s*<\?xml\s/.test(text.slice(0, 64))) add("pretty", () => searchable(indentMarkup(text, isHTML), copy));
    else if (type === "text/css") add("pretty", () => searchable(indentCSS(text), copy));
  }
  if (type === "application/x-www-form-urlencoded" && isSmall) {
    add("form", () => pairs(["body.name", "body.value"], form(text)));
  }
  if (type === "text/event-stream" && isSmall) {
    add("events", () => pairs(["body.event", "body.data"],
      events(text).map(({ event, id, data }) => [[event || "message", id].filter(Boolean).join(" · "), data])));
  }
  const tokens = isSmall ? tokensIn(text) : [];
  if (tokens.length > 0) add("jwt", () => showTokens(tokens, sent));
  add("text", () => searchable(text, copy));
  if (type === "text/html" && isSmall) add("page", () => frame(text));
  return found;
}

/**
 * @param {Uint8Array} data
 * @param {string} type
 * @returns {Shown}
 */
function picture(data, type) {
  const source = URL.createObjectURL(new Blob([/** @type {any} */ (data)], { type }));
  const size = h("figcaption", { class: "quiet" });
  const image = h("img", {
    class: "picture", src: source, alt: `${t("body.image")}, ${bytes(data.length)}`,
    load: () => {
      size.textContent = t("body.pixels", { width: image.naturalWidth, height: image.naturalHeight });
    },
  });
  return { element: h("figure", {}, image, size), leave: () => URL.revokeObjectURL(source) };
}

/**
 * @param {string} text
 * @param {(text: string) => void} copy
 */
function jsonTree(text, copy) {
  try {
    return searchableTree(parse(text), () => copy(pretty(text)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    return h("div", {}, h("p", { class: "warning" }, t("tree.invalid", { reason })), searchable(pretty(text), copy));
  }
}

/** @param {string} text */
function queryOf(text) {
  try {
    return graphQL(parse(text));
  } catch {
    return null;
  }
}

/**
 * @param {NonNullable<ReturnType<typeof graphQL>>} request
 * @param {(text: string) => void} copy
 */
function graphQLRequest({ query, operation, variables }, copy) {
  return h("div", { class: "pieces" }, operation && h("p", {}, operation), searchable(query, copy),
    variables !== null && h("h3", {}, t("body.variables")), variables !== null && tree(variables));
}

/**
 * The parts, each in its best view; a multipart body inside of one is text.
 * @param {Uint8Array} data
 * @param {string} boundary
 * @param {string} charset
 * @param {{ isWhole: boolean, copy: (text: string) => void, sent: number }} of
 * @returns {Shown}
 */
function parts(data, boundary, charset, { isWhole, copy, sent }) {
  const all = multipart(data, boundary);
  /** @type {(() => void)[]} */
  const leaving = [];
  const element = h("div", { class: "pieces" }, all.map((part, index) => {
    const facts = [part.file, part.type, bytes(part.data.length)].filter(Boolean).join(" · ");
    const type = part.type ?? `text/plain; charset=${charset}`;
    const inner = type.startsWith("multipart/") ? "text/plain" : type;
    const [view] = views(part.data, inner, isWhole || index < all.length - 1, copy, sent).values();
    const shown = view ? view() : { element: paged(part.data.length, partPage, (from, to) => hex(part.data.subarray(from, to), from)).element };
    if (shown.leave) leaving.push(shown.leave);
    const name = part.file?.replace(/[^\p{L}\p{N}._ -]/gu, "_") || `part-${index + 1}.${extension(type, part.data)}`;
    return h("section", {}, h("h3", {}, part.name || "–", " ", h("small", { class: "quiet" }, facts)),
      part.file !== null && h("button", { type: "button", class: "button part-save", click: () => saveBytes(part.data, name) }, icon("export"), t("body.save.part", { name })),
      shown.element);
  }));
  return { element, leave: () => leaving.forEach((leave) => leave()) };
}

/**
 * @param {import("./contents.js").Field[]} fields
 * @returns {HTMLElement}
 */
function fieldList(fields) {
  return h("ul", { class: "tree" }, fields.map((field) => h("li", { class: "j-leaf" },
    h("span", { class: "j-key" }, String(field.number)), " ", h("span", { class: "j-index" }, field.kind), " ",
    field.fields ? fieldList(field.fields) : h("span", { class: field.kind === "text" ? "j-string" : "j-number" }, field.value))));
}

/**
 * @param {Uint8Array} data
 * @param {boolean} isGRPC
 */
function messages(data, isGRPC) {
  const all = isGRPC ? gRPC(data) : [{ isCompressed: false, data }];
  return h("div", { class: "pieces" }, all.map((message) => {
    const fields = message.isCompressed ? null : protobuf(message.data);
    return h("section", {}, isGRPC && h("h3", {}, t("body.message"), " ", h("small", { class: "quiet" }, bytes(message.data.length))),
      fields ? fieldList(fields) : h("p", { class: "warning" }, t(message.isCompressed ? "body.compressed" : "body.noFields")));
  }));
}

/**
 * The page without its scripts and without anything that it would load; this page's own policy holds in it, too.
 * @param {string} text
 */
function frame(text) {
  const policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">";
  return h("iframe", { class: "preview", sandbox: "", srcdoc: policy + text, title: t("body.page.title"), referrerpolicy: "no-referrer" });
}
