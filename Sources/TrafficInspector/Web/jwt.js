// JSON Web Tokens in a text: what they say. Whether their signatures are good is not checked.
import { h } from "./dom.js";
import { clock } from "./format.js";
import { t } from "./messages.js";
import { parse, tree } from "./tree.js";

/** @typedef {{ token: string, header: string, claims: string }} Token */

/** Two of the three parts of a token begin as a JSON object does. */
const compact = /(?<![\w-])eyJ[\w-]+\.(?:eyJ[\w-]+|e30)\.[\w-]*/g;
const most = 20;
/** The most that are looked at: what only looks like a token costs time, too. */
const mostTried = 200;

/**
 * The text of a part (base64url without padding, RFC 7515, section 2); null if it is no JSON object.
 * @param {string} part
 */
function decoded(part) {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? text : null;
  } catch {
    return null;
  }
}

/**
 * The tokens of a text (RFC 7519) with their headers and claims, each once, in order.
 * @param {string} text
 * @returns {Token[]}
 */
export function tokensIn(text) {
  /** @type {Map<string, Token>} */
  const found = new Map();
  let tried = 0;
  for (const [token] of text.matchAll(compact)) {
    if (found.has(token)) continue;
    tried += 1;
    const [header, claims] = token.split(".", 2).map(decoded);
    if (header !== null && claims !== null) found.set(token, { token, header, claims });
    if (found.size === most || tried === mostTried) break;
  }
  return [...found.values()];
}

/**
 * The times among the claims (RFC 7519, section 4.1) in ms since 1970, by their names.
 * @param {string} claims
 * @returns {{ name: "iat" | "nbf" | "exp", time: number }[]}
 */
export function timesOf(claims) {
  const values = JSON.parse(claims);
  return /** @type {const} */ (["iat", "nbf", "exp"]).flatMap((name) => {
    const time = Object.hasOwn(values, name) ? values[name] * 1000 : NaN;
    return typeof values[name] === "number" && Math.abs(time) < 8.64e15 ? [{ name, time }] : [];
  });
}

/**
 * @param {Token[]} tokens
 * @param {number} sent when the exchange began, in ms since 1970
 */
export function showTokens(tokens, sent) {
  return h("div", { class: "pieces tokens" }, tokens.map(({ token, header, claims }) => {
    const times = timesOf(claims);
    const isExpired = times.some(({ name, time }) => name === "exp" && time < sent);
    return h("section", {}, h("h3", {}, token.length > 40 ? `${token.slice(0, 24)}…${token.slice(-12)}` : token),
      times.length > 0 && h("dl", { class: "facts" }, times.map(({ name, time }) =>
        h("div", {}, h("dt", {}, t(`jwt.${name}`)), h("dd", {}, clock(time))))),
      isExpired && h("p", { class: "warning" }, t("jwt.expired")),
      tree(parse(header)), tree(parse(claims)));
  }), h("p", { class: "quiet" }, t("jwt.unchecked")));
}
