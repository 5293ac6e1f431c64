/* Draws each chart again with Plotly once it is near the view, over the SVG that the page came with. If anything fails,
   the SVG stays. What the reader chooses is in the page's query: `linear` or `log` for a chart's scale, `hide` for a series. */
"use strict";

(() => {
  const root = document.documentElement;
  const figures = [...document.querySelectorAll("figure.chart[data-chart]")];
  const source = document.querySelector('meta[name="plotly"]');
  if (!figures.length || !source || !("IntersectionObserver" in window)) return;

  const coarse = window.matchMedia("(pointer: coarse)");
  const live = new Set();
  let loading = null;

  /* The script once, without the style sheets that it would put into the page: the page's policy forbids them, and
     charts.css has what these charts need. An element of this id and class is how Plotly lets a page say so; the one
     sheet that it adds regardless, for maps, is dropped on its way. */
  function load() {
    loading ??= new Promise((resolve, reject) => {
      source.id = "plotly.js-style-global";
      source.className = "no-inline-styles";
      const head = document.head;
      head.appendChild = (node) => (node.nodeName === "STYLE" ? node : Node.prototype.appendChild.call(head, node));
      const script = document.createElement("script");
      script.src = source.content;
      script.onload = () => {
        delete head.appendChild;
        if (window.Plotly) resolve(window.Plotly);
        else reject(new Error("no Plotly"));
      };
      script.onerror = () => {
        delete head.appendChild;
        reject(new Error("no script"));
      };
      head.append(script);
    });
    return loading;
  }

  /* The query: read when it is needed, since other scripts write it too. */
  function choices(name) {
    return new URLSearchParams(location.search).getAll(name);
  }

  function choose(name, value, chosen) {
    const query = new URLSearchParams(location.search);
    const others = query.getAll(name).filter((each) => each !== value);
    query.delete(name);
    for (const each of chosen ? [...others, value] : others) query.append(name, each);
    const text = query.toString();
    history.replaceState(history.state, "", location.pathname + (text && "?" + text) + location.hash);
  }

  /* Colours as the theme has them now. */
  function palette(plot) {
    const probe = document.createElement("span");
    plot.append(probe);
    const read = (name) => {
      probe.style.color = "var(" + name + ")";
      return getComputedStyle(probe).color;
    };
    const colours = {
      series: (place) => read("--series-" + place),
      paper: read("--chart-paper"),
      ink: read("--chart-ink"),
      muted: read("--chart-muted"),
      line: read("--chart-line"),
      font: getComputedStyle(plot).fontFamily,
      done: () => probe.remove(),
    };
    return colours;
  }

  const faint = (colour, part) => colour.replace(/^rgb\((.*)\)$/, "rgba($1, " + part + ")");

  class Live {
    constructor(figure, Plotly) {
      this.Plotly = Plotly;
      this.id = figure.dataset.chart || figure.id;
      this.figure = figure;
      this.plot = figure.querySelector(".chart-plot");
      this.given = JSON.parse(figure.querySelector("script.chart-figure").textContent);
      this.ranking = this.plot.classList.contains("chart-ranking");
      this.axis = this.ranking ? "xaxis" : "yaxis";
      this.log = this.given.layout[this.axis].type === "log";
      this.other = this.log ? "linear" : "log";
      this.switched = choices(this.other).includes(this.id);
      this.hidden = new Set(choices("hide").filter((each) => each.startsWith(this.id + ".")).map((each) => each.slice(this.id.length + 1)));
      this.drag = coarse.matches ? false : "zoom";
      this.moved = false;
      // From 1: Plotly takes a revision of 0 for none, and then forgets what the reader zoomed to.
      this.view = 1;
      this.taps = 0;
      this.box = document.createElement("div");
      this.box.className = "chart-live";
      this.box.setAttribute("role", "group");
      this.box.setAttribute("aria-label", this.title() + ", interactive");
    }

    title() {
      return this.plot.querySelector(".chart-svg > title").textContent;
    }

    async start() {
      this.plot.append(this.box);
      try {
        await this.draw();
      } catch (error) {
        this.box.remove();
        throw error;
      }
      this.plot.classList.add("is-live");
      this.box.addEventListener("pointerdown", () => { this.taps += 1; }, true);
      this.box.on("plotly_relayout", (change) => this.changed(change));
      this.box.on("plotly_doubleclick", () => this.reset());
      this.box.on("plotly_click", (event) => this.follow(event));
      this.box.on("plotly_hover", (event) => this.box.classList.toggle("is-link", Boolean(event.points[0].customdata)));
      this.box.on("plotly_unhover", () => this.box.classList.remove("is-link"));
      this.addTools();
      this.addKey();
      new ResizeObserver(() => this.fit()).observe(this.plot);
    }

    /* The figure as the page gave it, in this theme and with what the reader chose. */
    drawn(colours) {
      const layout = structuredClone(this.given.layout);
      const data = structuredClone(this.given.data);
      for (const trace of data) paint(trace, colours);
      for (const trace of data) if (this.hidden.has(trace.legendgroup)) trace.visible = false;
      for (const name of ["xaxis", "yaxis"]) {
        Object.assign(layout[name], {
          gridcolor: colours.line, showline: false, zeroline: false, ticks: "",
          tickfont: { color: colours.muted }, ticklabelstandoff: name === "xaxis" ? 3 : 4, tickformat: ",.12~g",
        });
        // Sizes keep their own ticks. Three are asked for on a log axis, which has Plotly label 1, 2 and 5, and not every digit.
        if (this.moved && !layout[name].fixedrange && name === this.axis) {
          Object.assign(layout[name], { tickmode: "auto", nticks: layout[name].type === "log" ? 3 : 6 });
        }
      }
      if (this.switched) {
        Object.assign(layout[this.axis], { type: this.other, autorange: true, rangemode: "tozero", tickmode: "auto", nticks: this.other === "log" ? 3 : 6 });
        delete layout[this.axis].range;
      }
      Object.assign(layout, {
        dragmode: this.drag, font: { family: colours.font, size: 12, color: colours.ink },
        paper_bgcolor: "rgba(0, 0, 0, 0)", plot_bgcolor: "rgba(0, 0, 0, 0)", uirevision: this.view,
        hoverlabel: { bgcolor: colours.paper, font: { color: colours.ink }, align: "left", namelength: -1 },
      });
      return { data, layout };
    }

    /* The same figure, in the place of the SVG: its margins, and its titles and row labels, which stay. */
    placed(colours) {
      const { data, layout } = this.drawn(colours);
      const style = getComputedStyle(this.plot);
      const [t, r, b, l] = ["Top", "Right", "Bottom", "Left"].map((side) => parseFloat(style["padding" + side]));
      Object.assign(layout, { width: this.plot.clientWidth, height: this.plot.clientHeight, margin: { t, r, b, l, pad: 0 } });
      layout.xaxis.title = layout.yaxis.title = { text: "" };
      if (this.ranking) Object.assign(layout.yaxis, { showticklabels: false, griddash: "1px,3px" });
      const narrow = this.plot.querySelector(".chart-x .chart-roomy");
      if (narrow && getComputedStyle(narrow).display === "none") thin(layout.xaxis, this.plot);
      return { data, layout };
    }

    async draw() {
      const colours = palette(this.plot);
      const { data, layout } = this.placed(colours);
      colours.done();
      this.plot.classList.toggle("is-moved", this.moved || this.switched);
      for (const end of this.plot.querySelectorAll(".chart-end")) end.classList.toggle("is-hidden", this.hidden.has(end.textContent));
      await this.Plotly.react(this.box, data, layout, {
        displayModeBar: false, displaylogo: false, showTips: false, doubleClick: false, staticPlot: false, locale: "en",
        responsive: false, sendData: false, showSendToCloud: false,
      });
    }

    fit() {
      const box = this.box._fullLayout;
      if (box && (box.width !== this.plot.clientWidth || box.height !== this.plot.clientHeight)) this.draw();
    }

    changed(change) {
      if (this.moved || !Object.keys(change).some((each) => /axis\.range/.test(each))) return;
      this.moved = true;
      this.draw();
    }

    reset() {
      this.moved = false;
      this.view += 1;
      this.draw();
    }

    follow({ points: [point], event }) {
      const href = point.customdata;
      if (!href) return;
      if (coarse.matches && !this.again(point.curveNumber + "." + point.pointNumber)) return;
      const url = new URL(href, document.baseURI);
      if (!["http:", "https:", "file:"].includes(url.protocol)) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) window.open(url.href, "_blank", "noopener");
      else location.assign(url.href);
    }

    /* A finger has no hover: its first tap shows the figure, its second follows it. One tap may come as two clicks. */
    again(place) {
      if (this.tapped?.place === place) return this.taps > this.tapped.tap;
      this.tapped = { place, tap: this.taps };
      return false;
    }

    addTools() {
      const tools = document.createElement("div");
      tools.className = "chart-tools";
      tools.setAttribute("role", "group");
      tools.setAttribute("aria-label", this.title() + ": tools");
      const add = (text, told, act, pressed) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.title = told;
        const show = () => pressed && button.setAttribute("aria-pressed", String(pressed()));
        button.addEventListener("click", () => {
          act();
          for (const each of shown) each();
        });
        show();
        shown.push(show);
        tools.append(button);
      };
      const shown = [];
      add(this.other === "linear" ? "Linear" : "Log", "Show values on a " + this.other + " scale", () => this.rescale(), () => this.switched);
      for (const [text, mode, told] of [["Zoom", "zoom", "Drag to zoom"], ["Pan", "pan", "Drag to move"]]) {
        add(text, told, () => this.dragBy(this.drag === mode ? false : mode), () => this.drag === mode);
      }
      add("Reset", "Show everything again", () => this.reset());
      add("PNG", "Download as PNG", () => this.download("png"));
      add("SVG", "Download as SVG", () => this.download("svg"));
      this.plot.append(tools);
    }

    rescale() {
      this.switched = !this.switched;
      choose(this.other, this.id, this.switched);
      this.reset();
    }

    dragBy(mode) {
      this.drag = mode;
      this.draw();
    }

    /* The names in the key become switches, in the place where they stand. */
    addKey() {
      for (const entry of this.figure.querySelectorAll(".chart-key li[data-series]")) {
        const name = entry.dataset.series;
        const button = document.createElement("button");
        button.type = "button";
        button.append(...entry.childNodes);
        const show = () => button.setAttribute("aria-pressed", String(!this.hidden.has(name)));
        button.addEventListener("click", () => {
          if (!this.hidden.delete(name)) this.hidden.add(name);
          choose("hide", this.id + "." + name, this.hidden.has(name));
          show();
          this.draw();
        });
        show();
        entry.append(button);
      }
    }

    /* Plotly's own PNG needs an image from a blob, which the page's policy forbids: its SVG goes over a canvas. */
    async download(format) {
      const colours = palette(this.plot);
      const { data, layout } = this.drawn(colours);
      const size = { width: 960, height: this.ranking ? 150 + 24 * data[0].y.length : 480 };
      Object.assign(layout, size, {
        paper_bgcolor: colours.paper, margin: { t: 64, r: 24, b: 64, l: 72 }, showlegend: !this.ranking,
        title: { text: plain(this.title()), x: 0.02, font: { size: 15 } },
      });
      layout.yaxis.automargin = true;
      colours.done();
      const address = await this.Plotly.toImage({ data, layout }, { format: "svg", ...size });
      const link = document.createElement("a");
      link.download = this.id + "." + format;
      link.href = format === "svg" ? address : await raster(address, size);
      link.click();
    }
  }

  function paint(trace, colours) {
    const { colour, colours: places, band } = trace.meta;
    if (band) {
      const shade = colours.series(colour);
      Object.assign(trace, { fillcolor: faint(shade, 0.18), line: { width: 1, color: faint(shade, 0.4) } });
      return;
    }
    const shade = places ? places.map(colours.series) : colours.series(colour);
    trace.line = { ...trace.line, width: 1.75, color: places ? undefined : shade };
    trace.marker = { ...trace.marker, ...marks(trace.marker.symbol, shade, colours.paper) };
    trace.hoverlabel = { bordercolor: shade };
    if (trace.error_x) Object.assign(trace.error_x, { color: colours.muted, thickness: 1, width: 0 });
  }

  /* Open markers are filled with the page's colour, as in the SVG, so that no line runs through them. */
  function marks(symbol, shade, paper) {
    const each = (value, place) => (Array.isArray(value) ? value[place] : value);
    if (!Array.isArray(symbol)) return { color: shade, opacity: 1, line: { width: 1, color: paper } };
    const open = symbol.map((name) => name.endsWith("-open"));
    return {
      opacity: 1,
      symbol: symbol.map((name) => name.replace("-open", "")),
      color: open.map((is, place) => (is ? paper : each(shade, place))),
      line: { width: open.map((is) => (is ? 1.5 : 1)), color: open.map((is, place) => (is ? each(shade, place) : paper)) },
    };
  }

  /* On a narrow plot, the labels of the SVG that its style sheet leaves. */
  function thin(axis, plot) {
    if (axis.tickmode !== "array") return;
    const labels = [...plot.querySelectorAll(".chart-x text")];
    axis.ticktext = axis.ticktext.map((text, place) => (getComputedStyle(labels[place]).display === "none" ? "" : text));
  }

  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  function raster(address, { width, height }) {
    return new Promise((resolve, reject) => {
      const image = new Image();
      image.onload = () => {
        const canvas = document.createElement("canvas");
        canvas.width = 2 * width;
        canvas.height = 2 * height;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        resolve(canvas.toDataURL("image/png"));
      };
      image.onerror = reject;
      image.src = address;
    });
  }

  async function enhance(figure) {
    try {
      const chart = new Live(figure, await load());
      await chart.start();
      live.add(chart);
    } catch {
      figure.dataset.chartState = "static";
    }
  }

  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      enhance(entry.target);
    }
  }, { rootMargin: "240px" });
  for (const figure of figures) near.observe(figure);

  const redraw = () => live.forEach((chart) => chart.draw());
  new MutationObserver(redraw).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
})();
