// Sets dark or light, as chosen, before the first paint.
"use strict";
{
  const theme = localStorage.getItem("wireweight.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}
