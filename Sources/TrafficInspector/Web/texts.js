// A text that may be long: shown a page at a time, searched, copied.
import { fill, h, iconButton } from "./dom.js";
import { number } from "./format.js";
import { t } from "./messages.js";

export const textPage = 64 * 1024;

/**
 * Pages of something that is too long to show at once.
 * @param {number} size
 * @param {number} pageSize
 * @param {(from: number, to: number) => Promise<string> | string} show
 */
export function paged(size, pageSize, show) {
  const pre = h("pre", { class: "raw", tabindex: 0 });
  const bar = h("div", { class: "pager" });
  let from = 0;
  async function turn(/** @type {number} */ to) {
    const last = Math.max(0, Math.floor((size - 1) / pageSize) * pageSize);
    from = Math.max(0, Math.min(to, last));
    const end = Math.min(size, from + pageSize);
    fill(bar,
      iconButton("previous", t("body.page.previous"), () => void turn(from - pageSize), { disabled: from === 0 }),
      h("span", { role: "status" }, t("body.range", { from: number(from + 1), to: number(end), n: number(size) })),
      iconButton("next", t("body.page.next"), () => void turn(from + pageSize), { disabled: end >= size }),
      h("button", { type: "button", class: "link", click: () => void turn(0), disabled: from === 0 }, t("body.page.first")),
      h("button", { type: "button", class: "link", click: () => void turn(last), disabled: end >= size },
        t("body.page.last")));
    const at = from;
    const page = await show(from, end);
    if (at === from) pre.textContent = page;
    pre.scrollTop = 0;
  }
  void turn(0);
  return {
    element: size > pageSize ? h("div", { class: "paged" }, bar, pre) : pre,
    pre,
    /** Shows the page of that place; returns where the page begins. */
    async turnTo(/** @type {number} */ place) {
      const begin = Math.floor(place / pageSize) * pageSize;
      if (begin !== from) await turn(begin);
      return begin;
    },
  };
}

/** The most places that are counted. */
export const mostFound = 10_000;

/**
 * Where a word is in a text, in upper or lower case.
 * @param {string} text
 * @param {string} word
 */
export function places(text, word) {
  /** @type {{ from: number, to: number }[]} */
  const found = [];
  if (word === "") return found;
  const pattern = new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  for (const match of text.matchAll(pattern)) {
    found.push({ from: match.index, to: match.index + match[0].length });
    if (found.length === mostFound) break;
  }
  return found;
}

/**
 * Bytes as hexadecimal digits and as letters.
 * @param {Uint8Array} data
 * @param {number} offset of the first one
 */
export function hex(data, offset) {
  const lines = [];
  for (let at = 0; at < data.length; at += 16) {
    const line = data.subarray(at, at + 16);
    const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, "0"));
    const letters = Array.from(line, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    const left = digits.slice(0, 8).join(" ").padEnd(23);
    const right = digits.slice(8).join(" ").padEnd(23);
    lines.push(`${(offset + at).toString(16).padStart(8, "0")}  ${left}  ${right}  ${letters}`);
  }
  return lines.join("\n");
}

/**
 * A field that searches something, and a button that copies it.
 * @template Place
 * @param {object} of
 * @param {(word: string) => Place[]} of.find
 * @param {(place: Place | undefined) => void | Promise<void>} of.show shows the place, or that there is none
 * @param {() => void} of.copy
 */
export function finder({ find, show, copy }) {
  const count = h("span", { role: "status", class: "found-places" });
  /** @type {Place[]} */
  let found = [];
  let current = 0;

  function draw() {
    const place = found[current];
    const most = found.length === mostFound ? "+" : "";
    count.textContent = input.value === "" ? "" : t("body.found", { at: number(place ? current + 1 : 0), n: number(found.length) + most });
    input.setAttribute("aria-invalid", String(input.value !== "" && !place));
    for (const button of buttons) button.disabled = found.length < 2;
    void show(place);
  }
  const step = (/** @type {number} */ by) => {
    if (found.length > 0) current = (current + by + found.length) % found.length;
    draw();
  };
  const input = h("input", {
    type: "search", class: "search search-body", autocomplete: "off", spellcheck: "false", maxlength: 200,
    placeholder: t("body.find"), "aria-label": t("body.find"),
    input: () => {
      found = input.value === "" ? [] : find(input.value);
      current = 0;
      draw();
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    },
  });
  const buttons = [
    iconButton("previous", t("body.find.previous"), () => step(-1), { disabled: true }),
    iconButton("next", t("body.find.next"), () => step(1), { disabled: true }),
  ];
  return h("div", { class: "finder" }, input, ...buttons, count,
    h("button", { type: "button", class: "link", click: copy }, t("body.copy")));
}

/**
 * A text with a field that searches all of it, and a button that copies all of it.
 * @param {string} text
 * @param {(text: string) => void} copy
 */
export function searchable(text, copy) {
  const { element, pre, turnTo } = paged(text.length, textPage, (from, to) => text.slice(from, to));
  /** The place that is shown. @type {ReturnType<typeof places>[number] | undefined} */
  let shown;

  async function show(/** @type {typeof shown} */ place) {
    shown = place;
    const begin = await turnTo(place ? place.from : 0);
    if (place !== shown) return;
    if (!place) {
      pre.textContent = text.slice(begin, begin + textPage);
      return;
    }
    const end = begin + textPage;
    const mark = h("mark", {}, text.slice(place.from, place.to));
    fill(pre, text.slice(begin, place.from), mark, text.slice(place.to, Math.max(end, place.to)));
    mark.scrollIntoView({ block: "nearest" });
  }
  return h("div", { class: "searchable" }, finder({ find: (word) => places(text, word), show, copy: () => copy(text) }), element);
}
