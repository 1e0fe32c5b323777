// What cannot wait for the other modules: dark or light, as chosen, before the first paint; and the request for the sums of
// the overview or the newest rows, so that they come while the modules do. api.js takes the response if the page asks for
// just that. The same is true of the other pages, if the address is one of theirs, and of the Chinese words.
"use strict";
{
  const theme = localStorage.getItem("wireweight.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  const isOverview = /^(#\/?(overview)?)?$/.test(location.hash);
  if ((isOverview || /^#\/?list$/.test(location.hash)) && location.search === "") {
    const url = `/api/v1/${isOverview ? "apis?direction=called" : "exchanges?sort=-start&limit=80&within=250"}`;
    const response = fetch(url, { cache: "no-store", credentials: "same-origin" });
    response.catch(() => {});
    Object.assign(globalThis, { wireweightEarly: { url, response } });
  }
  const language = localStorage.getItem("wireweight.language") ?? navigator.language.toLowerCase();
  for (const [name, isWanted] of [
    ["/chinese.js", language.startsWith("zh")], ["/other-pages.js", !/^#\/?list\b/.test(location.hash)],
  ]) {
    if (isWanted) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: name }));
  }
}
