// The bar of the rows that are chosen: what they add up to, and what can be done with them.
import { copyRows, saveHAR, toggleMarks } from "./actions.js";
import { fill, h, icon, iconButton } from "./dom.js";
import { bytes, duration, exactBytes, number } from "./format.js";
import { noteOf, watchMarks } from "./marks.js";
import { t } from "./messages.js";
import { sumsOf } from "./selection.js";

/**
 * @param {() => import("./selection.js").Selection} selection
 * @param {() => void} clear
 */
export function makeChosen(selection, clear) {
  const sums = h("div", { class: "chosen-sums", role: "status" });
  const buttons = h("div", { class: "chosen-buttons" });
  const element = h("div", { class: "chosen", role: "group", hidden: true }, sums, buttons);

  function draw() {
    const { rows } = selection();
    element.hidden = rows.size === 0;
    element.setAttribute("aria-label", t("chosen"));
    if (rows.size === 0) return fill(sums);
    const all = [...rows.values()];
    const { up, down, total, failures, call, time } = sumsOf(all);
    const isMarked = all.every(({ id }) => noteOf(id) !== undefined);
    fill(sums, h("b", { class: "chosen-count" }, t("chosen.count", { n: number(rows.size) })),
      h("span", { class: "chosen-up", title: exactBytes(up) }, `↑ ${bytes(up)}`),
      h("span", { class: "chosen-down", title: exactBytes(down) }, `↓ ${bytes(down)}`),
      h("b", { class: "chosen-total", title: exactBytes(total) }, t("sums.total", { n: bytes(total) })),
      failures > 0 && h("span", { class: "bad" }, t("chosen.failed", { n: number(failures) })),
      rows.size > 1 && h("span", { class: "wide-only", title: t("sums.call.title") }, t("sums.call", { p50: bytes(call.p50), p95: bytes(call.p95) })),
      rows.size > 1 && h("span", { class: "wide-only", title: t("sums.time.title") }, t("sums.time", { p50: duration(time.p50), p95: duration(time.p95) })));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.chosen : undefined;
    fill(buttons,
      h("button", { type: "button", class: "button", "data-chosen": "har", "aria-label": t("chosen.har"), title: t("chosen.har"), click: () => saveHAR(all) },
        icon("export"), "HAR"),
      h("button", { type: "button", class: "button", "data-chosen": "copy", title: t("chosen.copy"), click: () => void copyRows("markdown", all) },
        icon("copy"), h("span", {}, t("copy.markdown"))),
      h("button", { type: "button", class: "button", "data-chosen": "mark", click: () => void toggleMarks(all) },
        icon("mark"), h("span", {}, t(isMarked ? "mark.remove" : "mark.set"))),
      iconButton("close", t("chosen.clear"), clear, { "data-chosen": "close" }));
    if (focused) /** @type {HTMLElement | null} */ (buttons.querySelector(`[data-chosen="${focused}"]`))?.focus();
  }
  watchMarks(draw);
  return { element, draw };
}
