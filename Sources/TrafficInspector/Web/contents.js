// What the text or the bytes of a body mean, by its media type. Pure functions: they make no elements.

/**
 * JSON with a line for each member, also if it is cut off. Only white space outside of strings is changed.
 * @param {string} text
 */
export function pretty(text) {
  let depth = 0;
  const parts = [];
  const line = () => `\n${"  ".repeat(depth)}`;
  const token = /"(?:[^"\\]|\\.)*(?:"|$)|[^\s{}[\],:"]+|[{}[\],:]/gs;
  let last = "";
  for (const [piece] of text.matchAll(token)) {
    const closes = piece === "}" || piece === "]";
    if (closes) {
      depth = Math.max(0, depth - 1);
      if (last !== "{" && last !== "[") parts.push(line());
    } else if (last === "{" || last === "[" || last === ",") {
      parts.push(line());
    }
    parts.push(piece === ":" ? ": " : piece);
    if (piece === "{" || piece === "[") depth += 1;
    last = piece;
  }
  return parts.join("");
}

/**
 * The names and values of a form (application/x-www-form-urlencoded).
 * @param {string} text
 * @returns {[string, string][]}
 */
export const form = (text) => [...new URLSearchParams(text)];

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string | null} file
 * @property {string | null} type
 * @property {Uint8Array} data
 */

/**
 * The parts of a multipart body (RFC 2046, section 5.1.1; RFC 7578); the last one may be cut off.
 * @param {Uint8Array} data
 * @param {string} boundary
 * @returns {Part[]}
 */
export function multipart(data, boundary) {
  const limit = ascii(`\r\n--${boundary}`);
  /** @type {Part[]} */
  const parts = [];
  // The first boundary has no line before it.
  let at = find(data, limit.subarray(2), 0);
  if (at !== 0) at = find(data, limit, 0) + 2;
  while (at >= 0 && at < data.length && parts.length < 10_000) {
    at += limit.length - 2;
    // The one after the last part.
    if (data[at] === 0x2d && data[at + 1] === 0x2d) break;
    const begin = find(data, ascii("\r\n"), at);
    if (begin < 0) break;
    const blank = find(data, ascii("\r\n\r\n"), begin);
    if (blank < 0) break;
    const next = find(data, limit, blank + 2);
    const end = next < 0 ? data.length : next;
    const head = new TextDecoder().decode(data.subarray(begin + 2, blank));
    const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? "";
    parts.push({
      name: parameter(disposition, "name") ?? "", file: parameter(disposition, "filename"),
      type: /^content-type:\s*(\S.*?)\s*$/im.exec(head)?.[1] ?? null, data: data.subarray(Math.min(end, blank + 4), end),
    });
    at = next < 0 ? -1 : next + 2;
  }
  return parts;
}

/**
 * A parameter of a header's value (RFC 9110, section 5.6.6).
 * @param {string} value
 * @param {string} name
 */
export function parameter(value, name) {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, "i").exec(value);
  return found ? found[2] ?? found[1].replace(/\\(.)/g, "$1") : null;
}

/** @param {string} text */
const ascii = (text) => new TextEncoder().encode(text);

/**
 * @param {Uint8Array} data
 * @param {Uint8Array} wanted
 * @param {number} from
 */
function find(data, wanted, from) {
  for (let at = data.indexOf(wanted[0], from); at >= 0; at = data.indexOf(wanted[0], at + 1)) {
    let same = 1;
    while (same < wanted.length && data[at + same] === wanted[same]) same += 1;
    if (same === wanted.length) return at;
  }
  return -1;
}

/**
 * The events of a stream (text/event-stream); the last one may be cut off.
 * @param {string} text
 * @returns {{ event: string, id: string, data: string }[]}
 */
export function events(text) {
  return text.split(/\r\n\r\n|\n\n|\r\r/).flatMap((block) => {
    const fields = { event: "", id: "", data: /** @type {string[]} */ ([]) };
    for (const line of block.split(/\r\n|\n|\r/)) {
      const [, name, value] = /^([^:]*)(?:: ?)?(.*)$/.exec(line) ?? [];
      if (name === "data") fields.data.push(value);
      if (name === "event") fields.event = value;
      if (name === "id") fields.id = value;
    }
    return fields.data.length > 0 || fields.event ? [{ ...fields, data: fields.data.join("\n") }] : [];
  });
}

/**
 * The query of a GraphQL request with its own line ends, its name and its variables; null if it is none.
 * @param {unknown} value the parsed JSON
 * @returns {{ query: string, operation: string | null, variables: unknown } | null}
 */
export function graphQL(value) {
  const { query, operationName, variables } = /** @type {any} */ (value) ?? {};
  if (typeof query !== "string" || !/^\s*(query|mutation|subscription|fragment|\{)/.test(query)) return null;
  return { query, operation: typeof operationName === "string" ? operationName : null, variables: variables ?? null };
}

/** @typedef {{ number: number, kind: string, value: string, fields: Field[] | null }} Field */

/**
 * The fields of a protocol buffer, by what its wire format says; null if the bytes are none
 * (https://protobuf.dev/programming-guides/encoding/).
 * @param {Uint8Array} data
 * @param {number} [depth]
 * @returns {Field[] | null}
 */
export function protobuf(data, depth = 0) {
  /** @type {Field[]} */
  const fields = [];
  let at = 0;
  /** @returns {bigint | null} */
  function varint() {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (at >= data.length) return null;
      const byte = data[at];
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return null;
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  while (at < data.length) {
    const key = varint();
    if (key === null || key >> 3n === 0n || key > 0xffff_ffffn || fields.length >= 10_000) return null;
    const number = Number(key >> 3n);
    const wire = Number(key & 7n);
    if (wire === 0) {
      const value = varint();
      if (value === null) return null;
      fields.push({ number, kind: "varint", value: String(value), fields: null });
    } else if (wire === 1 || wire === 5) {
      const size = wire === 1 ? 8 : 4;
      if (at + size > data.length) return null;
      const [whole, real] = wire === 1
        ? [view.getBigUint64(at, true), view.getFloat64(at, true)] : [view.getUint32(at, true), view.getFloat32(at, true)];
      fields.push({ number, kind: wire === 1 ? "64 bit" : "32 bit", value: `${whole} (${real})`, fields: null });
      at += size;
    } else if (wire === 2) {
      const size = varint();
      if (size === null || size > BigInt(data.length - at)) return null;
      const bytes = data.subarray(at, at + Number(size));
      at += Number(size);
      fields.push({ number, ...content(bytes, depth) });
    } else {
      return null;
    }
  }
  return fields;
}

/**
 * A field with a length is a text, a message or bytes, as the wire format has one type for all three.
 * @param {Uint8Array} bytes
 * @param {number} depth
 * @returns {Omit<Field, "number">}
 */
function content(bytes, depth) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!/[\0-\x08\x0e-\x1f]/.test(text)) return { kind: "text", value: text, fields: null };
  } catch {
    // No text.
  }
  const fields = depth < 20 && bytes.length > 0 ? protobuf(bytes, depth + 1) : null;
  if (fields) return { kind: "message", value: "", fields };
  const shown = Array.from(bytes.subarray(0, 32), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return { kind: "bytes", value: bytes.length > 32 ? `${shown} …` : shown, fields: null };
}

/**
 * The messages of a gRPC body: each has a byte that says whether it is compressed, and its length.
 * @param {Uint8Array} data
 * @returns {{ isCompressed: boolean, data: Uint8Array }[]}
 */
export function gRPC(data) {
  const messages = [];
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 5 <= data.length && messages.length < 10_000;) {
    const size = view.getUint32(at + 1);
    messages.push({ isCompressed: data[at] !== 0, data: data.subarray(at + 5, at + 5 + size) });
    at += 5 + size;
  }
  return messages;
}
