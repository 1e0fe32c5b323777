// The text of a filter in its terms, as docs/filter.md describes them; only the server decides what they mean.

/**
 * @typedef {object} Term
 * @property {number} from where it begins
 * @property {number} to where it ends
 * @property {string} text
 * @property {boolean} isNegated
 * @property {string | null} key in lower case; null for a word
 * @property {number} value where its first value begins
 */

/**
 * The terms of a filter, in order; also of one that is not finished.
 * @param {string} text
 * @returns {Term[]}
 */
export function termsOf(text) {
  /** @type {Term[]} */
  const terms = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at])) {
      at += 1;
      continue;
    }
    const from = at;
    let isQuoted = false;
    while (at < text.length && (isQuoted || !/\s/.test(text[at]))) {
      if (text[at] === "\\") at += 1;
      else if (text[at] === '"') isQuoted = !isQuoted;
      at += 1;
    }
    const to = Math.min(at, text.length);
    const term = text.slice(from, to);
    const isNegated = term.startsWith("-") && term.length > 1;
    const key = /^-?([a-z]+):(?!\/\/)/i.exec(term);
    terms.push({
      from, to, text: term, isNegated, key: key ? key[1].toLowerCase() : null,
      value: from + (key ? key[0].length : isNegated ? 1 : 0),
    });
  }
  return terms;
}

/**
 * The filter without one of its terms.
 * @param {string} text
 * @param {Term} term
 */
export function without(text, term) {
  return `${text.slice(0, term.from).trimEnd()} ${text.slice(term.to).trimStart()}`.trim();
}

/**
 * The filter with another term; one that it has is not added again.
 * @param {string} text
 * @param {string} term
 */
export function withTerm(text, term) {
  return termsOf(text).some((one) => one.text === term) ? text : `${text.trim()} ${term}`.trim();
}

/**
 * A value as the filter language writes it: in quotes where it needs them.
 * @param {string} value
 */
export function quotedValue(value) {
  return value !== "" && /^[^\s",\\*~-][^\s",\\*]*$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;
}
