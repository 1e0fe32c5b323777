// A path as the list shows it: what is the same in each call of its API is read first, the rest is quiet.

/**
 * A segment with percent signs decoded, unless that would show what cannot be seen or changes the order of letters.
 * @param {string} text
 */
export function readable(text) {
  if (!text.includes("%")) return text;
  try {
    const decoded = decodeURI(text);
    return /[\p{C}\p{Z}]/u.test(decoded) ? text : decoded;
  } catch {
    return text;
  }
}

/**
 * The pieces of a path, in order: those that its template has words for, and those in the place of its parameters.
 * @param {string} path
 * @param {string} template
 * @returns {{ text: string, isParameter: boolean }[]}
 */
export function pathPieces(path, template) {
  const segments = path.split("/");
  const names = template.split("/");
  if (segments.length !== names.length) return [{ text: readable(path), isParameter: false }];
  /** @type {{ text: string, isParameter: boolean }[]} */
  const pieces = [];
  /**
   * @param {string} text
   * @param {boolean} isParameter
   */
  function add(text, isParameter) {
    const last = pieces.at(-1);
    if (last && last.isParameter === isParameter) last.text += text;
    else if (text) pieces.push({ text, isParameter });
  }
  segments.forEach((segment, index) => {
    if (index > 0) add("/", false);
    const name = names[index];
    const open = name.indexOf("{");
    if (open < 0) return add(readable(segment), false);
    // Words around the parameter, such as a file's extension.
    const before = name.slice(0, open);
    const after = name.slice(name.lastIndexOf("}") + 1);
    const fits = segment.length >= before.length + after.length && segment.startsWith(before) && segment.endsWith(after);
    if (!fits) return add(readable(segment), true);
    add(before, false);
    add(readable(segment.slice(before.length, segment.length - after.length)), true);
    add(after, false);
  });
  return pieces;
}

/**
 * The pieces before the last segment, and those of it, which are read first and cut last.
 * @param {ReturnType<typeof pathPieces>} pieces
 */
export function atLastSegment(pieces) {
  const before = pieces.map((piece) => ({ ...piece }));
  /** @type {typeof pieces} */
  const last = [];
  // A slash at the end belongs to the segment before it.
  let isEnd = true;
  for (let piece = before.pop(); piece; piece = before.pop()) {
    const at = piece.text.slice(0, isEnd && piece.text.endsWith("/") ? -1 : undefined).lastIndexOf("/");
    isEnd = isEnd && piece.text === "/";
    if (at >= 0) {
      last.unshift({ ...piece, text: piece.text.slice(at) });
      if (at > 0) before.push({ ...piece, text: piece.text.slice(0, at) });
      break;
    }
    last.unshift(piece);
  }
  return { before, last };
}
