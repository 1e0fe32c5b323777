// The mark and the note of the exchange that is open.
import { fill, h, iconButton } from "./dom.js";
import { noteOf, setMarks, watchMarks } from "./marks.js";
import { t } from "./messages.js";

export function makeNote() {
  const button = h("span", { class: "note-button" });
  const field = h("div", { class: "note-field", hidden: true });
  /** @type {number | null} */
  let shown = null;
  /** Whether the field is open though there is no note yet. */
  let isOpen = false;
  /** What is written and not yet kept. @type {string | null} */
  let draft = null;

  const input = h("input", {
    type: "text", class: "note-input", maxlength: 2000, autocomplete: "off",
    input: () => {
      draft = input.value;
    },
    change: () => keep(),
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      keep();
      document.getElementById("grid")?.focus({ preventScroll: true });
    },
  });
  field.append(input);

  function keep() {
    const id = shown;
    const text = input.value.trim();
    draft = null;
    if (id === null || text === (noteOf(id) ?? "")) return;
    void setMarks([id], true, text);
  }

  function draw() {
    if (shown === null) return;
    const note = noteOf(shown);
    const isMarked = note !== undefined;
    const isFocused = button.contains(document.activeElement);
    fill(button, iconButton("mark", t(isMarked ? "mark.remove" : "mark.set"), () => {
      isOpen = false;
      if (shown !== null) void setMarks([shown], !isMarked);
    }, { "aria-pressed": String(isMarked) }));
    if (isFocused) /** @type {HTMLElement | null} */ (button.firstElementChild)?.focus();
    field.hidden = !isMarked && !isOpen;
    input.placeholder = t("mark.note.write");
    input.setAttribute("aria-label", t("mark.note"));
    if (draft === null) input.value = note ?? "";
  }
  watchMarks(draw);

  return {
    button,
    field,
    /** @param {number | null} id */
    show(id) {
      if (id !== shown) {
        isOpen = false;
        draft = null;
      }
      shown = id;
      draw();
    },
    /** Opens the field to write in. */
    write() {
      isOpen = true;
      draw();
      input.focus();
    },
    /** Whether one writes in the field. */
    get isFocused() {
      return document.activeElement === input;
    },
    focus: () => input.focus(),
  };
}
