// The audit's sentences in the page's language: a phrase of the message table, and values with their units.
import { bytes, duration, number, percent } from "./format.js";
import { named, t } from "./messages.js";

/** @typedef {import("./types.d.ts").Loose} Loose */

/**
 * A sort of waste. Some end with a word from the traffic.
 * @param {string} name
 */
function kind(name) {
  for (const begin of ["redirected to ", "HTML in place of ", "a script from "]) {
    if (name.startsWith(begin)) {
      const rest = name.slice(begin.length);
      return t(`audit.kind.${begin.trim()}`, { rest: named("audit.content", rest) });
    }
  }
  return named("audit.kind", name);
}

/**
 * @param {Loose} value
 * @param {boolean} first whether a sentence begins with it
 */
function words(value, first) {
  if ("bytes" in value) return bytes(Number(value.bytes));
  if ("milliseconds" in value) return duration(Number(value.milliseconds));
  if ("calls" in value) {
    const all = value.calls === value.of;
    if (all && value.of === 1) return t(first ? "audit.share.Only" : "audit.share.only");
    if (all && value.of === 2) return t(first ? "audit.share.Both" : "audit.share.both");
    return t(all ? (first ? "audit.share.First" : "audit.share.all") : "audit.share.some", {
      n: number(Number(value.calls)), of: number(Number(value.of)),
    });
  }
  if ("count" in value) return number(Number(value.count));
  if ("share" in value) return percent(Number(value.share));
  if ("content" in value) {
    const name = named("audit.content", String(value.content));
    return first ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  }
  if (Array.isArray(value.kinds)) {
    const kinds = value.kinds.map((entry) =>
      t("audit.kinds.one", { name: kind(String(entry.name)), n: number(Number(entry.count)) }));
    return [...kinds, ...(value.more ? ["…"] : [])].join(t("audit.kinds.between"));
  }
  return String(value.text ?? "");
}

/**
 * How complete the rows are, in the server's sentences.
 * @param {Loose | null} verdict
 */
export function completeness(verdict) {
  if (!verdict || !Array.isArray(verdict.said)) return [];
  return verdict.said.map((said) => {
    if (named("complete.say", String(said.phrase)) === String(said.phrase)) return String(said.english ?? "");
    /** @type {Record<string, string>} */
    const values = {};
    for (const [name, value] of Object.entries(said.values ?? {})) values[name] = value.connections ? connections(value.connections)
      : value.parts ? value.parts.map((/** @type {Loose} */ part) => `${named("ledger", String(part.name))} ${bytes(Number(part.bytes))}`).join(t("audit.kinds.between"))
        : words(value, false);
    return t(`complete.say.${said.phrase}`, values);
  });
}

/** @param {Loose[]} all */
function connections(all) {
  return all.map((one) => `${one.connection === null ? "" : `${t("complete.connection", { n: String(one.connection) })} `}(${one.peer ?? "–"})`)
    .join(t("audit.kinds.between"));
}

/**
 * @param {Loose} finding
 * @param {"problem" | "remedy" | "source"} name
 * @returns {string} as the server's member, for a phrase that the page does not know
 */
export function sentence(finding, name) {
  const said = finding.said?.[name];
  const key = `audit.say.${said?.phrase}`;
  if (!said || named("audit.say", String(said.phrase)) === String(said.phrase)) return String(finding[name] ?? "");
  /** @type {Record<string, string>} */
  const values = {};
  for (const [value, of] of Object.entries(said.values ?? {})) {
    values[value] = words(of, false);
    values[value.charAt(0).toUpperCase() + value.slice(1)] = words(of, true);
  }
  // Chinese words have no spaces between them; names in Latin letters do.
  return t(key, values).replace(/(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])/g, "");
}
