// What scripts add to pages that are whole without them: theme, sorting, filtering, copying. The view is kept in the address.
(() => {
  "use strict";
  const root = document.documentElement;
  const make = (tag, attributes = {}, text = "") => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };
  const announcer = make("p", { class: "hidden", role: "status" });

  // The address

  const asked = new URLSearchParams(location.search);
  const remember = (key, value) => {
    const query = new URLSearchParams(location.search);
    if (value) query.set(key, value);
    else query.delete(key);
    const text = query.toString();
    try {
      history.replaceState(history.state, "", location.pathname + (text ? "?" + text : "") + location.hash);
    } catch {
      // A page opened from a folder may not be let to change its address; the view still changes.
    }
  };

  // Theme

  const themes = { auto: "Auto", light: "Light", dark: "Dark" };
  const tell = () => document.dispatchEvent(new CustomEvent("themechange"));
  const setTheme = (button, theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    button.querySelector(".theme-name").textContent = themes[theme];
    button.setAttribute("aria-label", "Theme: " + themes[theme]);
    tell();
  };
  const startTheme = (button) => {
    const names = Object.keys(themes);
    setTheme(button, root.dataset.theme || "auto");
    button.addEventListener("click", () => {
      const theme = names[(names.indexOf(root.dataset.theme || "auto") + 1) % names.length];
      setTheme(button, theme);
      try {
        if (theme === "auto") localStorage.removeItem("sitegen-theme");
        else localStorage.setItem("sitegen-theme", theme);
      } catch {
        // Storage may be refused: the choice then lasts as long as the page.
      }
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  };

  // Copying

  const copyByHand = (text) => {
    const area = make("textarea", { class: "hidden", readonly: "" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyByHand(text);
    }
  };
  const startCopy = (place) => {
    const source = place.querySelector("pre, code") || place;
    const text = place.dataset.copy || source.textContent;
    const button = make("button", { type: "button", class: "copy", "aria-label": "Copy " + place.dataset.copyLabel });
    button.addEventListener("click", async () => {
      const done = await copy(text);
      button.focus();
      if (!done) getSelection().selectAllChildren(source);
      button.classList.toggle("done", done);
      announcer.textContent = done ? "Copied" : "Selected: copy it with the keyboard";
      setTimeout(() => {
        button.classList.remove("done");
        announcer.textContent = "";
      }, 1600);
    });
    // Beside what it copies, not below the note that may follow.
    if (source === place) place.append(button);
    else (source.closest("a") ?? source).after(button);
  };

  // Tables

  const order = new Intl.Collator("en", { numeric: true });
  const valueOf = (cell) => cell?.dataset.value ?? cell?.textContent.trim() ?? "";
  const facetsOf = (cell) => (cell?.dataset.facet ?? cell?.textContent.trim() ?? "").split("|").filter(Boolean);
  const keyOf = (head) => head.dataset.key || head.textContent.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-");
  // Columns count cells and what they span; no body row of a sortable table spans rows.
  const columnOf = (head) => [...head.parentNode.cells].slice(0, head.cellIndex).reduce((sum, cell) => sum + cell.colSpan, 0);
  const rowsOf = (body) => [...body.rows].filter((row) => !row.classList.contains("group"));

  const sortRows = (body, column, numeric, direction) => {
    const rows = rowsOf(body);
    rows.forEach((row, place) => (row.place ??= place));
    rows.sort((one, other) => {
      const a = valueOf(one.cells[column]);
      const b = valueOf(other.cells[column]);
      // What has no value comes last, whichever way the rows run.
      const last = direction && (a === "") - (b === "");
      return last || direction * (numeric ? a - b : order.compare(a, b)) || one.place - other.place;
    });
    body.append(...rows);
  };

  const startSort = (table) => {
    const heads = [...table.querySelectorAll("th[data-sort]")];
    const given = heads.find((head) => head.hasAttribute("aria-sort"));
    const givenSort = given?.getAttribute("aria-sort");
    const name = table.id + ".sort";
    const sort = (head, direction) => {
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      if (direction) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      else if (given) given.setAttribute("aria-sort", givenSort);
      for (const body of table.tBodies) sortRows(body, columnOf(head), head.dataset.sort === "number", direction);
    };
    for (const head of heads) {
      const key = keyOf(head);
      const button = make("button", { type: "button" });
      button.append(...head.childNodes);
      head.append(button);
      // Up, down, and back to the order that the page came in.
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const direction = !now ? 1 : now === "ascending" ? -1 : head === given ? 1 : 0;
        sort(head, direction);
        const back = !direction || (head === given && head.getAttribute("aria-sort") === givenSort);
        remember(name, back ? "" : (direction < 0 ? "-" : "") + key);
      });
      const wish = asked.get(name);
      if (wish === key || wish === "-" + key) sort(head, wish === key ? 1 : -1);
    }
  };

  const showRows = (table, text, facets, count) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    let all = 0;
    for (const body of table.tBodies) {
      const rows = rowsOf(body);
      let here = 0;
      for (const row of rows) {
        row.words ??= row.textContent.toLowerCase();
        const fits = words.every((word) => row.words.includes(word)) &&
          facets.every(([column, wanted]) => !wanted || facetsOf(row.cells[column]).includes(wanted));
        row.hidden = !fits;
        here += fits;
      }
      for (const row of body.querySelectorAll("tr.group")) row.hidden = !here;
      shown += here;
      all += rows.length;
    }
    count.textContent = (shown === all ? all : `${shown} of ${all}`) + (all === 1 ? " row" : " rows");
  };

  const startFilter = (table) => {
    const tools = make("div", { class: "tools", role: "group", "aria-label": "Filter: " + table.caption.textContent.trim() });
    const count = make("output", { "aria-live": "polite" });
    const facets = [];
    const input = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    const update = () => showRows(table, input.value, facets.map(([column, select]) => [column, select.value]), count);
    const add = (label, control, key) => {
      const name = table.id + "." + key;
      const place = make("label", {}, label + " ");
      place.append(control);
      tools.append(place);
      control.value = asked.get(name) ?? "";
      if (control.selectedIndex < 0) control.value = "";
      let waiting;
      control.addEventListener("input", () => {
        update();
        clearTimeout(waiting);
        waiting = setTimeout(() => remember(name, control.value), 150);
      });
    };
    if (table.dataset.filter) add(table.dataset.filter, input, "q");
    for (const head of table.querySelectorAll("th[data-facet]")) {
      const column = columnOf(head);
      const values = new Set([...table.tBodies].flatMap(rowsOf).flatMap((row) => facetsOf(row.cells[column])));
      if (values.size < 2) continue;
      const select = make("select");
      select.append(new Option("all", ""), ...[...values].sort(order.compare).map((value) => new Option(value, value)));
      facets.push([column, select]);
      add(head.textContent.trim(), select, keyOf(head));
    }
    tools.append(count);
    table.closest(".region").before(tools);
    update();
  };

  // A table that needs no scrolling is no stop for the keyboard, and its head may stay in sight as the page moves.
  const watchRegions = () => {
    const fit = (region) => {
      region.classList.remove("fits");
      const fits = region.scrollWidth <= region.clientWidth;
      region.classList.toggle("fits", fits);
      region.tabIndex = fits ? -1 : 0;
    };
    const observer = new ResizeObserver((entries) => entries.forEach((entry) => fit(entry.target)));
    document.querySelectorAll(".region").forEach((region) => observer.observe(region));
  };

  document.body.append(announcer);
  document.querySelectorAll(".theme-switch").forEach(startTheme);
  document.querySelectorAll("[data-copy]").forEach(startCopy);
  document.querySelectorAll("table[data-filter], table:has(th[data-facet])").forEach(startFilter);
  document.querySelectorAll("table:has(th[data-sort])").forEach(startSort);
  watchRegions();
})();
