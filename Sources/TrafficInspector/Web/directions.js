// What the program called and what it served: the pages of sums show one of them, the list both.
import { fill, h } from "./dom.js";
import { t } from "./messages.js";
import { filter, place } from "./place.js";

/** @typedef {import("./types.d.ts").Direction} Direction */

/** The directions in which the store has traffic. @type {Direction[]} */
let known = ["called"];

/** @param {Direction[]} directions */
export function setDirections(directions) {
  const isNew = directions.join() !== known.join();
  known = directions;
  return isNew;
}

/** Whether there is a choice. */
export function hasBoth() {
  return known.length > 1;
}

/** The direction of sums: the one that is chosen, or the first. */
export function directionOfSums() {
  const chosen = place().filters.direction;
  return chosen === "called" || chosen === "served" ? chosen : known[0] ?? "called";
}

/**
 * Buttons that choose a direction; none if the store has only one.
 * @param {HTMLElement} element
 * @param {boolean} withAll whether both may be shown at once
 */
export function directionChoice(element, withAll) {
  element.hidden = !hasBoth();
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", t("direction"));
  const now = withAll ? place().filters.direction ?? "" : directionOfSums();
  fill(element, hasBoth() && [...(withAll ? [""] : []), ...known].map((value) => h("button", {
    type: "button", "data-direction": value, "aria-pressed": String(now === value),
    click: () => filter({ direction: value }),
  }, t(value === "" ? "direction.all" : `direction.${value}`))));
}

/**
 * The filter that lists what a row of sums counts.
 * @param {Direction} direction
 * @returns {import("./types.d.ts").Filters}
 */
export function only(direction) {
  return hasBoth() ? { direction } : {};
}

/**
 * The mark of an exchange or a connection that was served.
 * @param {Direction} direction
 */
export function directionMark(direction) {
  return direction === "served" && h("span", { class: "served-mark", title: t("direction.served.long") }, t("direction.served"));
}
