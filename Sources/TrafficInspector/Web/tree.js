// JSON as a tree that is built as it is opened, so that closed parts cost nothing.
import { h } from "./dom.js";
import { number } from "./format.js";
import { t } from "./messages.js";

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
  let filled = 0;
  function more() {
    const end = Math.min(count, filled + step);
    for (; filled < end; filled += 1) {
      const [name, child] = entries ? entries[filled] : [String(filled), /** @type {unknown[]} */ (value)[filled]];
      group.append(node(name, child, !entries, depth + 1));
    }
    if (filled < count) {
      const button = h("button", {
        type: "button", class: "link", click: () => {
          button.parentElement?.remove();
          more();
        },
      }, t("tree.more", { n: number(count - filled) }));
      group.append(h("li", { role: "none" }, button));
    }
  }
  const toggle = h("button", {
    type: "button", class: "j-toggle", click: () => open(group.hidden === true),
  }, ...label, h("span", { class: "j-sum" }, entries ? "{" : "[", h("small", {}, count === 1 ? t("tree.item") : t("tree.items", { n: number(count) })),
    entries ? "}" : "]"));
  const item = h("li", { role: "treeitem", "aria-expanded": "false" }, toggle, group);
  /** @param {boolean} on */
  function open(on) {
    if (on && filled === 0) more();
    group.hidden = !on;
    item.setAttribute("aria-expanded", String(on));
  }
  if (depth === 0 || (depth === 1 && count <= 20)) open(true);
  return item;
}

/** @param {unknown} value */
export function tree(value) {
  return h("ul", { class: "tree", role: "tree", "aria-label": t("tree.label") }, node(null, value, false, 0));
}
