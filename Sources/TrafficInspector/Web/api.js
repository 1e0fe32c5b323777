// The server's API: reading, changing, and the stream of events.
import { named, t } from "./messages.js";

const root = "/api/v1/";

/** The file that the page shows if it is not the one for which the inspector was started. */
export const shownFile = new URLSearchParams(globalThis.location?.search ?? "").get("file");

/** What the server refused, with its code. */
export class APIError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {number | null} place the character of the filter that it is about, from 1
   */
  constructor(status, code, message, place = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.place = place;
  }
}

/**
 * @param {string} path
 * @param {Record<string, string | number | null | undefined>} [query]
 */
export function address(path, query = {}) {
  const items = new URLSearchParams(shownFile ? { file: shownFile } : {});
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") items.set(name, String(value));
  }
  const text = items.toString();
  return root + path + (text ? `?${text}` : "");
}

/**
 * The response that start.js asked for, if it is this one; once, because it is of that moment.
 * @param {string} url
 * @returns {Promise<Response> | null}
 */
function early(url) {
  const { wireweightEarly: first } = /** @type {{ wireweightEarly?: { url: string, response: Promise<Response> } }} */ (globalThis);
  if (first?.url !== url) return null;
  Object.assign(globalThis, { wireweightEarly: undefined });
  return first.response;
}

/**
 * @param {string} url
 * @param {RequestInit} [options]
 */
async function call(url, options) {
  let response;
  try {
    response = await (early(url) ?? fetch(url, { cache: "no-store", credentials: "same-origin", ...options }));
    options?.signal?.throwIfAborted();
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new APIError(0, "unreachable", t("error.unreachable"));
  }
  if (!response.ok) {
    let code = String(response.status);
    let message = response.statusText;
    let place = null;
    try {
      const body = await response.json();
      code = String(body.error.code);
      const { phrase, values } = body.error;
      place = Number(values?.place) || null;
      const known = `refusal.${phrase}`;
      // A phrase with words from elsewhere has no translation.
      message = named("refusal", String(phrase)) === String(phrase) ? String(body.error.message) : t(known, values ?? {});
    } catch {
      // A response without a body is described by its status.
    }
    throw new APIError(response.status, code, message, place);
  }
  return response;
}

/**
 * @param {string} path
 * @param {Record<string, string | number | null | undefined>} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, query, signal) {
  return (await call(address(path, query), { signal })).json();
}

/** How long a response is shared, in milliseconds; less if anything changes meanwhile. */
const sharing = 2000;
/** The last response that pages share. @type {{ url: string, at: number, response: Promise<any> } | null} */
let shared = null;

/**
 * The same, for what several pages show: who goes from one to the next asks once.
 * @param {string} path
 * @param {Record<string, string | number | null | undefined>} [query]
 * @returns {Promise<any>}
 */
export function getShared(path, query) {
  const url = address(path, query);
  if (shared?.url !== url || performance.now() - shared.at > sharing) {
    const response = get(path, query);
    const mine = shared = { url, at: performance.now(), response };
    response.catch(() => {
      if (shared === mine) shared = null;
    });
  }
  return shared.response;
}

/** Whatever comes or is changed, the next page asks again. */
function unshare() {
  shared = null;
}

/**
 * @param {string} path
 * @param {{}} [body]
 * @returns {Promise<any>}
 */
export async function post(path, body = {}) {
  unshare();
  const headers = { "Content-Type": "application/json", "X-Wireweight": "1" };
  return (await call(address(path), { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/**
 * @param {string} path
 * @param {Record<string, string | number>} query
 * @param {Blob | string} content
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function send(path, query, content, signal) {
  const headers = { "Content-Type": "application/octet-stream", "X-Wireweight": "1" };
  return (await call(address(path, query), { method: "POST", headers, body: content, signal })).json();
}

/**
 * Some bytes of a kept body, and its size.
 * @param {number} id
 * @param {"request" | "response"} side
 * @param {number} offset
 * @param {number} limit
 */
export async function bodyBytes(id, side, offset, limit) {
  const response = await call(address(`exchanges/${id}/bodies/${side}`, { offset, limit }));
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    size: Number(response.headers.get("X-Size") ?? 0),
  };
}

/**
 * Saves the content of an address as a file.
 * @param {string} url
 * @param {string} name
 */
export function save(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * Saves bytes as a file.
 * @param {Uint8Array} data
 * @param {string} name
 */
export function saveBytes(data, name) {
  const url = URL.createObjectURL(new Blob([/** @type {any} */ (data)]));
  save(url, name);
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * @typedef {object} Listener
 * @property {(rows: import("./types.d.ts").Row[]) => void} rows
 * @property {(overview: import("./types.d.ts").Overview) => void} status
 * @property {() => void} reset
 * @property {(connected: boolean) => void} connection
 */

/**
 * Listens while the page is open. After a lost connection the browser reconnects and sends the last event's number; if it
 * gives up, a new stream starts and everything is read again.
 * @param {Listener} listener
 */
export function listen(listener) {
  let delay = 500;
  let lost = false;
  const begin = () => {
    const source = new EventSource(address("events"));
    source.onopen = () => {
      delay = 500;
      listener.connection(true);
      if (lost) listener.reset();
      lost = false;
    };
    for (const name of ["rows", "status", "reset"]) source.addEventListener(name, unshare);
    source.addEventListener("rows", (event) => listener.rows(JSON.parse(event.data).rows));
    source.addEventListener("status", (event) => listener.status(JSON.parse(event.data)));
    source.addEventListener("reset", () => listener.reset());
    source.onerror = () => {
      listener.connection(false);
      if (source.readyState !== EventSource.CLOSED) return;
      source.close();
      lost = true;
      setTimeout(begin, delay);
      delay = Math.min(delay * 2, 5000);
    };
  };
  begin();
}
