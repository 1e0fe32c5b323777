// What the palette offers: every page and action, under the names that they have elsewhere on the page.
import { rowItems } from "./actions.js";
import { filterHistory } from "./completion.js";
import { markCount } from "./marks.js";
import { t } from "./messages.js";
import { filter, filterNames, go, pages, place } from "./place.js";

/** @typedef {import("./palette.js").Command} Command */

/**
 * What can be pressed or chosen within the elements of a selector, under the names that it has there.
 * @param {string} selector
 * @param {string} group
 * @returns {Command[]}
 */
function controlsIn(selector, group) {
  const find = () => [...document.querySelectorAll(`${selector} button:enabled, ${selector} select:enabled`)]
    .filter((control) => /** @type {HTMLElement} */ (control).offsetParent !== null);
  const nameOf = (/** @type {Element} */ control) => (control.getAttribute("aria-label") ?? control.textContent ?? "").trim();
  return find().flatMap((control) => {
    if (control instanceof HTMLSelectElement) {
      const name = (control.getAttribute("aria-label") ?? control.labels[0]?.firstChild?.textContent ?? "").trim();
      return [...control.options].filter((option) => !option.disabled).map(({ text, value }) => ({
        group: name || group, label: text, act: () => {
          control.value = value;
          control.dispatchEvent(new Event("change"));
        },
      }));
    }
    const name = nameOf(control);
    // It may have been drawn again since.
    return name ? [{ group, label: name, act: () => /** @type {HTMLElement | undefined} */ (find().find((one) => nameOf(one) === name))?.click() }] : [];
  });
}

/**
 * @param {object} app
 * @param {() => import("./types.d.ts").Row[]} app.subjects the rows that are chosen
 * @param {{ open: () => void, note: () => void, file: string }} app.list
 * @param {(name: string) => void} app.press presses the control of that name
 * @param {() => import("./menus.js").Item[]} app.exportItems
 * @param {() => import("./menus.js").Item[]} app.themeItems
 * @param {() => import("./menus.js").Item[]} app.columnItems
 * @param {(name: string) => boolean} app.has whether there is a control of that name, and it can be pressed
 * @param {() => void} app.search
 * @param {() => void} app.chooseAll
 * @returns {Command[]}
 */
export function allCommands({ subjects, list, press, exportItems, themeItems, columnItems, has, search, chooseAll }) {
  const rows = place().page === "list" ? subjects() : [];
  const { filters } = place();
  /** @type {Command[]} */
  const commands = pages.map((page, index) => ({
    group: t("nav"), label: t(`page.${page}`), key: String(index + 1), act: () => go({ page, id: null }),
  }));
  /**
   * @param {string} group
   * @param {import("./menus.js").Item[]} items
   */
  function add(group, items) {
    for (const { label, key, act } of items) commands.push({ group, label, key, act });
  }
  add(rows.length > 1 ? t("chosen.count", { n: rows.length }) : t("palette.request"), rows.length > 0 ? rowItems(rows, list) : []);
  if (place().id !== null) {
    add(t("palette.request"), ["overview", "heads", "body"].map((tab) => ({ label: t(`tab.${tab}`), act: () => go({ tab }, true) })));
    add(t("palette.request"), ["previous", "next", "pair", "close"].filter(has).map((name) => ({
      label: t(name === "pair" ? "pair.with" : `detail.${name}`), key: name === "close" ? "Esc" : undefined, act: () => press(name),
    })));
    commands.push(...controlsIn(".heads-bar", t("tab.heads")), ...controlsIn(".body-bar", t("tab.body")));
  }
  add(t("filter.text"), [
    { label: t("filter.search"), key: "/", act: search },
    ...["2xx", "3xx", "4xx", "5xx", "none"].map((status) => ({
      label: t("only", { what: status === "none" ? t("filter.status.none") : status }), act: () => filter({ status }, { page: "list" }),
    })),
    { label: t("filter.failed.long"), act: () => filter({ failed: "1" }, { page: "list" }) },
    ...(markCount() > 0 ? [{ label: t("filter.marked.long"), act: () => filter({ marked: "1" }, { page: "list" }) }] : []),
    ...(Object.keys(filters).length > 0
      ? [{ label: t("filter.clear"), act: () => filter(Object.fromEntries(filterNames.map((name) => [name, ""]))) }] : []),
    ...filterHistory().map((text) => ({ label: text, act: () => filter({ text }, { page: "list" }) })),
  ]);
  if (place().page === "list") {
    add(t("page.list"), [
      ...["follow", "hold", "dense"].filter(has).map((name) => ({ label: t(`list.${name}`), act: () => press(name) })),
      { label: t("chosen.all"), key: "Ctrl A", act: chooseAll },
    ]);
    add(t("list.columns"), columnItems());
    add(t("palette.sort"), ["start", "duration", "up", "down", "status", "method", "host", "path", "type"].map((sort) => ({
      label: t(`column.${sort === "start" ? "waterfall" : sort}`), act: () => go({ sort: /^(start|duration|up|down)$/.test(sort) ? `-${sort}` : sort }),
    })));
  }
  if (place().page !== "list") {
    commands.push(...controlsIn("main .page-head", t(`page.${place().page}`)), ...controlsIn("main thead", t("palette.sort")));
  }
  commands.push(...controlsIn("#banner", t("palette.page")));
  add(t("control.export"), exportItems());
  add(t("control.theme"), themeItems());
  add(t("palette.page"), ["files", "pause", "resume", "clear", "language", "help"].filter(has).map((name) => ({
    label: name === "files" ? t("files.title") : t(`control.${name}`), key: name === "help" ? "?" : undefined, act: () => press(name),
  })));
  return commands;
}
