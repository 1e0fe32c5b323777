// The list below the filter: filters that were used, keys, and values; chosen with the arrow keys, Tab and Enter.
import { filterHistory, forgetFilters, suggestionsFor } from "./completion.js";
import { fill, h } from "./dom.js";
import { t } from "./messages.js";

/**
 * @param {HTMLInputElement} input
 * @param {object} actions
 * @param {() => Promise<Partial<Record<string, string[]>>>} actions.known values by keys, as the traffic has them
 * @param {() => void} actions.use applies what the input has
 */
export function makeSuggest(input, { known, use }) {
  const list = h("ul", { class: "suggestions", id: "suggestions", role: "listbox", hidden: true });
  /** @type {{ text: string, caret: number, label: string, key: string | null, isWhole: boolean, isOld?: boolean }[]} */
  let items = [];
  let active = -1;
  /** @type {Partial<Record<string, string[]>>} */
  let values = {};
  let wanted = 0;

  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");

  function close() {
    wanted += 1;
    items = [];
    active = -1;
    draw();
  }

  function draw() {
    list.hidden = items.length === 0;
    list.setAttribute("aria-label", t("filter.suggestions"));
    input.setAttribute("aria-expanded", String(items.length > 0));
    if (active >= 0) input.setAttribute("aria-activedescendant", `suggestion-${active}`);
    else input.removeAttribute("aria-activedescendant");
    fill(list, items.map((item, index) => h("li", {
      role: "option", id: `suggestion-${index}`, "aria-selected": String(index === active), class: item.isOld ? "old" : null,
      // The focus stays in the input.
      mousedown: (/** @type {Event} */ event) => event.preventDefault(),
      click: () => take(index),
    }, h("b", {}, item.label), item.key && h("span", {}, t(`filter.key.${item.key}`)))),
    items.some((item) => item.isOld) && h("li", { role: "presentation" }, h("button", {
      type: "button", class: "link", tabindex: -1, mousedown: (/** @type {Event} */ event) => event.preventDefault(),
      click: () => {
        forgetFilters();
        close();
      },
    }, t("filter.forget"))));
    if (active >= 0) list.children[active].scrollIntoView({ block: "nearest" });
  }

  function look() {
    const old = filterHistory().filter((text) => text !== input.value);
    items = input.value === ""
      ? [...old.slice(0, 6).map((text) => ({ text, caret: text.length, label: text, key: null, isWhole: true, isOld: true })),
        ...suggestionsFor("", 0, values)]
      : suggestionsFor(input.value, input.selectionStart ?? input.value.length, values);
    active = -1;
    draw();
  }

  async function open() {
    const mine = ++wanted;
    look();
    const now = await known();
    // What is being chosen stays.
    if (now === values || mine !== wanted || active >= 0 || document.activeElement !== input) return;
    values = now;
    look();
  }

  /** @param {number} index */
  function take(index) {
    const item = items[index];
    input.value = item.text;
    input.setSelectionRange(item.caret, item.caret);
    close();
    input.focus();
    if (item.isWhole) use();
    else void open();
  }

  input.addEventListener("input", () => void open());
  input.addEventListener("click", () => void open());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (items.length === 0) void open();
      else {
        // Before the first and after the last is the input itself.
        active = ((active + 1 + (key === "ArrowDown" ? 1 : -1) + items.length + 1) % (items.length + 1)) - 1;
        draw();
      }
    } else if (key === "Tab" && active >= 0 || key === "Enter" && active >= 0) take(active);
    else if (key === "Escape" && items.length > 0) close();
    else {
      if (key === "Enter") close();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  });

  return { element: list, close };
}
