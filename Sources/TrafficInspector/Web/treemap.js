// Where the bytes go, as areas: host, then API, then part; and the same as a table.
import { getShared } from "./api.js";
import { directionChoice, directionOfSums, only } from "./directions.js";
import { fill, h } from "./dom.js";
import { apiName, bytes, exactBytes, number, percent } from "./format.js";
import { t } from "./messages.js";
import { listAddress } from "./place.js";
import { apart, legend, partName, parts } from "./sizes.js";

/**
 * @typedef {import("./types.d.ts").API} API
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 */

/**
 * Squarified areas: boxes in the order of the sizes, each as square as its row allows
 * (Bruls, Huizing, van Wijk 2000).
 * @param {number[]} sizes the largest first
 * @param {Box} box
 * @returns {Box[]}
 */
export function squarify(sizes, box) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  /** @type {Box[]} */
  const boxes = [];
  let { x, y, width, height } = box;
  if (total <= 0 || width <= 0 || height <= 0) return sizes.map(() => ({ x, y, width: 0, height: 0 }));
  const scale = (width * height) / total;
  let at = 0;
  while (at < sizes.length) {
    const side = Math.max(Math.min(width, height), 0.0001);
    let end = at;
    let sum = 0;
    let worst = Infinity;
    while (end < sizes.length) {
      const area = sizes[end] * scale;
      const next = sum + area;
      const largest = sizes[at] * scale;
      const ratio = Math.max((side * side * largest) / (next * next), (next * next) / (side * side * Math.max(area, 1e-9)));
      if (ratio > worst) break;
      worst = ratio;
      sum = next;
      end += 1;
    }
    const thickness = sum / side;
    let along = 0;
    for (let index = at; index < end; index += 1) {
      const length = thickness > 0 ? (sizes[index] * scale) / thickness : 0;
      boxes.push(width >= height
        ? { x, y: y + along, width: thickness, height: length }
        : { x: x + along, y, width: length, height: thickness });
      along += length;
    }
    if (width >= height) {
      x += thickness;
      width = Math.max(0, width - thickness);
    } else {
      y += thickness;
      height = Math.max(0, height - thickness);
    }
    at = end;
  }
  return boxes;
}

/**
 * @param {HTMLElement} element
 * @param {Box} box
 */
function put(element, box) {
  element.style.setProperty("left", `${box.x}px`);
  element.style.setProperty("top", `${box.y}px`);
  element.style.setProperty("width", `${box.width}px`);
  element.style.setProperty("height", `${box.height}px`);
}

const gap = 2;
const headHeight = 22;
const mostTiles = 80;

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
export function makeMap() {
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const choice = h("div", { class: "segments", role: "group" });
  const directions = h("div", { class: "segments", hidden: true });
  const area = h("div", { class: "treemap", role: "group" });
  const key = h("div", { class: "map-key" });
  const table = h("details", { class: "map-table" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum, directions, choice), key, area, table);
  let direction = "both";
  /** @type {API[]} */
  let apis = [];
  let age = 0;
  /** @type {import("./types.d.ts").Place | null} */
  let last = null;
  new ResizeObserver(() => draw()).observe(area);

  /** @param {API} api */
  function weigh(api) {
    const up = apart(api.parts.up);
    const down = apart(api.parts.down);
    return parts.map((part) => ({
      part,
      size: (direction === "down" ? 0 : up[part] ?? 0) + (direction === "up" ? 0 : down[part] ?? 0),
    })).filter((entry) => entry.size > 0).sort((one, other) => other.size - one.size);
  }

  function hostsBySize() {
    /** @type {Map<string, { api: API, parts: ReturnType<typeof weigh>, size: number }[]>} */
    const hosts = new Map();
    for (const api of apis) {
      const weighed = weigh(api);
      const size = weighed.reduce((sum, entry) => sum + entry.size, 0);
      if (size <= 0) continue;
      const list = hosts.get(api.host) ?? [];
      list.push({ api, parts: weighed, size });
      hosts.set(api.host, list);
    }
    return [...hosts].map(([host, list]) => ({
      host, list: list.sort((one, other) => other.size - one.size), size: list.reduce((sum, entry) => sum + entry.size, 0),
    })).sort((one, other) => other.size - one.size);
  }

  function draw() {
    const width = area.clientWidth;
    const height = area.clientHeight;
    const hosts = hostsBySize();
    const total = hosts.reduce((sum, host) => sum + host.size, 0);
    if (total === 0) return fill(area, h("p", { class: "empty" }, t("apis.empty")));
    area.setAttribute("aria-label", t("map.label", { total: bytes(total) }));
    const boxes = squarify(hosts.map((host) => host.size), { x: 0, y: 0, width, height });
    fill(area, hosts.slice(0, mostTiles).map((host, index) => hostTile(host, boxes[index], total)));
    fill(table, h("summary", {}, t("map.table")), tableOf(hosts, total));
  }

  /**
   * @param {ReturnType<typeof hostsBySize>[number]} host
   * @param {Box} box
   * @param {number} total
   */
  function hostTile({ host, list, size }, box, total) {
    const tile = h("section", { class: "map-host", "aria-label": `${host}: ${bytes(size)}` });
    put(tile, { x: box.x + gap, y: box.y + gap, width: Math.max(0, box.width - 2 * gap), height: Math.max(0, box.height - 2 * gap) });
    const labelled = box.height > 60 && box.width > 60;
    if (labelled) {
      tile.append(h("a", { class: "map-host-name", href: listAddress({ ...only(directionOfSums()), host }) }, h("b", {}, host),
        box.width > 190 && h("span", {}, `${bytes(size)} · ${percent(size / total)}`)));
    }
    const top = labelled ? headHeight : 0;
    const inner = { x: 0, y: top, width: box.width - 2 * gap, height: box.height - 2 * gap - top };
    const shown = list.slice(0, mostTiles);
    const rest = list.slice(mostTiles).reduce((sum, entry) => sum + entry.size, 0);
    const boxes = squarify([...shown.map((entry) => entry.size), ...(rest > 0 ? [rest] : [])], inner);
    shown.forEach((entry, index) => tile.append(apiTile(entry, boxes[index], total)));
    if (rest > 0) {
      const others = h("div", { class: "map-others", title: t("map.others", { n: number(list.length - mostTiles) }) });
      put(others, boxes[shown.length]);
      tile.append(others);
    }
    return tile;
  }

  /**
   * @param {ReturnType<typeof hostsBySize>[number]["list"][number]} entry
   * @param {Box} box
   * @param {number} total
   */
  function apiTile({ api, parts: weighed, size }, box, total) {
    const name = `${api.method} ${api.template}`;
    const text = weighed.map((entry) => `${partName(entry.part)} ${bytes(entry.size)}`).join(", ");
    const tile = h("a", {
      class: "map-api", href: listAddress({ ...only(api.direction), api: apiName(api) }),
      title: `${name}\n${bytes(size)} · ${percent(size / total)}\n${text}`, "aria-label": `${name}: ${bytes(size)}, ${text}`,
      tabindex: box.width > 14 && box.height > 14 ? 0 : -1,
    });
    const edge = box.width > 8 && box.height > 8 ? 1 : 0;
    put(tile, { x: box.x + edge, y: box.y + edge, width: Math.max(0, box.width - 2 * edge), height: Math.max(0, box.height - 2 * edge) });
    const labelled = box.width > 74 && box.height > 34;
    const top = labelled ? 20 : 0;
    if (labelled) {
      tile.append(h("span", { class: "map-api-name" }, h("b", {}, api.method), ` ${api.template}`,
        box.width > 190 && h("em", {}, bytes(size))));
    }
    const inner = { x: 0, y: top, width: box.width - 2 * edge, height: box.height - 2 * edge - top };
    squarify(weighed.map((entry) => entry.size), inner).forEach((part, index) => {
      const piece = h("i", { class: `p-${weighed[index].part}` });
      put(piece, part);
      tile.append(piece);
    });
    return tile;
  }

  /**
   * @param {ReturnType<typeof hostsBySize>} hosts
   * @param {number} total
   */
  function tableOf(hosts, total) {
    return h("table", { class: "table" },
      h("thead", {}, h("tr", {}, [t("apis.api"), t("part.total"), t("apis.share")].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, hosts.flatMap(({ list }) => list).slice(0, 200).map(({ api, size, parts: weighed }) =>
        h("tr", {}, h("th", { scope: "row" }, apiName(api),
          h("small", {}, weighed.map((entry) => `${partName(entry.part)} ${exactBytes(entry.size)}`).join(", "))),
        h("td", {}, exactBytes(size)), h("td", {}, percent(size / total))))));
  }

  function words() {
    fill(title, t("map.title"));
    fill(sum, t("map.text"));
    fill(key, legend());
    choice.setAttribute("aria-label", t("map.direction"));
    fill(choice, [["both", t("map.both")], ["up", t("column.up")], ["down", t("column.down")]].map(([name, label]) =>
      h("button", {
        type: "button", "aria-pressed": String(direction === name), click: () => {
          direction = name;
          words();
          draw();
        },
      }, label)));
  }

  async function load() {
    if (!last) return;
    const mine = ++age;
    const { since, until, host } = last.filters;
    try {
      const answer = await getShared("apis", { since, until, host, direction: directionOfSums() });
      if (mine !== age) return;
      apis = answer.apis;
      draw();
    } catch (error) {
      if (mine === age && apis.length === 0) {
        fill(area, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    }
  }

  return {
    element,
    show(where) {
      last = where;
      words();
      directionChoice(directions, false);
      void load();
    },
    live: () => void load(),
    leave() {
      age += 1;
    },
  };
}
