// The line between the list and the details: dragged, or moved by the arrow keys, and remembered.
import { h } from "./dom.js";
import { t } from "./messages.js";

const kept = "wireweight.detail";
const [least, usual, most] = [25, 46, 75];

/** @param {number} share percent of the width */
const within = (share) => Math.min(most, Math.max(least, Math.round(share)));

export function makeDivider() {
  const element = h("div", { class: "divider", role: "separator", tabindex: 0, "aria-orientation": "vertical",
    "aria-valuemin": least, "aria-valuemax": most, "aria-controls": "detail" });
  let share = within(Number(localStorage.getItem(kept)) || usual);
  let dragged = false;

  /** @param {number} next */
  function set(next) {
    share = within(next);
    element.setAttribute("aria-valuenow", String(share));
    element.parentElement?.style.setProperty("--detail", `${share}%`);
  }

  function keep() {
    localStorage.setItem(kept, String(share));
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    dragged = true;
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    const box = element.parentElement?.getBoundingClientRect();
    if (dragged && box) set(((box.right - event.clientX) / Math.max(1, box.width)) * 100);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    element.addEventListener(end, () => {
      if (dragged) keep();
      dragged = false;
    });
  }
  element.addEventListener("dblclick", () => {
    set(usual);
    keep();
  });
  element.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowLeft" ? 2 : event.key === "ArrowRight" ? -2 : 0;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    set(share + by);
    keep();
  });

  return {
    element,
    show() {
      element.setAttribute("aria-label", t("detail.divider"));
      set(share);
    },
  };
}
