// What can be done with the rows that are chosen: copied, saved, marked, and filtered by.
import { address, bodyBytes, get, save } from "./api.js";
import { asFetch, asMarkdown, asPython, asRun, asSwift, callOf } from "./copies.js";
import { command, say } from "./dom.js";
import { quotedValue, withTerm } from "./filter-terms.js";
import { apiName } from "./format.js";
import { noteOf, setMarks } from "./marks.js";
import { t } from "./messages.js";
import { filter, go, place } from "./place.js";

/** @typedef {import("./types.d.ts").Row} Row */

export const copyForms = ["curl", "run", "fetch", "python", "swift", "url", "show", "har", "markdown"];

/** The largest body that is copied, as one request of the page reads. */
const mostCopied = 1024 * 1024;

/**
 * The body of the request, if all of it was kept and it is not too large to copy.
 * @param {import("./types.d.ts").Detail} detail
 */
async function keptBody({ row, bodies: { request: body } }) {
  if (!body || body.size === 0 || body.size > mostCopied || body.of !== null && body.of > body.size) return null;
  return (await bodyBytes(row.id, "request", 0, body.size)).bytes;
}

/**
 * One request in a form to paste elsewhere.
 * @param {string} form
 * @param {import("./types.d.ts").Detail} detail
 * @param {string} file the file that the command opens
 */
export async function textOf(form, detail, file) {
  const { exchange, row, curl } = detail;
  const call = async () => callOf(exchange, await keptBody(detail));
  switch (form) {
    case "curl": return curl;
    case "run": return asRun(curl);
    case "fetch": return asFetch(await call());
    case "python": return asPython(await call());
    case "swift": return asSwift(await call());
    case "url": return exchange.url;
    case "show": return command(["show", file, String(row.id)]).textContent ?? "";
    case "har": return (await fetch(address(`exchanges/${row.id}/har`), { credentials: "same-origin" })).text();
    default: return asMarkdown([row]);
  }
}

/** @param {string} form */
export function copyLabel(form) {
  return form === "curl" ? t("detail.curl") : form === "show" ? t("copy.command") : t("copy.as.form", { form: t(`copy.${form}`) });
}

/**
 * Copies a request as it is in the list.
 * @param {string} form
 * @param {Row} row
 * @param {string} file
 */
export async function copyRow(form, row, file) {
  try {
    const text = await textOf(form, await get(`exchanges/${row.id}`), file);
    await navigator.clipboard.writeText(text);
    say(t("copy.done"));
  } catch {
    say(t("copy.refused"));
  }
}

/**
 * Copies what several rows have in common forms.
 * @param {"url" | "markdown"} form
 * @param {Row[]} rows
 */
export async function copyRows(form, rows) {
  try {
    await navigator.clipboard.writeText(form === "url" ? rows.map(({ url }) => url).join("\n") : asMarkdown(rows));
    say(t("copy.done"));
  } catch {
    say(t("copy.refused"));
  }
}

/** @param {Row[]} rows */
export function saveHAR(rows) {
  const [first] = rows;
  if (rows.length === 1) save(address(`exchanges/${first.id}/har`), `exchange-${first.id}.har`);
  else save(address("export", { format: "har", exchanges: rows.map(({ id }) => id).sort((one, other) => one - other).join(",") }), "exchanges.har");
}

/** Marks the rows, or, if all of them are marked, removes the marks. @param {Row[]} rows */
export function toggleMarks(rows) {
  return setMarks(rows.map(({ id }) => id), !rows.every(({ id }) => noteOf(id) !== undefined));
}

/**
 * The filters that a row offers: what is like it alone, or what is not like it.
 * @param {Row} row
 */
export function filtersOf(row) {
  const api = apiName({ ...row, host: row.authority });
  return [
    { label: t("only", { what: row.authority }), act: () => filter({ host: row.authority }) },
    { label: t("only", { what: api }), act: () => filter({ api }) },
    row.status === null ? { label: t("only", { what: t("filter.status.none") }), act: () => filter({ status: "none" }) }
      : { label: t("only", { what: String(row.status) }), act: () => filter({ status: String(row.status) }) },
    { label: t("only.not", { what: api }), act: () => filter({ text: withTerm(place().filters.text ?? "", `-api:${quotedValue(api)}`) }) },
    { label: t("only.not", { what: row.authority }), act: () => filter({ text: withTerm(place().filters.text ?? "", `-host:${quotedValue(row.authority)}`) }) },
  ];
}

/**
 * The menu of the rows that are chosen.
 * @param {Row[]} rows
 * @param {object} list
 * @param {() => void} list.open
 * @param {() => void} list.note
 * @param {string} list.file
 * @returns {import("./menus.js").Item[]}
 */
export function rowItems(rows, { open, note, file }) {
  const [row] = rows;
  const isMarked = rows.every(({ id }) => noteOf(id) !== undefined);
  const mark = { label: t(isMarked ? "mark.remove" : "mark.set"), key: "M", apart: true, act: () => void toggleMarks(rows) };
  if (rows.length > 1) {
    const [a, b] = rows.map(({ id }) => id).sort((one, other) => one - other).map(String);
    return [
      ...(rows.length === 2 ? [{ label: t("chosen.compare"), act: () => go({ page: "compare", id: null, comparison: { a, b } }) }] : []),
      { label: t("chosen.har"), act: () => saveHAR(rows) },
      { label: copyLabel("url"), act: () => void copyRows("url", rows) },
      { label: copyLabel("markdown"), act: () => void copyRows("markdown", rows) },
      mark,
    ];
  }
  return [
    { label: t("help.open"), key: "Enter", act: open },
    { ...mark, apart: false },
    { label: t("mark.note"), key: "N", act: note },
    ...copyForms.map((form, index) => ({
      label: copyLabel(form), key: form === "curl" ? "C" : undefined, apart: index === 0, act: () => void copyRow(form, row, file),
    })),
    { label: t("detail.har"), act: () => saveHAR(rows) },
    ...filtersOf(row).map((item, index) => ({ ...item, apart: index === 0 })),
  ];
}
