// The palette: every action and page by a few letters of its name.
import { fill, h } from "./dom.js";
import { t } from "./messages.js";

/**
 * @typedef {object} Command
 * @property {string} group
 * @property {string} label
 * @property {string} [key] the key that does the same
 * @property {() => void} act
 */

const letter = /[\p{L}\p{N}]/u;

/**
 * How well a name has the letters of a query in their order; lower is better, null if it has them not.
 * @param {string} name
 * @param {string} query
 */
export function distance(name, query) {
  const text = name.toLowerCase();
  let sum = 0;
  for (const word of query.toLowerCase().split(/\s+/).filter((one) => one !== "")) {
    const at = text.indexOf(word);
    if (at >= 0) {
      // A word of the name is best, then the start of one.
      sum += (at === 0 ? 0 : letter.test(text[at - 1]) ? 4 : 1) + (letter.test(text[at + word.length] ?? "") ? 1 : 0);
      continue;
    }
    let from = 0;
    let gaps = 0;
    for (const one of word) {
      const next = text.indexOf(one, from);
      if (next < 0) return null;
      gaps += next - from;
      from = next + 1;
    }
    sum += 10 + gaps;
  }
  return sum;
}

/**
 * The commands that a query means, the best first, equal ones in their order.
 * @param {Command[]} commands
 * @param {string} query
 */
export function commandsFor(commands, query) {
  return commands.map((command) => ({ command, by: distance(`${command.label} ${command.group}`, query) }))
    .filter(({ by }) => by !== null)
    .sort((one, other) => Number(one.by) - Number(other.by)).map(({ command }) => command);
}

/** @param {() => Command[]} all what can be done now */
export function makePalette(all) {
  /** @type {Command[]} */
  let known = [];
  /** @type {Command[]} */
  let found = [];
  let active = 0;
  const input = h("input", {
    type: "text", class: "palette-input", id: "palette-input", role: "combobox", autocomplete: "off", spellcheck: "false", maxlength: 200,
    "aria-autocomplete": "list", "aria-expanded": "true", "aria-controls": "palette-list",
    input: () => {
      active = 0;
      draw();
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.isComposing) return;
      const count = found.length;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") active = count ? (active + (event.key === "ArrowDown" ? 1 : -1) + count) % count : 0;
      else if (event.key === "PageDown" || event.key === "PageUp") active = Math.max(0, Math.min(count - 1, active + (event.key === "PageDown" ? 8 : -8)));
      else if (event.key === "Enter") {
        event.preventDefault();
        return run(active);
      } else return;
      event.preventDefault();
      draw();
    },
  });
  const list = h("ul", { class: "palette-list", id: "palette-list", role: "listbox" });
  const count = h("p", { class: "palette-none quiet", role: "status" });
  const element = h("dialog", { class: "palette", id: "palette" }, input, list, count);
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);

  /** @param {number} index */
  function run(index) {
    const command = found[index];
    if (!command) return;
    element.close();
    command.act();
  }

  function draw() {
    found = commandsFor(known, input.value);
    fill(list, found.map((command, index) => h("li", {
      role: "option", id: `command-${index}`, "aria-selected": String(index === active), click: () => run(index),
    }, h("span", { class: "palette-group" }, command.group), h("span", { class: "palette-label" }, command.label),
      command.key && h("kbd", { "aria-hidden": "true" }, command.key))));
    fill(count, found.length === 0 && t("palette.none"));
    if (found.length > 0) {
      input.setAttribute("aria-activedescendant", `command-${active}`);
      list.children[active].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }

  return {
    element,
    open() {
      if (element.open) return element.close();
      known = all();
      active = 0;
      input.value = "";
      input.placeholder = t("palette.search");
      input.setAttribute("aria-label", t("palette.search"));
      list.setAttribute("aria-label", t("palette"));
      element.setAttribute("aria-label", t("palette"));
      element.showModal();
      draw();
      input.focus();
    },
  };
}
