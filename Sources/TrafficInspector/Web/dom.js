// Makes elements from values. Text is always set as text, so captured bytes never become markup.

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An element; attributes that are functions listen to the event of that name.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  fill(element, ...children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  fill(element, ...children);
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const nodes = [];
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    nodes.push(child instanceof Node ? child : String(child));
  }
  element.replaceChildren(...nodes);
}

/** What elements were last filled from, as JSON. @type {WeakMap<Element, string>} */
const filledFrom = new WeakMap();

/**
 * Replaces the children of an element, unless they were made from the same values: then they stay, with what the user has
 * focused or pressed.
 * @param {Element} element
 * @param {unknown[]} values all that the children are made from
 * @param {() => (Child | Child[])[]} make
 */
export function refill(element, values, make) {
  const from = JSON.stringify(values);
  if (filledFrom.get(element) === from) return;
  filledFrom.set(element, from);
  fill(element, ...make());
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element "${id}"`);
  return element;
}

// Paths on a grid of 24.
const icons = {
  overview: "M4 4h7v9H4zM4 17h7v3H4zM15 4h5v3h-5zM15 11h5v9h-5z",
  list: "M4 6h16M4 12h16M4 18h10",
  apis: "M4 20V10M10 20V4M16 20v-7M22 20H2",
  map: "M4 4h16v16H4zM13 4v16M13 11h7",
  timeline: "M3 17l5-6 4 4 8-9",
  audit: "M5 12l4 4L19 6",
  compare: "M8 4v16M16 4v16M4 8l4-4 4 4M12 16l4 4 4-4",
  connections: "M5 8h9M5 16h14M3 8h.01M3 16h.01M18 8h3",
  pause: "M8 5v14M16 5v14",
  resume: "M7 5l12 7-12 7z",
  clear: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  export: "M12 4v11M7 10l5 5 5-5M4 20h16",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h.01",
  close: "M6 6l12 12M18 6L6 18",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4",
  filter: "M4 6h16M7 12h10M10 18h4",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  previous: "M6 15l6-6 6 6",
  next: "M6 9l6 6 6-6",
  follow: "M12 4v12M7 12l5 5 5-5M5 21h14",
  columns: "M4 5h16v14H4zM9.5 5v14M14.5 5v14",
  dense: "M4 5h16M4 9.7h16M4 14.3h16M4 19h16",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  mark: "M6 21V4h12l-3 4.5L18 13H6",
  hold: "M6 10h12v10H6zM8.5 10V7a3.5 3.5 0 0 1 7 0v3",
  palette: "M5 7l5 5-5 5M12 18h7",
};

/**
 * A drawing beside a label; it has no name of its own.
 * @param {keyof typeof icons} name
 */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: icons[name] }));
}

/**
 * A button with a drawing, and a name that is read and shown on hover.
 * @param {keyof typeof icons} drawing
 * @param {string} label
 * @param {(event: MouseEvent) => void} action
 * @param {Attributes} [attributes]
 */
export function iconButton(drawing, label, action, attributes = {}) {
  return h("button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, click: action, ...attributes },
    icon(drawing));
}

/**
 * A command to be copied into a shell.
 * @param {string[]} words what follows the program's name
 */
export function command(words) {
  const quoted = words.map((word) => /^[\w./,:@%+=\u0080-\uffff-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return h("code", { class: "command" }, ["wireweight", ...quoted].join(" "));
}

/** @type {number | undefined} */
let fading;

/**
 * Shows a text that a screen reader reads out, too.
 * @param {string} text
 */
export function say(text) {
  const place = byId("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => place.classList.remove("shown"), 4000);
}
