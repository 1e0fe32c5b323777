// A filter that the server refused, marked at the character that is wrong.
import { APIError } from "./api.js";
import { h } from "./dom.js";

/**
 * The text around a place, in three pieces; the place counts characters from 1, as the server does.
 * @param {string} text
 * @param {number} place
 */
export function around(text, place) {
  const letters = [...text];
  const at = Math.min(letters.length, place - 1);
  const begin = Math.max(0, at - 40);
  return {
    before: (begin > 0 ? "…" : "") + letters.slice(begin, at).join(""),
    at: letters[at] ?? " ",
    after: letters.slice(at + 1, at + 41).join("") + (letters.length > at + 41 ? "…" : ""),
  };
}

/**
 * The mistake with its place; null if the error is not about a place in the filter.
 * @param {unknown} error
 * @param {string | undefined} text
 */
export function mistake(error, text) {
  if (!(error instanceof APIError) || error.place === null || !text) return null;
  const { before, at, after } = around(text, error.place);
  return h("div", { class: "mistake" }, h("code", { "aria-hidden": "true" }, before, h("mark", {}, at), after), h("p", {}, error.message));
}
