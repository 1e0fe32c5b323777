// A change, signed and coloured: more is worse.
import { h } from "./dom.js";

/**
 * @param {number} by
 * @param {(value: number) => string} text the size of the change, in words
 * @param {...(import("./dom.js").Child)} more what follows it
 */
export function delta(by, text, ...more) {
  if (by === 0) return h("span", { class: "delta same" }, "±0");
  return h("span", { class: `delta ${by > 0 ? "more" : "less"}` }, signed(by, text), ...more);
}

/**
 * @param {number} by
 * @param {(value: number) => string} text
 */
export function signed(by, text) {
  return `${by > 0 ? "+" : "−"}${text(Math.abs(by))}`;
}
