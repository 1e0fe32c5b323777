// The marks and notes on exchanges; the server keeps them beside the store.
import { get, post } from "./api.js";
import { say } from "./dom.js";
import { number } from "./format.js";
import { t } from "./messages.js";

/** Notes by the numbers of their exchanges. @type {Map<number, string>} */
let notes = new Map();
/** @type {Set<() => void>} */
const watchers = new Set();
// At 0 there is none to read.
let revision = 0;

/** @param {{ marks: { exchange: number, note: string }[] }} answer */
function take({ marks }) {
  notes = new Map(marks.map(({ exchange, note }) => [exchange, note]));
  for (const watcher of watchers) watcher();
}

/** @param {() => void} watcher is called when marks have changed */
export function watchMarks(watcher) {
  watchers.add(watcher);
}

/**
 * The note of an exchange: empty for a mark without one, undefined without a mark.
 * @param {number} id
 */
export function noteOf(id) {
  return notes.get(id);
}

/** How many exchanges are marked. */
export function markCount() {
  return notes.size;
}

/**
 * Reads the marks if they have changed.
 * @param {number} now the number that changes with them
 */
export async function refreshMarks(now) {
  if (now === revision) return;
  revision = now;
  try {
    take(await get("marks"));
  } catch {
    // Without marks the list is as useful as before.
    revision = -1;
  }
}

/**
 * Marks exchanges, or removes their marks.
 * @param {number[]} exchanges
 * @param {boolean} marked
 * @param {string} [note] nothing keeps the notes that are there
 */
export async function setMarks(exchanges, marked, note) {
  if (exchanges.length === 0) return;
  try {
    take(await post("marks", { exchanges, marked, ...(note === undefined ? {} : { note }) }));
    if (note !== undefined) say(t("mark.note.kept"));
    else say(t(marked ? "mark.done" : "mark.removed", { n: number(exchanges.length) }));
  } catch (error) {
    say(`${t("error.title")}: ${/** @type {Error} */ (error).message}`);
  }
}
