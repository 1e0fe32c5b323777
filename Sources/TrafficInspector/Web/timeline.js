// Traffic over time; dragging chooses the range that every page is filtered by.
import { get } from "./api.js";
import { directionChoice, directionOfSums, hasBoth } from "./directions.js";
import { fill, h, svg } from "./dom.js";
import { bytes, clock, duration, number } from "./format.js";
import { t } from "./messages.js";
import { filter, place } from "./place.js";

/** @typedef {import("./types.d.ts").Slots} Slots */

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * A round number at or above a value.
 * @param {number} value
 */
export function roundUp(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 2.5, 5, 10]) if (step * power >= value) return step * power;
  return 10 * power;
}

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;
/** Milliseconds between the times below a chart. */
const tickSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
  60 * second, 120 * second, 300 * second, 600 * second, 900 * second, 1800 * second, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour,
  day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day, 364 * day];

/**
 * Round times in a range, in the local zone.
 * @param {number} from
 * @param {number} to
 * @param {number} most how many at most
 */
export function timeTicks(from, to, most) {
  const step = tickSteps.find((one) => (to - from) / one <= most) ?? tickSteps[tickSteps.length - 1];
  const zone = new Date(from).getTimezoneOffset() * 60 * second;
  /** @type {number[]} */
  const ticks = [];
  for (let tick = Math.ceil((from - zone) / step) * step + zone; tick <= to && ticks.length <= most; tick += step) ticks.push(tick);
  return { step, ticks };
}

/**
 * The words below a tick: no finer than the distance to the next one.
 * @param {number} moment
 * @param {number} step
 */
export function tickText(moment, step) {
  const date = new Date(moment);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  if (step >= day) return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (step >= 60 * second) return minutes;
  const seconds = `${minutes}:${two(date.getSeconds())}`;
  return step >= second ? seconds : `${seconds}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/**
 * A path along the tops of the slots.
 * @param {number[]} values
 * @param {number} width
 * @param {(value: number) => number} y
 */
function steps(values, width, y) {
  const slot = width / values.length;
  let path = `M0 ${y(0)}`;
  values.forEach((value, index) => {
    path += `L${(index * slot).toFixed(1)} ${y(value).toFixed(1)}H${((index + 1) * slot).toFixed(1)}`;
  });
  return `${path}V${y(0)}Z`;
}

/**
 * A number on its own background, so that it is readable over the drawing.
 * @param {number} x
 * @param {number} y
 * @param {string} words
 */
function label(x, y, words) {
  return svg("g", {}, svg("rect", { class: "tick-ground", x: x - 3, y: y - 8, width: words.length * 6.4 + 6, height: 16, rx: 3 }),
    svg("text", { class: "tick", x, y: y + 4 }, words));
}

/**
 * @param {Slots} slots
 * @param {number} width
 * @param {number} height
 * @param {"bytes" | "requests"} kind
 * @param {boolean} small
 */
function drawing(slots, width, height, kind, small) {
  const count = slots.requests.length;
  const seconds = slots.slot / 1000;
  const image = svg("svg", { class: "chart-image", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const slot = width / count;
  const bottom = small ? height : height - 18;
  if (kind === "bytes") {
    const up = slots.up.map((value) => value / seconds);
    const down = slots.down.map((value) => value / seconds);
    // One scale for both; the line between them is where both fit.
    const mostUp = Math.max(...up, 1);
    const mostDown = Math.max(...down, 1);
    const room = bottom - 8;
    const middle = 4 + room * Math.min(0.85, Math.max(0.15, mostUp / (mostUp + mostDown)));
    const scale = Math.min((middle - 4) / mostUp, (bottom - 4 - middle) / mostDown);
    image.append(
      svg("path", { class: "area-up", d: steps(up, width, (value) => middle - value * scale) }),
      svg("path", { class: "area-down", d: steps(down, width, (value) => middle + value * scale) }),
      svg("line", { class: "axis", x1: 0, x2: width, y1: middle, y2: middle }));
    if (!small) {
      const step = roundUp(60 / scale);
      for (let value = step; middle + value * scale < bottom || middle - value * scale > 0; value += step) {
        for (const y of [middle - value * scale, middle + value * scale]) {
          if (y < 14 || y > bottom - 2) continue;
          image.append(svg("line", { class: "rule", x1: 0, x2: width, y1: y, y2: y }),
            label(6, y, `${bytes(value)}/s`));
        }
      }
    }
  } else {
    const most = roundUp(Math.max(...slots.requests, 1));
    const y = (/** @type {number} */ value) => bottom - (value / most) * (bottom - 6);
    image.append(svg("path", { class: "area-requests", d: steps(slots.requests, width, y) }),
      svg("path", { class: "area-failures", d: steps(slots.failures, width, y) }),
      svg("line", { class: "axis", x1: 0, x2: width, y1: bottom, y2: bottom }),
      svg("line", { class: "rule", x1: 0, x2: width, y1: 6, y2: 6 }), label(6, 14, number(most)));
  }
  if (small) {
    slots.failures.forEach((value, index) => {
      // As high as the share of failures, so that a few among many do not look alarming.
      const high = value > 0 ? Math.max(1.5, 8 * Math.min(1, value / Math.max(1, slots.requests[index]))) : 0;
      if (high) image.append(svg("rect", { class: "failure-dot", x: index * slot, y: height - high, width: Math.max(1.5, slot - 1), height: high }));
    });
  } else {
    const span = slots.slot * count;
    const { step, ticks } = timeTicks(slots.from, slots.from + span, Math.max(1, Math.floor(width / 110)));
    for (const moment of ticks) {
      const x = ((moment - slots.from) / span) * width;
      const anchor = x < 36 ? "start" : x > width - 36 ? "end" : "middle";
      image.append(svg("line", { class: "rule", x1: x, x2: x, y1: bottom, y2: bottom + 4 }),
        svg("text", { class: "tick", x, y: height - 4, "text-anchor": anchor }, tickText(moment, step)));
    }
  }
  return image;
}

/**
 * A chart in which a range can be chosen.
 * @param {"bytes" | "requests"} kind
 * @param {boolean} small
 */
function makeChart(kind, small) {
  const canvas = h("div", { class: "chart-canvas" });
  const choice = h("div", { class: "brush", hidden: true });
  const tip = h("div", { class: "tip", hidden: true });
  const plot = h("div", { class: "plot" }, canvas, choice, tip);
  const element = h("div", { class: `chart chart-${kind}${small ? " small" : ""}` }, plot);
  /** @type {Slots | null} */
  let slots = null;
  /** @type {number | null} */
  let begin = null;
  /** Data that arrived while the user chooses a range; the chart does not change until then. @type {Slots | null} */
  let waiting = null;
  new ResizeObserver(() => draw()).observe(element);

  /** @param {PointerEvent} event */
  const share = (event) => {
    const box = plot.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
  };

  /**
   * @param {number} from
   * @param {number} to
   */
  function mark(from, to) {
    choice.hidden = false;
    choice.style.setProperty("left", `${Math.min(from, to) * 100}%`);
    choice.style.setProperty("width", `${Math.abs(to - from) * 100}%`);
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !slots) return;
    begin = share(event);
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!slots) return;
    const at = share(event);
    if (begin !== null) mark(begin, at);
    if (small) return;
    const index = Math.min(slots.requests.length - 1, Math.floor(at * slots.requests.length));
    tip.hidden = false;
    tip.classList.toggle("left", at > 0.6);
    tip.style.setProperty("left", `${at * 100}%`);
    fill(tip, h("b", {}, clock(slots.from + index * slots.slot, slots.slot < 1000)),
      h("span", {}, `↑ ${bytes(slots.up[index])}  ↓ ${bytes(slots.down[index])}`),
      h("span", {}, `${t("timeline.requests")} ${number(slots.requests[index])}`),
      slots.failures[index] > 0 && h("span", { class: "bad" }, `${t("timeline.failures")} ${number(slots.failures[index])}`));
  });
  element.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  /** Ends the choice of a range, or cancels it. */
  function release() {
    begin = null;
    if (waiting) slots = waiting;
    const late = waiting !== null;
    waiting = null;
    if (late) draw();
    else brush();
  }

  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerup", (event) => {
    if (begin === null || !slots) return;
    const [from, to] = [begin, share(event)].sort((one, other) => one - other);
    const span = slots.slot * slots.requests.length;
    const origin = slots.from;
    release();
    if ((to - from) * plot.clientWidth < 4) return;
    filter({ since: String(Math.floor(origin + from * span)), until: String(Math.ceil(origin + to * span)) });
  });
  if (small) element.addEventListener("dblclick", () => filter({ since: "", until: "" }));

  /** Shows the active range, if the chart shows more than it. */
  function brush() {
    if (begin !== null) return;
    choice.hidden = true;
    if (!slots || !small) return;
    const { since, until } = place().filters;
    if (!since && !until) return;
    const span = slots.slot * slots.requests.length;
    const from = since ? (Number(since) - slots.from) / span : 0;
    const to = until ? (Number(until) - slots.from) / span : 1;
    mark(Math.min(1, Math.max(0, from)), Math.min(1, Math.max(0, to)));
  }

  function draw() {
    const width = plot.clientWidth;
    const height = plot.clientHeight;
    if (!slots || slots.requests.length === 0 || width === 0) return fill(canvas);
    fill(canvas, drawing(slots, width, height, kind, small));
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", t("timeline.label", {
      from: clock(slots.from), to: clock(slots.from + slots.slot * slots.requests.length), up: bytes(sum(slots.up)),
      down: bytes(sum(slots.down)), requests: number(sum(slots.requests)), failures: number(sum(slots.failures)),
    }));
    brush();
  }

  return {
    element,
    /** @param {Slots} next */
    show(next) {
      if (begin !== null) {
        waiting = next;
        return;
      }
      slots = next;
      draw();
    },
    brush,
  };
}

/** The strip of the whole time, above the list. */
export function makeStrip() {
  const chart = makeChart("bytes", true);
  const ends = h("div", { class: "strip-ends" });
  // Its room is kept until it is known that there is nothing to draw: the rows come first, and must not be moved then.
  const element = h("div", { class: "strip" }, chart.element, ends);
  let age = 0;
  /** The last request, and whether its response is pending: in a large store it takes a while. */
  let asked = "";
  let waits = false;

  /** @param {boolean} [again] also when the filters are the same */
  async function load(again = false) {
    // The range is chosen here, so only the other filters apply.
    const { since: _since, until: _until, ...filters } = place().filters;
    const wanted = JSON.stringify([filters, directionOfSums(), t("column.up")]);
    if (wanted === asked && (waits || !again)) return;
    asked = wanted;
    waits = true;
    const mine = ++age;
    try {
      const slots = /** @type {Slots} */ (await get("timeline", { ...filters, direction: directionOfSums(), slots: 200 }));
      if (mine !== age) return;
      const count = slots.requests.length;
      element.hidden = count === 0;
      chart.show(slots);
      if (count === 0) return;
      const most = Math.max(...slots.up, ...slots.down) / (slots.slot / 1000);
      fill(ends, h("span", {}, clock(slots.from)),
        h("span", { class: "strip-most" }, hasBoth() && `${t(`direction.${directionOfSums()}`)}: `, h("span", { class: "key-up" }, t("column.up")), h("span", { class: "key-down" }, t("column.down")),
          t("strip.most", { rate: bytes(most) })),
        // The day is at the other end.
        h("span", {}, clock(slots.from + slots.slot * count, false, slots.from)));
    } catch {
      // The list shows the error.
      if (mine === age) asked = "";
    } finally {
      if (mine === age) waits = false;
    }
  }
  return { element, load, brush: chart.brush };
}

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
export function makeTimeline() {
  const rates = makeChart("bytes", false);
  const counts = makeChart("requests", false);
  const title = h("h1", {});
  const text = h("p", { class: "quiet" });
  const tools = h("div", { class: "tools" });
  const directions = h("div", { class: "segments", hidden: true });
  const first = h("h2", {});
  const second = h("h2", {});
  const facts = h("p", { class: "quiet facts-line", role: "status" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, text, directions, tools),
    h("div", { class: "page-body" }, facts, first, rates.element, second, counts.element));
  let age = 0;
  /** @type {Slots | null} */
  let slots = null;

  /** @param {number} factor */
  function zoom(factor) {
    if (!slots) return;
    const span = slots.slot * slots.requests.length;
    const middle = slots.from + span / 2;
    filter({ since: String(Math.floor(middle - (span * factor) / 2)), until: String(Math.ceil(middle + (span * factor) / 2)) });
  }

  function words() {
    const { since, until } = place().filters;
    fill(title, t("timeline.title"));
    fill(text, t("timeline.text"));
    directionChoice(directions, false);
    fill(tools,
      h("button", { type: "button", class: "button", click: () => zoom(0.5) }, t("timeline.zoomIn")),
      h("button", { type: "button", class: "button", click: () => zoom(2), disabled: !since && !until }, t("timeline.zoomOut")),
      h("button", {
        type: "button", class: "button", disabled: !since && !until, click: () => filter({ since: "", until: "" }),
      }, t("timeline.reset")));
    fill(first, t("timeline.rate"), h("span", { class: "key-up" }, t("column.up")), h("span", { class: "key-down" }, t("column.down")));
    fill(second, t("timeline.requests"), h("span", { class: "key-failures" }, t("timeline.failures")));
  }

  async function load() {
    const mine = ++age;
    try {
      slots = /** @type {Slots} */ (await get("timeline", { ...place().filters, direction: directionOfSums(), slots: 240 }));
      if (mine !== age) return;
      rates.show(slots);
      counts.show(slots);
      fill(facts, slots.requests.length === 0 ? t("timeline.empty") : [
        `${clock(slots.from)} – ${clock(slots.from + slots.slot * slots.requests.length)}`,
        t("timeline.per", { slot: duration(slots.slot) }), `↑ ${bytes(sum(slots.up))}`, `↓ ${bytes(sum(slots.down))}`,
        `${t("timeline.requests")} ${number(sum(slots.requests))}`, `${t("timeline.failures")} ${number(sum(slots.failures))}`,
      ].join(" · "));
    } catch (error) {
      if (mine === age) fill(facts, String(/** @type {Error} */ (error).message));
    }
  }

  return {
    element,
    show() {
      words();
      void load();
    },
    live: () => void load(),
    leave() {
      age += 1;
    },
  };
}
