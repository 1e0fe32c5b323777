// How often the other calls of an API sent the same header lines.
import { get } from "./api.js";

/**
 * @typedef {object} Repeats
 * @property {number} calls the other calls that were compared
 * @property {boolean} isAll whether these are all that are kept
 * @property {number[]} request by the lines of the request
 * @property {number[]} response
 */

/** @type {{ id: number, found: Promise<Repeats | null> } | null} */
let last = null;

/**
 * The repeats of an exchange; null if they are not known.
 * @param {number} id
 */
export function repeatsOf(id) {
  if (last?.id !== id) last = { id, found: get(`exchanges/${id}/repeats`).catch(() => null) };
  return last.found;
}

/**
 * Lines with their numbers, those first whose repetitions weigh most; equal ones stay in their order.
 * @template {{ bytes: number, again: number | null }} Line
 * @param {Line[]} lines
 */
export function byRepeats(lines) {
  const weight = (/** @type {Line} */ { bytes, again }) => bytes * (again ?? -1);
  return [...lines].sort((one, other) => weight(other) - weight(one));
}
