// Menus: below the button that opens one, or where the pointer is.
import { h } from "./dom.js";

/**
 * @typedef {object} Item
 * @property {string} label
 * @property {boolean | null} [on] whether it is chosen; null or nothing for an action
 * @property {boolean} [check] whether several may be chosen
 * @property {string} [key] the key that does the same
 * @property {boolean} [apart] whether a line comes before it
 * @property {() => void} act
 */

/**
 * @param {Item[]} items
 * @param {object} where
 * @param {string} where.label
 * @param {number} where.top
 * @param {number} [where.left] the left edge
 * @param {number} [where.right] the right edge, if it has no left one
 * @param {() => void} where.back moves the focus to where it was
 */
export function openMenu(items, { label, top, left, right, back }) {
  document.querySelector(".menu")?.remove();
  const away = (/** @type {Event} */ outside) => {
    if (!(outside.target instanceof Node) || !element.contains(outside.target)) end(false);
  };
  /** @param {boolean} isBack */
  function end(isBack) {
    element.remove();
    removeEventListener("pointerdown", away, true);
    if (isBack) back();
  }
  const buttons = items.map(({ label: text, on = null, check, key, apart, act }) =>
    h("button", {
      type: "button", role: on === null ? "menuitem" : check ? "menuitemcheckbox" : "menuitemradio",
      "aria-checked": on === null ? null : String(on), class: apart ? "apart" : null, "aria-keyshortcuts": key ?? null,
      click: () => {
        end(true);
        act();
      },
    }, h("span", {}, text), key && h("kbd", { "aria-hidden": "true" }, key)));
  const element = h("div", {
    class: "menu", role: "menu", "aria-label": label,
    keydown: (/** @type {KeyboardEvent} */ event) => {
      const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
      if (event.key === "Escape" || event.key === "Tab") end(true);
      else if (event.key === "ArrowDown") buttons[(at + 1) % buttons.length].focus();
      else if (event.key === "ArrowUp") buttons[(at - 1 + buttons.length) % buttons.length].focus();
      else if (event.key === "Home") buttons[0].focus();
      else if (event.key === "End") buttons[buttons.length - 1].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  }, buttons);
  document.body.append(element);
  // Inside the window, also near its edges.
  const box = element.getBoundingClientRect();
  const x = left === undefined ? (right ?? innerWidth) - box.width : left;
  element.style.setProperty("top", `${Math.max(8, Math.min(top, innerHeight - box.height - 8))}px`);
  element.style.setProperty("left", `${Math.max(8, Math.min(x, innerWidth - box.width - 8))}px`);
  buttons[0]?.focus();
  addEventListener("pointerdown", away, true);
}

/**
 * The menu of the button that was pressed.
 * @param {MouseEvent} event
 * @param {Item[]} items
 */
export function menu(event, items) {
  menuBelow(/** @type {HTMLElement} */ (event.currentTarget), items);
}

/**
 * The menu of a button.
 * @param {HTMLElement} opener
 * @param {Item[]} items
 */
export function menuBelow(opener, items) {
  const name = opener.dataset.control;
  const { bottom, right } = opener.getBoundingClientRect();
  openMenu(items, {
    label: opener.getAttribute("aria-label") ?? opener.textContent ?? "", top: bottom + 6, right,
    // The button may have been drawn again.
    back: () => (opener.isConnected ? opener : /** @type {HTMLElement | null} */ (document.querySelector(`[data-control="${name}"]`)))?.focus(),
  });
}
