// The files that the page can open beside its own: earlier runs, files named at the start, and files given to it.
import { get, send, shownFile } from "./api.js";
import { fill, h } from "./dom.js";
import { bytes, clock } from "./format.js";
import { t } from "./messages.js";

/** @typedef {{ id: string, name: string, kind: "main" | "named" | "run" | "given", start: number | null }} OtherFile */

/** The bytes of a piece; the server takes no more at once. */
const piece = 65_536;

/** @returns {Promise<{ files: OtherFile[], previous: string | null, canAdd: boolean }>} */
export function otherFiles() {
  return get("files");
}

/** @param {OtherFile} file */
export function fileName({ name, kind, start }) {
  if (kind === "main") return t("files.main", { name });
  if (kind === "run" && start !== null) return t("files.run", { time: `${new Date(start).toLocaleDateString()} ${clock(start)}` });
  return name;
}

/**
 * Shows another file instead of this one, under the same page.
 * @param {string | null} id
 * @param {string} [hash]
 */
export function openFile(id, hash = location.hash) {
  if ((id ?? "main") === (shownFile ?? "main")) return;
  location.assign((id === null || id === "main" ? "/" : `/?file=${encodeURIComponent(id)}`) + hash);
}

/**
 * Sends a file to the server, piece by piece.
 * @param {File} file
 * @param {(sent: number) => void} progress
 * @param {AbortSignal} signal
 * @returns {Promise<string>} its number there
 */
export async function give(file, progress, signal) {
  const { id } = await send("files", { name: file.name, size: file.size }, "", signal);
  for (let offset = 0; offset < file.size; offset += piece) {
    await send(`files/${id}`, { offset }, file.slice(offset, offset + piece), signal);
    progress(Math.min(file.size, offset + piece));
  }
  return id;
}

/**
 * Takes files that are dropped on the page, or chosen.
 * @param {HTMLDialogElement} dialog
 * @param {(id: string) => void} taken
 */
export function makeFileTaker(dialog, taken) {
  const input = h("input", {
    type: "file", class: "hidden-input", tabindex: -1, "aria-hidden": "true", accept: ".har,.json,.db,.sqlite,.sqlite3",
    change: () => {
      const file = input.files?.[0];
      input.value = "";
      if (file) void take(file);
    },
  });
  const target = h("div", { class: "drop-target", hidden: true }, h("b", {}));
  document.body.append(input, target);
  let allowed = false;

  /** @param {File} file */
  async function take(file) {
    const stop = new AbortController();
    const bar = h("progress", { max: file.size, value: 0, "aria-labelledby": "dialog-title" });
    const text = h("p", { class: "quiet" }, t("files.sent", { n: bytes(0), of: bytes(file.size) }));
    const end = h("button", { type: "button", class: "button", click: () => dialog.close() }, t("cancel"));
    fill(dialog, h("h2", { id: "dialog-title" }, t("files.opening", { name: file.name })), bar, text,
      h("div", { class: "dialog-buttons" }, end));
    dialog.setAttribute("aria-labelledby", "dialog-title");
    dialog.addEventListener("close", () => stop.abort(), { once: true });
    dialog.showModal();
    end.focus();
    try {
      const id = await give(file, (sent) => {
        bar.value = sent;
        fill(text, sent < file.size ? t("files.sent", { n: bytes(sent), of: bytes(file.size) }) : t("files.reading"));
      }, stop.signal);
      dialog.close();
      taken(id);
    } catch (error) {
      if (stop.signal.aborted) return;
      bar.remove();
      text.className = "error";
      text.setAttribute("role", "alert");
      fill(text, String(/** @type {Error} */ (error).message));
      fill(end, t("close"));
    }
  }

  /** @param {DragEvent} event */
  const hasFiles = (event) => allowed && !dialog.open && (event.dataTransfer?.types.includes("Files") ?? false);
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    fill(/** @type {Element} */ (target.firstChild), t("files.drop"));
    target.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) target.hidden = true;
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    target.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (file) void take(file);
  });

  return {
    /** @param {boolean} may whether the server takes files */
    allow(may) {
      allowed = may;
    },
    /** Lets the person choose a file. */
    choose: () => input.click(),
  };
}
