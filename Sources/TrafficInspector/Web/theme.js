// Before the first paint: dark or light, as it was chosen here.
"use strict";
{
  const theme = localStorage.getItem("wireweight.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}
