// What a reader of screens, and eyes, would stumble over: names, roles, references, contrast. Gives a list of faults.
() => {
  const faults = [];
  const describe = (element) =>
    `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${String(element.getAttribute("class") ?? "")}`;
  const visible = (element) => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return style.visibility !== "hidden" && style.display !== "none" && box.width > 0 && box.height > 0;
  };
  const hidden = (element) => element.closest("[aria-hidden=true]") !== null;
  const all = [...document.querySelectorAll("body *")].filter((element) => visible(element));

  const name = (element) => {
    const by = element.getAttribute("aria-labelledby");
    if (by) return by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
    const label = element.getAttribute("aria-label");
    if (label) return label.trim();
    if (element.labels?.length) return [...element.labels].map((one) => one.textContent).join(" ").trim();
    if (element.matches("img")) return element.getAttribute("alt") ?? "";
    if (element.matches("input, select, textarea")) return element.getAttribute("title") ?? "";
    const text = [...element.querySelectorAll("[aria-hidden=true]")].reduce(
      (text, inner) => text.replace(inner.textContent, ""), element.textContent ?? "");
    return text.trim() || element.getAttribute("title") || "";
  };

  for (const element of all) {
    if (hidden(element)) continue;
    const role = element.getAttribute("role");
    const interactive = element.matches("a[href], button, input, select, textarea, summary, [tabindex='0']") ||
      ["button", "tab", "menuitem", "grid", "tree", "dialog"].includes(role);
    if (interactive && !name(element) && element.tagName !== "MAIN" && !element.matches("pre")) faults.push(`no name: ${describe(element)}`);
    if ((role === "img" || role === "group" || role === "tablist" || role === "grid") && !name(element)) {
      faults.push(`no name: ${describe(element)}`);
    }
    if (element.tagName === "IMG" && !element.hasAttribute("alt")) faults.push(`no alt: ${describe(element)}`);
    for (const attribute of ["aria-controls", "aria-labelledby", "aria-activedescendant"]) {
      const id = element.getAttribute(attribute);
      if (id && !document.getElementById(id)) faults.push(`${attribute} of ${describe(element)} leads nowhere: ${id}`);
    }
    const parents = { row: "[role=grid], [role=table], [role=rowgroup]", gridcell: "[role=row]", tab: "[role=tablist]",
      treeitem: "[role=tree], [role=group]", columnheader: "[role=row]", menuitem: "[role=menu]", listitem: "[role=list]" };
    if (role && parents[role] && !element.parentElement?.closest(parents[role])) faults.push(`${role} alone: ${describe(element)}`);
    if (element.tabIndex > 0) faults.push(`order of its own: ${describe(element)}`);
    if (interactive && element.querySelector("a[href], button, input, select") && ["A", "BUTTON"].includes(element.tagName)) {
      faults.push(`one in the other: ${describe(element)}`);
    }
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) faults.push(`twice: #${id}`);
  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title) faults.push("no title");
  if (document.querySelectorAll("main").length !== 1) faults.push("not one main");

  // Contrast, by WCAG 2: colours as they are painted, through a canvas that knows every way to write one.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const cache = new Map();
  const rgba = (colour) => {
    if (!cache.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      cache.set(colour, [red, green, blue, alpha / 255]);
    }
    return cache.get(colour);
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a)];
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let texts = 0;
  for (const element of all) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim());
    if (!own || element.closest(":disabled, [aria-disabled=true]") || element.tagName === "OPTION") continue;
    const style = getComputedStyle(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    if (rgba(ink)[3] === 0) continue;
    const ground = behind(element);
    const painted = over(rgba(ink), ground);
    const [high, low] = [light(painted), light(ground)].sort((one, other) => other - one);
    const ratio = (high + 0.05) / (low + 0.05);
    texts += 1;
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${describe(element)} “${element.textContent.trim().slice(0, 30)}”`);
  }
  if (texts === 0) faults.push("no text to look at");
  return [...new Set(faults)];
}
