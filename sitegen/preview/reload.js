// Added to every page of a preview: shows what changes, and what is wrong, as soon as the server tells.
(() => {
  "use strict";
  const script = document.currentScript;
  const own = new URL("./", script.src);
  let { server, pages, page } = script.dataset;
  let build = -1;

  // Reloading, with what the reader has done to the page

  const VIEW = "sitegen-view";
  const named = () => {
    const seen = {};
    return [...document.querySelectorAll("details")].map((each) => {
      const text = each.querySelector("summary")?.textContent.trim() ?? "";
      seen[text] = (seen[text] ?? 0) + 1;
      return [text + " " + seen[text], each];
    });
  };
  const regions = () => [...document.querySelectorAll(".region")];
  const remember = () => {
    const active = document.activeElement;
    const alike = active && active !== document.body ? [...document.querySelectorAll(active.tagName)] : [];
    const view = {
      x: scrollX,
      y: scrollY,
      open: Object.fromEntries(named().map(([name, each]) => [name, each.open])),
      regions: regions().map((each) => each.scrollLeft),
      focus: alike.length ? [active.tagName, alike.indexOf(active), active.selectionStart ?? null] : null,
    };
    try {
      sessionStorage.setItem(VIEW, JSON.stringify(view));
    } catch {
      // Storage may be refused: the browser then restores what it can.
    }
  };
  const recall = () => {
    let view;
    try {
      view = JSON.parse(sessionStorage.getItem(VIEW));
      sessionStorage.removeItem(VIEW);
    } catch {
      // As above.
    }
    if (!view) return;
    for (const [name, each] of named()) each.open = view.open[name] ?? each.open;
    const settle = () => {
      regions().forEach((each, place) => (each.scrollLeft = view.regions[place] ?? 0));
      scrollTo({ left: view.x, top: view.y, behavior: "instant" });
    };
    settle();
    if (document.readyState !== "complete") addEventListener("load", settle, { once: true });
    const [tag, place, caret] = view.focus ?? [];
    const active = tag && document.querySelectorAll(tag)[place];
    active?.focus({ preventScroll: true });
    if (caret !== null && active?.type === "search") active.setSelectionRange(caret, caret);
  };

  // What is typed goes into the address a moment later: a reload waits for that.
  const TYPING = 250;
  let typed = -TYPING;
  document.addEventListener("input", () => (typed = performance.now()), true);
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  let leaving = false;
  const reload = async () => {
    if (leaving) return;
    leaving = true;
    for (let left; (left = typed + TYPING - performance.now()) > 0; ) await pause(left);
    remember();
    location.reload();
  };

  // Style sheets

  const restyle = (styles) => {
    for (const link of document.querySelectorAll("link[rel=stylesheet]:not([data-replaced])")) {
      const now = new URL(link.href).pathname;
      const wanted = styles[now.split("/").pop().split(".")[0]];
      if (!wanted || wanted === now) continue;
      const fresh = link.cloneNode();
      fresh.href = wanted;
      link.dataset.replaced = "";
      fresh.addEventListener("load", () => {
        link.remove();
        document.dispatchEvent(new CustomEvent("themechange")); // charts read their colours again
      });
      link.after(fresh);
    }
  };

  // What is wrong

  const make = (tag, name, text = "") => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.textContent = text;
    return element;
  };
  const item = (problem) => {
    const where = make("p", "where");
    where.append(make("code", "", problem.file), " ", make("span", problem.severity, `${problem.severity}[${problem.code}]`));
    if (problem.place) where.append(" ", make("code", "", problem.place));
    const line = make("li");
    line.append(where, make("p", "message", problem.message), make("p", "hint", problem.hint));
    return line;
  };
  let host = null;
  let panel = null;
  const open = () => {
    host = make("div");
    host.id = "sitegen-notice";
    const shadow = host.attachShadow({ mode: "open" });
    const sheet = make("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL("notice.css", own);
    const section = make("section");
    section.setAttribute("role", "alert");
    section.setAttribute("aria-label", "What is wrong");
    panel = make("details", "notice");
    panel.open = true;
    panel.append(make("summary"), make("ul"));
    section.append(panel);
    for (const loaded of ["load", "error"]) sheet.addEventListener(loaded, () => shadow.append(section));
    shadow.append(sheet);
    document.body.append(host);
  };
  const complain = (problems) => {
    if (!problems.length) {
      host?.remove();
      host = null;
      return;
    }
    if (!host) open();
    const count = problems.length === 1 ? "1 problem keeps" : `${problems.length} problems keep`;
    panel.querySelector("summary").textContent = `${count} the site as it was`;
    panel.querySelector("ul").replaceChildren(...problems.map(item));
  };

  // News from the server

  const ask = async (query, signal) => {
    const answer = await fetch(new URL("poll?" + new URLSearchParams(query), own), { cache: "no-store", signal });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json();
  };
  // Another server: it may show the same page, and then this one stays.
  const meet = async () => {
    const text = await (await fetch(location.href, { cache: "no-store" })).text();
    const about = [...text.matchAll(/data-server="(\w+)" data-pages="(\d+)" data-page="(\w+)"/g)].at(-1);
    if (about?.[3] !== page) return false;
    [, server, pages] = about;
    build = -1;
    return true;
  };
  const hear = async (news) => {
    if (news.server !== server && !(await meet())) return reload();
    if (news.server !== server || news.build < build) return;
    build = news.build;
    if (news.pages > Number(pages)) return reload();
    restyle(news.styles);
    complain(news.problems);
  };

  // One of the tabs that are seen asks, and tells the others: a browser opens only a few connections to one server.
  const seen = () => document.visibilityState === "visible";
  const tabs = "BroadcastChannel" in window ? new BroadcastChannel("sitegen") : null;
  tabs?.addEventListener("message", (event) => {
    if (seen()) hear(event.data).catch(() => {});
  });
  const follow = async (signal) => {
    let wait = 100;
    while (!signal.aborted) {
      try {
        const news = await ask({ server, build }, signal);
        tabs?.postMessage(news);
        await hear(news);
        wait = 100;
      } catch {
        await pause(wait);
        wait = Math.min(2 * wait, 3000);
      }
    }
  };
  const begin = async ({ signal }) => {
    try {
      await hear(await ask({}, signal));
    } catch {
      // The server is away: whoever follows it will find it.
    }
    if (signal.aborted) return;
    if (!navigator.locks) await follow(signal);
    else await navigator.locks.request("sitegen", { signal }, () => follow(signal)).catch(() => {});
  };
  let attention = new AbortController();
  const attend = () => {
    attention.abort();
    attention = new AbortController();
    if (seen()) begin(attention);
  };

  recall();
  document.addEventListener("visibilitychange", attend);
  addEventListener("pageshow", (event) => event.persisted && attend());
  attend();
})();
