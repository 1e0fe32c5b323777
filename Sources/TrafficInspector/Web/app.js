// The page as a whole: its header, its pages, its keys, and the events of the stream.
import { address, APIError, get, listen, post, save, send, shownFile } from "./api.js";
import { rowItems, toggleMarks, copyRow } from "./actions.js";
import { makeChosen } from "./chosen.js";
import { optionalColumns } from "./columns.js";
import { allCommands } from "./commands.js";
import { makeDetail } from "./detail.js";
import { setDirections } from "./directions.js";
import { makeDivider } from "./divider.js";
import { byId, command, fill, h, icon, iconButton, refill, say } from "./dom.js";
import { fileName, makeFileTaker, openFile, otherFiles } from "./files.js";
import { makeFilters, makePageChips } from "./filters.js";
import { number } from "./format.js";
import { showHelp } from "./help.js";
import { makeLimits } from "./limits.js";
import { makeList } from "./list.js";
import { refreshMarks } from "./marks.js";
import { menu, menuBelow, openMenu } from "./menus.js";
import { learn, locale, preferred, speak, spoken, t } from "./messages.js";
import { go, hashOf, pages, place, watch } from "./place.js";
import { makePalette } from "./palette.js";
import { makeSums } from "./sums.js";
import { makeStrip } from "./timeline.js";

/** @type {import("./types.d.ts").Overview | null} */
let overview = null;
let connected = false;
/** Whether the server has been silent for so long that it has probably ended. */
let ended = false;
/** @type {number | undefined} */
let ending;
const patience = 10_000;
const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
const main = byId("main");
// Made once, so that it stays after the inspector has ended.
const logo = h("img", { src: "/icon.svg", alt: "", width: 22, height: 22 });
const headerParts = {
  brand: h("div", { class: "brand" }), live: h("div", { role: "status" }), counts: h("div", { class: "counts" }),
  controls: h("div", { class: "controls" }),
};

const taker = makeFileTaker(dialog, (id) => {
  // On the page of comparisons, a file is the earlier one.
  if (place().page === "compare") go({ comparison: { before: id } });
  else openFile(id, "#/overview");
});
const list = makeList({
  open: (id) => go({ id }, place().id !== null), nothing, chosen: () => chosen.draw(),
  context(left, top) {
    const rows = list.subjects;
    if (rows.length > 0) openMenu(rowItems(rows, subject()), { label: t("palette.request"), left, top, back: list.focus });
  },
});
const chosen = makeChosen(() => list.selection, () => {
  list.unchoose();
  list.focus();
});
const detail = makeDetail({ close, step: (by) => list.step(by), menu, file: () => overview?.file ?? overview?.name ?? "" });
const filters = makeFilters();
const pageChips = makePageChips();
const strip = makeStrip();
const divider = makeDivider();
/** Columns that the user has left out, and whether the rows are low. @type {string[]} */
let hiddenColumns = (localStorage.getItem("wireweight.hidden") ?? "").split(" ").filter((name) => optionalColumns.includes(name));
let dense = localStorage.getItem("wireweight.density") === "dense";
/** Whether all exchanges of the list have one host, so that naming it in each row says nothing. */
let hasOneHost = false;
const limits = makeLimits((slow) => list.markSlow(slow));
/** Whether the list is held still. */
let held = false;
const sums = makeSums(() => list.rows.view === null || list.rows.isSearching, (known, host) => {
  list.mark(Object.fromEntries(known.map((one) => [one.direction, { duration: one.p95, bytes: one.perCall.total.p95 }])));
  hasOneHost = host !== null;
  look();
  // After the rows and their sums.
  void limits.load();
});
const listPage = h("div", { class: "list-page" }, filters.element, strip.element,
  h("div", { class: "split" }, list.element, divider.element, detail.element), chosen.element, sums.element);
/** The pages beside the list, once their script is here. @type {ReturnType<typeof import("./other-pages.js").makeOtherPages> | null} */
let others = null;
/** @type {Promise<void> | undefined} */
let othersComing;
let shown = "";

/** What is done with the one row that is chosen. */
function subject() {
  return {
    open: () => {
      if (list.active) go({ id: list.active.id });
    },
    note: () => {
      if (list.active) go({ id: list.active.id });
      detail.write();
    },
    file: overview?.file ?? overview?.name ?? "",
  };
}

const palette = makePalette(() => allCommands({
  subjects: () => list.subjects, list: subject(), exportItems, themeItems, columnItems,
  press: (name) => control(name)?.click(),
  has: (name) => control(name)?.matches(":enabled") ?? false,
  search: () => {
    if (place().page !== "list") go({ page: "list" });
    filters.focus();
  },
  chooseAll: list.all,
}));

/** @param {string} name */
function control(name) {
  return /** @type {HTMLElement | null} */ (document.querySelector(`[data-control="${name}"]`));
}

/** The text for a store without exchanges: where they will appear, or how to record some. */
function nothing() {
  if (!overview || overview.live) return [t("list.none")];
  const program = t("list.none.program");
  return [h("p", {}, t("list.none.file")), command(["run", "--db", overview.file ?? overview.name, "--", program]),
    h("p", {}, t("list.none.doctor")), command(["doctor", "--", program])];
}

function look() {
  list.look(hasOneHost ? [...hiddenColumns, "host"] : hiddenColumns, dense);
}

/** @returns {import("./menus.js").Item[]} */
function columnItems() {
  const items = optionalColumns.map((name) => ({
    label: t(`column.${name}`), on: !hiddenColumns.includes(name), check: true,
    act: () => {
      hiddenColumns = hiddenColumns.includes(name) ? hiddenColumns.filter((other) => other !== name) : [...hiddenColumns, name];
      localStorage.setItem("wireweight.hidden", hiddenColumns.join(" "));
      look();
    },
  }));
  return [...items, { label: t("column.reset"), apart: true, act: () => {
    list.order.reset();
    list.words();
  } }];
}

function close() {
  go({ id: null });
  list.focus();
}

function route() {
  const where = place();
  if (where.page !== shown) {
    if (others && Object.hasOwn(others, shown)) others[shown].leave();
    const element = where.page === "list" ? listPage : others?.[where.page].element;
    shown = element ? where.page : "";
    fill(main, element ?? h("p", { class: "page-coming quiet", role: "status" }, t("list.loading")));
    main.scrollTop = 0;
    if (!element) void bringOthers().then(route, () => fill(main, h("p", { class: "error", role: "alert" }, t("error.unreachable"))));
  }
  document.documentElement.lang = locale();
  document.title = `${t(`page.${where.page}`)} – ${overview?.name ?? "Wireweight"}`;
  nav();
  header();
  if (where.page === "list") {
    filters.refresh();
    list.show(where);
    detail.show(where);
    strip.brush();
    listPage.classList.toggle("with-detail", where.id !== null);
    divider.show();
    look();
    void strip.load();
    chosen.draw();
    void sums.load();
    tail();
  } else if (others) {
    others[where.page].show(where);
    pageChips.show(others[where.page].element);
  }
}

/** Makes the pages beside the list, whose script no row waits for. */
function bringOthers() {
  return othersComing ??= import("./other-pages.js").then((module) => {
    others = module.makeOtherPages(taker.choose, nothing);
  }, (error) => {
    othersComing = undefined;
    throw error;
  });
}

function nav() {
  const where = place();
  const element = byId("nav");
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.page : undefined;
  element.setAttribute("aria-label", t("nav"));
  fill(byId("skip"), t("nav.skip"));
  const addresses = pages.map((name) => hashOf({ ...where, page: name, id: null }));
  refill(element, [addresses, where.page, spoken()], () => pages.map((name, index) =>
    h("a", {
      href: addresses[index], "data-page": name,
      "aria-current": name === where.page ? "page" : null, title: t(`page.${name}`),
    }, icon(/** @type {any} */ (name)),
      name === "connections"
        ? [h("span", { class: "wide-only" }, t("page.connections")), h("span", { class: "narrow-only" }, t("page.connections.short"))]
        : h("span", {}, t(`page.${name}`)))));
  if (focused) /** @type {HTMLElement | null} */ (element.querySelector(`[data-page="${focused}"]`))?.focus();
}

/** The state in words, and whether it is well. */
function state() {
  if (ended) return { name: "ended", text: t("live.ended") };
  if (!connected) return { name: "lost", text: t("live.lost") };
  if (overview?.paused) return { name: "paused", text: t("live.paused") };
  if (overview && !overview.live) return { name: "file", text: t("live.file") };
  return { name: "live", text: t("live.connected") };
}

function header() {
  const { name, text } = state();
  const losses = overview?.losses.filter((loss) => loss.count > 0) ?? [];
  const lost = losses.reduce((sum, loss) => sum + loss.count, 0);
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.control : undefined;
  const can = overview?.can;
  const title = overview?.name ?? "Wireweight";
  const hasFiles = Boolean(can?.compare || can?.open || shownFile);
  const { brand, live, counts, controls } = headerParts;
  const element = byId("header");
  if (!element.firstChild) fill(element, brand, live, counts, h("span", { class: "spring" }), controls);
  refill(brand, [title, hasFiles, spoken()], () => [logo, hasFiles ? h("button", {
    type: "button", class: "file-button", "data-control": "files", "aria-haspopup": "menu", title: t("files.title"),
    "aria-label": t("files.label", { name: overview?.name ?? "" }),
    click: (/** @type {MouseEvent} */ event) => void fileMenu(/** @type {HTMLElement} */ (event.currentTarget)),
  }, h("b", {}, title)) : h("b", {}, title)]);
  live.className = `live ${name}`;
  refill(live, [text], () => [h("i", { class: "dot", "aria-hidden": "true" }), h("span", {}, text)]);
  fill(counts, overview && h("span", { id: "count" }, t(overview.exchanges === 1 ? "live.exchanges.one" : "live.exchanges", { n: number(overview.exchanges) })),
    overview && overview.running > 0 && h("span", { class: "running-count" }, t("live.running", { n: number(overview.running) })),
    lost > 0 && h("span", { class: "losses", title: losses.map((loss) => `${loss.reason} ${loss.count}`).join(", ") },
      t("live.losses", { n: number(lost), reasons: losses.map((loss) => loss.reason).join(", ") })));
  // A button stays while traffic comes: who presses it must let go of the same one.
  refill(controls, [can?.pause, can?.clear, overview?.paused, ended, spoken()], () => [
    can?.pause && iconButton(overview?.paused ? "resume" : "pause",
      t(overview?.paused ? "control.resume" : "control.pause"), () => void change(overview?.paused ? "resume" : "pause"),
      { "data-control": "pause", disabled: ended }),
    can?.clear && iconButton("clear", t("control.clear"), askClear, { "data-control": "clear", disabled: ended }),
    iconButton("export", t("control.export"), (event) => menu(event, exportItems()),
      { "data-control": "export", "aria-haspopup": "menu", disabled: ended }),
    iconButton("theme", t("control.theme"), (event) => menu(event, themeItems()),
      { "data-control": "theme", "aria-haspopup": "menu" }),
    h("button", {
      type: "button", class: "icon-button language", lang: spoken() === "en" ? "zh-CN" : "en", "data-control": "language",
      click: () => {
        const next = spoken() === "en" ? "zh" : "en";
        localStorage.setItem("wireweight.language", next);
        speak(next).then(route, () => say(t("error.unreachable")));
      },
    }, t("control.language")),
    iconButton("palette", t("palette.open"), palette.open, { "data-control": "palette", "aria-keyshortcuts": "Control+K Meta+K" }),
    iconButton("help", t("control.help"), () => showHelp(dialog), { "data-control": "help" })]);
  if (focused) /** @type {HTMLElement | null} */ (element.querySelector(`[data-control="${focused}"]`))?.focus();
  banner();
  list.notice();
  others?.overview.notice?.();
}

/** @param {import("./types.d.ts").Overview} next */
function take(next) {
  overview = next;
  taker.allow(next.can.open);
  void refreshMarks(next.marks);
  if (setDirections(next.directions)) route();
  else header();
}

/** What to do when the inspector has ended. */
function banner() {
  const element = byId("banner");
  const asking = ended ? [] : overview?.asking ?? [];
  // A button stays while traffic comes.
  const text = JSON.stringify([ended, overview?.file, asking, spoken()]);
  if (element.dataset.text === text) return;
  element.dataset.text = text;
  element.hidden = !ended && !asking.length;
  fill(element, ended && [h("span", {}, t(overview?.file ? "live.ended.text" : "live.ended.bare")),
    overview?.file && command(["inspect", overview.file])],
  asking.flatMap((device) => [h("span", {}, t("device.asks", { device })), h("button", {
    type: "button", class: "button", "data-device": device, click: () => void admit(device),
  }, t("device.admit"))]));
}

/** @param {string} device */
async function admit(device) {
  try {
    take(await send("devices", { admit: device }, ""));
    say(t("device.admitted", { device }));
  } catch (error) {
    say(`${t("error.title")}: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {boolean} now */
function connection(now) {
  if (now && !connected && list.rows.error) void list.rows.make();
  connected = now;
  if (now) {
    clearTimeout(ending);
    ending = undefined;
    ended = false;
  } else {
    ending ??= setTimeout(() => {
      ended = true;
      header();
    }, patience);
  }
  header();
}

/** The text right of the filters: the number of matches, and whether the list shows its newest or oldest end. */
function tail() {
  const { rows } = list;
  const following = place().sort === "start" && list.follows;
  const count = rows.view === null ? "" : t("list.count", { n: number(rows.count) }) +
    (rows.truncated ? `, ${t("list.truncated", { n: number(rows.total) })}` : "");
  filters.judge(rows.error instanceof APIError && rows.error.place !== null);
  const text = `${count}${following}${held}${dense}${spoken()}`;
  if (filters.tail.dataset.text === text) return;
  filters.tail.dataset.text = text;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.control : undefined;
  fill(filters.tail, h("span", { class: "quiet", role: "status", id: "shown" }, count),
    iconButton("follow", t("list.follow"), () => {
      if (following) {
        list.follow(false);
        go({ sort: "-start" });
      } else {
        list.follow(true);
        go({ sort: "start" });
      }
      delete filters.tail.dataset.text;
      tail();
    }, { "aria-pressed": String(following), "data-follow": "", "data-control": "follow" }),
    iconButton("hold", t("list.hold"), () => {
      held = !held;
      list.hold(held);
      tail();
    }, { "aria-pressed": String(held), "data-control": "hold" }),
    iconButton("columns", t("list.columns"), (event) => menu(event, columnItems()),
      { "data-control": "columns", "aria-haspopup": "menu" }),
    iconButton("dense", t("list.dense"), () => {
      dense = !dense;
      localStorage.setItem("wireweight.density", dense ? "dense" : "usual");
      look();
      tail();
    }, { "aria-pressed": String(dense), "data-control": "dense" }));
  if (focused) /** @type {HTMLElement | null} */ (filters.tail.querySelector(`[data-control="${focused}"]`))?.focus();
}
list.element.addEventListener("shown", () => {
  if (list.rows.view !== null) typeset();
  tail();
  void sums.load();
});

/** Requests what no row waits for: the page's own fonts, the other pages, and the other language. */
function typeset() {
  document.documentElement.classList.add("typeset");
  bringOthers().catch(() => {});
  learn().catch(() => {});
}

/** @param {"pause" | "resume"} what */
async function change(what) {
  try {
    overview = await post(what);
    header();
  } catch (error) {
    say(`${t("error.title")}: ${/** @type {Error} */ (error).message}`);
  }
}

function askClear() {
  const yes = h("button", {
    type: "button", class: "button danger", click: async () => {
      dialog.close();
      try {
        overview = await post("clear", { confirm: true });
        go({ id: null });
        list.rows.forget();
        route();
        say(t("clear.done"));
      } catch (error) {
        say(`${t("error.title")}: ${/** @type {Error} */ (error).message}`);
      }
    },
  }, t("clear.confirm"));
  const no = h("button", { type: "button", class: "button", click: () => dialog.close() }, t("cancel"));
  fill(dialog, h("h2", { id: "dialog-title" }, t("clear.title")),
    h("p", {}, t("clear.text", { n: number(overview?.exchanges ?? 0), name: overview?.name ?? "" })),
    h("div", { class: "dialog-buttons" }, no, yes));
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.showModal();
  no.focus();
}

function exportItems() {
  const where = place().filters;
  return [
    ...["har", "csv", "ndjson"].map((format) => ({
      label: t(`export.${format}`), on: null,
      act: () => save(address("export", { ...where, format }), `traffic.${format}`),
    })),
    {
      label: t("export.html"), on: null,
      act: () => save(address("report", { ...where, zone: -new Date().getTimezoneOffset() }), "traffic.html"),
    },
    // All of it, whatever the filter is.
    ...(overview?.can?.copy ? [{ label: t("export.store"), on: null, act: () => save(address("store"), "traffic.db") }] : []),
  ];
}

/**
 * The files that can be shown instead, and a way to open one.
 * @param {HTMLElement} opener
 */
async function fileMenu(opener) {
  try {
    const { files, canAdd } = await otherFiles();
    const items = files.map((file) => ({ label: fileName(file), on: null, act: () => openFile(file.id) }));
    if (canAdd) items.push({ label: t("files.open"), on: null, act: taker.choose });
    if (items.length === 0) return say(t("files.none"));
    menuBelow(opener.isConnected ? opener : control("files") ?? opener, items);
  } catch (error) {
    say(`${t("error.title")}: ${/** @type {Error} */ (error).message}`);
  }
}

function themeItems() {
  const now = localStorage.getItem("wireweight.theme") ?? "auto";
  return ["auto", "light", "dark"].map((theme) => ({
    label: t(`theme.${theme}`), on: theme === now,
    act: () => {
      if (theme === "auto") {
        localStorage.removeItem("wireweight.theme");
        delete document.documentElement.dataset.theme;
      } else {
        localStorage.setItem("wireweight.theme", theme);
        document.documentElement.dataset.theme = theme;
      }
    },
  }));
}

addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k" && !dialog.open) {
    event.preventDefault();
    palette.open();
    return;
  }
  if (dialog.open || palette.element.open || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof HTMLElement ? event.target : null;
  const writing = target?.matches("input, textarea, select") ?? false;
  if (event.key === "Escape") {
    if (place().page === "list" && list.stop()) {
      // The search is what is stopped first.
    } else if (writing) {
      target?.blur();
      if (place().page === "list") list.focus();
    } else if (place().page === "list" && list.selection.size > 0) list.unchoose();
    else if (place().id !== null) close();
    else return;
    event.preventDefault();
    return;
  }
  if (writing) return;
  if (event.key === "/") {
    if (place().page !== "list") go({ page: "list" });
    filters.focus();
  } else if (event.key === "?") showHelp(dialog);
  else if (/^[1-8]$/.test(event.key)) go({ page: pages[Number(event.key) - 1], id: null });
  else if (/^[mnc]$/.test(event.key) && place().page === "list" && list.subjects.length > 0) {
    const rows = list.subjects;
    if (event.key === "m") void toggleMarks(rows);
    else if (event.key === "n" && rows.length === 1) subject().note();
    else if (rows.length === 1) void copyRow("curl", rows[0], subject().file);
  } else if (/^(Arrow(Up|Down)|Enter)$/.test(event.key) && place().page === "list" && (!target || target === document.body || target === main)) {
    list.focus();
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
  } else return;
  event.preventDefault();
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

/** Pages of sums are read again while traffic goes on, but not with each exchange. @type {number | undefined} */
let refreshing;
function refresh() {
  if (refreshing !== undefined || document.hidden) return;
  refreshing = setTimeout(() => {
    refreshing = undefined;
    if (place().page === "list") {
      void strip.load(true);
      void sums.load(true);
    } else others?.[place().page].live?.();
  }, 2000);
}

/** Begins when the page has its words. */
function begin() {
  listen({
    rows(rows) {
      list.come(rows);
      detail.come(rows);
      refresh();
    },
    status(next) {
      const cleared = overview !== null && overview.generation !== next.generation;
      take(next);
      if (cleared) {
        list.rows.forget();
        limits.forget();
        void sums.load(true);
      }
    },
    reset() {
      list.rows.forget();
      refresh();
    },
    connection,
  });

  watch(route);
  route();
  get("overview").then((next) => {
    // The stream may have sent a newer state meanwhile.
    if (!overview) take(next);
    else header();
    if (place().page !== "list") typeset();
  }, () => header());
}

speak(preferred()).then(begin, begin);
