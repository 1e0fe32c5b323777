// The help: the keys and the marks.
import { fill, h } from "./dom.js";
import { t } from "./messages.js";
import { legend } from "./sizes.js";

const keys = [
  ["↑ ↓", "help.move"], ["Home End", "help.ends"], ["PgUp PgDn", "help.pages"], ["Enter", "help.open"],
  ["Space", "help.choose"], ["Shift ↑↓", "help.extend"], ["Ctrl A", "chosen.all"], ["M", "mark.set"], ["N", "mark.note"], ["C", "detail.curl"],
  ["Shift F10", "help.menu"], ["Ctrl K", "palette"], ["Shift ←→", "help.width"], ["Ctrl Shift ←→", "help.order"], ["/", "help.search"],
  ["Esc", "help.close"], ["1–8", "help.numbers"], ["?", "help.help"],
];

/** @param {HTMLDialogElement} dialog */
export function showHelp(dialog) {
  const close = h("button", { type: "button", class: "button", click: () => dialog.close() }, t("close"));
  fill(dialog, h("h2", { id: "dialog-title" }, t("help.title")),
    h("h3", {}, t("help.keys")),
    h("dl", { class: "keys" }, keys.map(([key, words]) =>
      h("div", {}, h("dt", {}, key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, t(words))))),
    h("h3", {}, t("help.parts")), legend(),
    h("h3", {}, t("help.evidence")),
    h("ul", { class: "evidence-list" }, ["captured", "reported", "reconstructed", "unknown"].map((name) =>
      h("li", {}, h("span", { class: `mark e-${name}`, "aria-hidden": "true" }), t(`evidence.${name}`)))),
    h("div", { class: "dialog-buttons" }, close));
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.showModal();
  close.focus();
}
