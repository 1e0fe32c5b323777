// What cannot wait for the other modules: dark or light, as chosen, before the first paint; and the request for the newest
// rows, so that they come while the modules do. api.js takes the response if the page asks for just that.
"use strict";
{
  const theme = localStorage.getItem("wireweight.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  if (/^(#\/?(list)?)?$/.test(location.hash) && location.search === "") {
    const url = "/api/v1/exchanges?sort=-start&limit=200&within=250";
    const response = fetch(url, { cache: "no-store", credentials: "same-origin" });
    response.catch(() => {});
    Object.assign(globalThis, { wireweightEarly: { url, response } });
  }
}
