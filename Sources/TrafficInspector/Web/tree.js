// JSON as a tree that is built as it is opened, so that closed parts cost nothing.
import { h } from "./dom.js";
import { number } from "./format.js";
import { t } from "./messages.js";
import { finder, mostFound } from "./texts.js";

const step = 100;

/** A number with more digits than JavaScript's numbers hold, as it was written. */
class LongNumber {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
  }
}

/**
 * @param {string} text
 * @returns {unknown}
 */
export function parse(text) {
  // The reviver is slow, so it is used only if a number may need it.
  if (!/\d{16}|\d[eE][+-]?\d{3}/.test(text)) return JSON.parse(text);
  /** @type {(this: any, key: string, value: any, context?: { source?: string }) => any} */
  const reviver = (_, value, context) => {
    if (typeof value !== "number" || context?.source === undefined) return value;
    return String(value) === context.source ? value : new LongNumber(context.source);
  };
  return JSON.parse(text, reviver);
}

/** @param {unknown} value */
function leaf(value) {
  if (value === null) return h("span", { class: "j-null" }, "null");
  if (value instanceof LongNumber) return h("span", { class: "j-number" }, value.source);
  if (typeof value === "string") {
    const short = value.length > 2000 ? `${value.slice(0, 2000)}…` : value;
    return h("span", { class: "j-string" }, JSON.stringify(short));
  }
  return h("span", { class: `j-${typeof value}` }, String(value));
}

/**
 * The members of an object or an array: own ones only, so that a member named `__proto__` is like any other.
 * @param {object} value
 * @returns {[string, unknown][]}
 */
function members(value) {
  return Object.keys(value).map((key) => [key, Object.getOwnPropertyDescriptor(value, key)?.value]);
}

/** How a child of a node is opened, by its place. @type {WeakMap<HTMLElement, (at: number) => HTMLElement>} */
const ways = new WeakMap();

/**
 * @param {string | null} key
 * @param {unknown} value
 * @param {boolean} index
 * @param {number} depth
 * @returns {HTMLElement}
 */
function node(key, value, index, depth) {
  const name = key === null ? null : h("span", { class: index ? "j-index" : "j-key" }, index ? key : JSON.stringify(key));
  const label = name ? [name, ": "] : [];
  if (value === null || typeof value !== "object" || value instanceof LongNumber) {
    return h("li", { role: "treeitem", class: "j-leaf" }, ...label, leaf(value));
  }
  const entries = Array.isArray(value) ? null : members(value);
  const count = entries ? entries.length : /** @type {unknown[]} */ (value).length;
  const group = h("ul", { role: "group", hidden: true });
  /** @type {HTMLElement[]} */
  const children = [];
  /** The button for those that are not there yet. @type {HTMLElement | undefined} */
  let rest;
  /** @param {number} least how many to have at least */
  function more(least) {
    rest?.remove();
    const end = Math.min(count, Math.max(least, children.length + step));
    while (children.length < end) {
      const at = children.length;
      const [name, child] = entries ? entries[at] : [String(at), /** @type {unknown[]} */ (value)[at]];
      children.push(node(name, child, !entries, depth + 1));
    }
    rest = children.length < count
      ? h("li", { role: "none" }, h("button", { type: "button", class: "link", click: () => more(0) }, t("tree.more", { n: number(count - children.length) })))
      : undefined;
    group.append(...children.slice(group.childElementCount), ...(rest ? [rest] : []));
  }
  const toggle = h("button", {
    type: "button", class: "j-toggle", click: () => open(group.hidden === true),
  }, ...label, h("span", { class: "j-sum" }, entries ? "{" : "[", h("small", {}, count === 1 ? t("tree.item") : t("tree.items", { n: number(count) })),
    entries ? "}" : "]"));
  const item = h("li", { role: "treeitem", "aria-expanded": "false" }, toggle, group);
  /** @param {boolean} on */
  function open(on) {
    if (on && children.length === 0) more(0);
    group.hidden = !on;
    item.setAttribute("aria-expanded", String(on));
  }
  ways.set(item, (at) => {
    open(true);
    if (at >= children.length) more(at + 1);
    return children[at];
  });
  if (depth === 0 || (depth === 1 && count <= 20)) open(true);
  return item;
}

/** @param {unknown} value */
export function tree(value) {
  return h("ul", { class: "tree", role: "tree", "aria-label": t("tree.label") }, node(null, value, false, 0));
}

/** A value in another one: its place there. @typedef {{ value: unknown, key: string, at: number, parent: Found | null }} Found */

/**
 * Where a word is in a value, in its keys and leaves, in upper or lower case.
 * @param {unknown} value
 * @param {string} word
 */
export function placesIn(value, word) {
  /** @type {Found[]} */
  const found = [];
  const wanted = word.toLowerCase();
  /** @type {Found[]} */
  const waiting = [{ value, key: "", at: 0, parent: null }];
  for (let one = waiting.pop(); one && found.length < mostFound; one = waiting.pop()) {
    const { value: here, key } = one;
    const isLeaf = here === null || typeof here !== "object" || here instanceof LongNumber;
    const text = here instanceof LongNumber ? here.source : isLeaf ? String(here) : "";
    if (key.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted)) found.push(one);
    if (isLeaf) continue;
    const inside = Array.isArray(here) ? here.map((child) => /** @type {[string, unknown]} */ (["", child])) : members(here);
    // The last is taken first.
    for (let at = inside.length - 1; at >= 0; at -= 1) waiting.push({ key: inside[at][0], value: inside[at][1], at, parent: one });
  }
  return found;
}

/** The most levels that are opened for a place. */
const mostLevels = 200;

/**
 * The way to a place from the whole, as far as it is opened.
 * @param {Found} found
 */
export function wayTo(found) {
  /** @type {number[]} */
  const way = [];
  for (let one = found; one.parent; one = one.parent) way.push(one.at);
  return way.reverse().slice(0, mostLevels);
}

/**
 * A tree with a field that searches it, and a button that copies its text.
 * @param {unknown} value
 * @param {() => void} copy
 */
export function searchableTree(value, copy) {
  const element = tree(value);
  /** @type {HTMLElement | undefined} */
  let marked;
  return h("div", { class: "searchable" }, finder({
    find: (word) => placesIn(value, word), copy,
    show(place) {
      marked?.classList.remove("j-found");
      marked = undefined;
      if (!place) return;
      let item = /** @type {HTMLElement} */ (element.firstElementChild);
      for (const at of wayTo(place)) item = ways.get(item)?.(at) ?? item;
      marked = item;
      item.classList.add("j-found");
      item.scrollIntoView({ block: "nearest" });
    },
  }), element);
}
