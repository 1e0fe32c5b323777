// XML, HTML and CSS with a line for each element or declaration. Pure functions: they make no elements and resolve nothing.

/** The longest text that is laid out. */
export const mostIndented = 2 * 1024 * 1024;
/** Levels from which lines are not moved further to the right: so a text grows only by so much for each tag. */
const deepest = 20;

/** Elements of HTML without an end tag (HTML, section 13.1.2), and those whose content is kept as it is. */
const voids = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const asWritten = new Set("pre script style textarea title".split(" "));

/** @typedef {{ kind: "open" | "close" | "alone" | "text", name: string, text: string }} Token */

/**
 * The index after a text, or the end where it is not found.
 * @param {string} text
 * @param {string} word
 * @param {number} from
 */
function after(text, word, from) {
  const at = text.indexOf(word, from);
  return at < 0 ? text.length : at + word.length;
}

/**
 * The index after a tag; its attributes may contain ">".
 * @param {string} text
 * @param {number} from
 */
function afterTag(text, from) {
  const mark = /["'>]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === ">") return found.index + 1;
    mark.lastIndex = after(text, found[0], found.index + 1);
  }
  return text.length;
}

/** The index after a document type, whose declarations are in brackets. @param {string} text @param {number} from */
function afterType(text, from) {
  const end = after(text, ">", from);
  const bracket = text.indexOf("[", from);
  return bracket < 0 || bracket > end ? end : after(text, ">", after(text, "]", bracket));
}

/**
 * Tags, texts, comments and declarations, one after the other: together they are the text.
 * @param {string} text
 * @param {boolean} isHTML
 */
function tokens(text, isHTML) {
  /** @type {Token[]} */
  const all = [];
  let at = 0;
  while (at < text.length) {
    const from = at;
    /** @type {Token["kind"]} */
    let kind = "alone";
    let name = "";
    if (text[at] !== "<" || !/[A-Za-z_:/!?\u0080-\uffff]/.test(text[at + 1] ?? "")) {
      kind = "text";
      do at = text.indexOf("<", at + 1);
      while (at >= 0 && !/[A-Za-z_:/!?\u0080-\uffff]/.test(text[at + 1] ?? ""));
      if (at < 0) at = text.length;
    } else if (text.startsWith("<!--", at)) at = after(text, "-->", at + 4);
    else if (text.startsWith("<![CDATA[", at)) {
      kind = "text";
      at = after(text, "]]>", at);
    } else if (text[at + 1] === "?") at = after(text, "?>", at);
    else if (text[at + 1] === "!") at = afterType(text, at);
    else {
      at = afterTag(text, at + 1);
      name = /^<\/?([^\s/>]*)/.exec(text.slice(from, Math.min(at, from + 200)))?.[1] ?? "";
      if (isHTML) name = name.toLowerCase();
      if (text[from + 1] === "/") kind = "close";
      else if (text[at - 1] === ">" && text[at - 2] !== "/" && !(isHTML && voids.has(name))) kind = "open";
    }
    all.push({ kind, name, text: text.slice(from, at) });
    if (isHTML && kind === "open" && asWritten.has(name)) {
      const end = new RegExp(`</${name}[\\s/>]`, "gi");
      end.lastIndex = at;
      const close = end.exec(text)?.index ?? text.length;
      if (close > at) all.push({ kind: "text", name: "", text: text.slice(at, close) });
      at = close;
    }
  }
  return all;
}

/**
 * For each start tag the index of its end tag, for each end tag its start's; -1 of those that have none.
 * @param {Token[]} all
 */
function partners(all) {
  const found = all.map(() => -1);
  /** @type {number[]} */
  const open = [];
  /** @type {Map<string, number>} */
  const counts = new Map();
  all.forEach(({ kind, name }, index) => {
    if (kind === "open") {
      open.push(index);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    } else if (kind === "close" && counts.get(name)) {
      // What is open inside has no end of its own.
      let start;
      do {
        start = /** @type {number} */ (open.pop());
        counts.set(all[start].name, (counts.get(all[start].name) ?? 0) - 1);
      } while (all[start].name !== name);
      found[start] = index;
      found[index] = start;
    }
  });
  return found;
}

/**
 * XML or HTML with a line for each element, also if it is cut off. Only white space between tags is changed: an element
 * that contains text stays as it is.
 * @param {string} text
 * @param {boolean} [isHTML]
 */
export function indentMarkup(text, isHTML = false) {
  const all = tokens(text, isHTML);
  const ends = partners(all);
  /** Start tags whose element contains text, or only white space. @type {Set<number>} */
  const whole = new Set();
  /** @type {number[]} */
  const open = [];
  all.forEach(({ kind, text: piece }, index) => {
    if (kind === "open" && ends[index] >= 0) open.push(index);
    else if (kind === "close" && ends[index] >= 0) open.pop();
    else if (kind === "text" && open.length > 0) {
      const start = open[open.length - 1];
      if (/\S/.test(piece) || (start === index - 1 && ends[start] === index + 1)) whole.add(start);
    }
  });
  /** @type {string[]} */
  const lines = [];
  let depth = 0;
  const add = (/** @type {string} */ line) => lines.push("  ".repeat(Math.min(depth, deepest)) + line);
  for (let index = 0; index < all.length; index += 1) {
    const { kind, text: piece } = all[index];
    const end = ends[index];
    if (kind === "open" && end >= 0 && (whole.has(index) || end === index + 1)) {
      add(all.slice(index, end + 1).map((token) => token.text).join(""));
      index = end;
    } else if (kind === "text") {
      if (/\S/.test(piece)) add(piece.trim());
    } else {
      if (kind === "close" && end >= 0) depth -= 1;
      add(piece);
      if (kind === "open" && end >= 0) depth += 1;
    }
  }
  return lines.join("\n");
}

/**
 * CSS with a line for each declaration, also if it is cut off. Only white space outside of strings and comments is changed.
 * @param {string} text
 */
export function indentCSS(text) {
  const token = /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)|url\([^)]*(?:\)|$)|\\[^]?|\s+|[{}();]|[^\s{}();"'\\/u]+|[^]/g;
  /** @type {string[]} */
  const lines = [];
  let depth = 0;
  let inside = 0;
  let line = "";
  const end = () => {
    if (line !== "") lines.push("  ".repeat(Math.min(depth, deepest)) + line.trimEnd());
    line = "";
  };
  for (const [piece] of text.matchAll(token)) {
    if (piece === "(") inside += 1;
    else if (piece === ")") inside = Math.max(0, inside - 1);
    if (piece === "}" && inside === 0) {
      end();
      depth = Math.max(0, depth - 1);
    }
    if (!/^\s/.test(piece)) line += piece;
    else if (line !== "") line += " ";
    if (inside > 0 || !/^(?:[{};]|\/\*)/.test(piece)) continue;
    // A comment inside of a declaration stays there.
    if (piece.startsWith("/*") && line.length > piece.length) continue;
    end();
    if (piece === "{") depth += 1;
  }
  end();
  return lines.join("\n");
}
