// Runs before the first paint: says that scripts run, and restores the theme the reader chose.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("sitegen-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be refused: the reader's system decides.
  }
})();
