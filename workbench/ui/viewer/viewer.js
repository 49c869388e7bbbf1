// The controls around the pages, and the meeting point with Python.

const AT_REST = 700; // milliseconds after which nothing else is wanted, and the next evidence can be fetched
const PREPARED = 8; // pieces of evidence nearest to the one that is open
const viewers = new WeakMap();
const KEYS = {
  PageUp: "previous-page",
  PageDown: "next-page",
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first-page",
  End: "last-page",
  "+": "zoom-in",
  "=": "zoom-in",
  "-": "zoom-out",
  0: "zoom-fit",
  r: "rotate",
  t: "toggle-pages",
  n: "next-evidence",
  p: "previous-evidence",
};

class Viewer {
  constructor(root) {
    this.root = root;
    this.wishes = 0; // how often Python was asked for other evidence
    this.find = (selector) => root.querySelector(selector);
    this.section = this.find(".viewer");
    this.scroll = this.find(".scroll");
    this.stack = new PageStack(this.scroll, (index) => this.showPage(index));
    this.overview = new Overview(this.find(".overview"), (index) => this.pickPage(index));
    this.finder = new DocumentFinder(this.find, this.stack);
    this.grid = new Grid(root, (text) => this.announce(text));
    this.section.addEventListener("click", (event) => this.clicked(event));
    this.section.addEventListener("keydown", (event) => this.pressed(event));
    this.section.addEventListener("focusout", (event) => this.left(event));
    this.find(".page").addEventListener("change", (event) => this.typedPage(event.target.value));
    this.fitHeight = () => this.setHeight();
    window.addEventListener("resize", this.fitHeight);
    this.linkClicked = (event) => this.followed(event);
    document.addEventListener("click", this.linkClicked, true);
  }

  close() {
    window.removeEventListener("resize", this.fitHeight);
    document.removeEventListener("click", this.linkClicked, true);
    clearTimeout(this.resting);
    this.finder.close();
    this.overview.close();
    this.grid.close();
    this.stack.close();
  }

  // --- what Python wants --------------------------------------------------------------------------------------------

  /** Take new data. The reader is moved only when Python names another place. */
  async update(data, send) {
    const reopened = this.data?.document !== data.document;
    if (this.overtakes(data)) return;
    this.data = data;
    this.send = send;
    this.setHeight();
    this.showTitle(data.title);
    this.showNotices(data.notices);
    if (reopened) this.loading = this.load(data);
    // A newer update of the same document waits for it as well, and does the rest.
    if (!(await this.loading) || this.data !== data) return;
    if (data.cells) this.grid.setCited(data.cells);
    this.stack.setHighlights(data.highlights);
    this.stops = data.highlights.filter((highlight) => highlight.boxes.length);
    if (this.overviewOf !== data.document) this.overview.open(this.base, this.stack, new Set(this.stops.map((stop) => stop.page)));
    this.overviewOf = data.document;
    if (this.place !== data.place) {
      this.place = data.place;
      this.showAsCells(Boolean(data.cells));
      // Who is there already may have moved on meanwhile.
      if (this.ahead !== data.link) this.goToPlace();
      this.ahead = null;
      this.takeFocus();
    }
    this.showEvidence();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.prepare(), AT_REST);
  }

  /** Tell whether the reader, faster than Python, has stepped on from what `data` shows: its screen was drawn before Python
   * learned of the last wish, and another one is coming. Where Python knows less than before, it has begun anew. */
  overtakes(data) {
    if (!this.data || data.followed < this.data.followed) this.wishes = data.followed;
    if (this.data && data.followed < this.wishes) return true;
    this.wanted = null;
    this.closing = false;
    return false;
  }

  /** Ask Python for other evidence, or with null to forget what was asked before and is not drawn yet. */
  wish(index) {
    this.wanted = index;
    this.wishes += 1;
    this.send("evidence", { number: this.wishes, index });
  }

  /** Ask Python to take the viewer away. Keys that come after it are nobody's. */
  wishToClose() {
    this.closing = true;
    this.wishes += 1;
    this.send("close", { number: this.wishes });
  }

  /** Which evidence the reader is at, and of how many. */
  get position() {
    const { index, count } = this.data.evidence ?? { index: this.stop, count: this.stops.length };
    return { index: this.wanted ?? index, count };
  }

  prepare() {
    if (this.asCells || !this.data) return;
    const here = this.data.evidence?.index ?? 0;
    const nearest = [...this.data.stops].sort((a, b) => Math.abs(a.mention - here) - Math.abs(b.mention - here));
    this.stack.prepare([...new Set(nearest.slice(0, PREPARED).map(({ page }) => page - 1))]);
  }

  /** Show a spreadsheet as cells, or as the pages that were made of it. */
  showAsCells(asCells) {
    this.section.classList.toggle("has-cells", Boolean(this.data.cells));
    this.section.classList.toggle("as-cells", asCells);
    this.find(".grid").hidden = !asCells;
    this.find(".body").hidden = asCells;
    this.find('[data-do="toggle-cells"]').textContent = asCells ? "Show as pages" : "Show as cells";
    if (asCells && this.finder.isOpen) this.toggleFind(false);
  }

  get asCells() {
    return this.section.classList.contains("as-cells");
  }

  /** Whether the pages at hand are those of the document that is wanted. */
  get loaded() {
    return this.stack.base === this.base;
  }

  /** What the reader reads: the keys go there. */
  get reading() {
    return this.asCells ? this.find(".cells") : this.scroll;
  }

  goToPlace() {
    if (!this.loaded) return;
    this.ahead = null;
    if (this.asCells) this.grid.goToPlace();
    const target = this.stops.find((stop) => stop.active && stop.page === this.data.page);
    this.stop = Math.max(0, this.stops.indexOf(target));
    this.stack.goTo(this.data.page - 1, target?.boxes[0]);
  }

  /** The keys work at once, unless someone writes elsewhere on the page. */
  takeFocus() {
    const focused = document.activeElement;
    if (focused?.matches("input, textarea, select, [contenteditable=true]") || this.finder.isOpen) return;
    if (this.data.evidence) this.reading.focus({ preventScroll: true });
  }

  /** A click on the link of what is open already changes nothing for Python; the reader still wants to be there. */
  followed(event) {
    const link = event.composedPath().find((node) => node.tagName === "A");
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    const href = link?.getAttribute("href");
    if (!plain || !href || !this.data?.link || !this.stack.count) return;
    if (this.wishes > this.data.followed) this.wish(null); // the click is newer than the keys
    const stop = this.data.stops.find((each) => each.link === href);
    if (stop) {
      this.goAhead(stop);
      this.wanted = stop.mention;
    }
    if (href !== this.data.link) return;
    this.goToPlace();
    setTimeout(() => this.takeFocus()); // once the click has given the focus to the link
  }

  /** Go to other evidence in this document at once: Python, told by someone else, will name the same place in a moment. */
  goAhead({ link, page, highlights }) {
    if (this.asCells || !this.loaded) return;
    this.ahead = link;
    this.stack.setHighlights([...this.data.highlights.map((each) => ({ ...each, active: false })), ...highlights]);
    this.stack.goTo(page - 1, highlights.find((each) => each.page === page)?.boxes[0]);
  }

  /** Undo going ahead before Python has followed. */
  goBack() {
    if (!this.loaded) return;
    this.stack.setHighlights(this.data.highlights);
    this.goToPlace();
  }

  /** Fetch the sizes of all pages. Tell whether the document is the one still wanted. */
  async load(data) {
    this.base = `/documents/${encodeURIComponent(data.document)}`;
    this.place = null;
    try {
      const answer = await fetch(`${this.base}/geometry.json`);
      if (this.data?.document !== data.document) return false;
      if (!answer.ok) throw new Error(answer.status === 404 ? "It is no longer there." : `HTTP ${answer.status}`);
      const geometry = await answer.json();
      if (this.data?.document !== data.document) return false;
      if (!geometry.sizes.length) throw new Error("It has no pages to show.");
      this.stack.open(this.base, geometry);
      this.finder.open(this.base);
      if (data.cells) await this.grid.open(this.base);
      this.find(".download").href = `${this.base}/original`;
      return true;
    } catch (error) {
      this.data = null; // the next update tries again
      this.showNotices([{ text: `The document could not be opened. ${error.message}` }]);
      return false;
    }
  }

  setHeight() {
    const top = this.section.getBoundingClientRect().top + window.scrollY;
    this.section.style.height = `${Math.max(360, window.innerHeight - Math.max(0, top) - 12)}px`;
  }

  showTitle(text) {
    const title = this.find(".title");
    title.hidden = !text;
    title.textContent = text || "";
    title.title = text || "";
    this.section.setAttribute("aria-label", text ? `Document ${text}` : "Document viewer");
  }

  showNotices(notices) {
    const lines = notices.map(({ text, link, label }) => {
      const line = document.createElement("p");
      line.append(text);
      if (link) {
        const there = document.createElement("a");
        there.href = link;
        there.textContent = label;
        line.append(" ", there);
      }
      return line;
    });
    this.find(".notices").replaceChildren(...lines);
  }

  // --- what the bar shows -------------------------------------------------------------------------------------------

  showPage(index) {
    const field = this.find(".page");
    const count = this.stack.count;
    const printed = this.stack.geometry.labels[index + 1];
    if (this.root.activeElement !== field) field.value = index + 1;
    field.style.width = `${String(count).length + 2}ch`;
    this.find(".count").textContent = printed ? `of ${count} · ${printed}` : `of ${count}`;
    this.find('[data-do="previous-page"]').disabled = index === 0;
    this.find('[data-do="next-page"]').disabled = index === count - 1;
    this.section.querySelectorAll("a.open").forEach((link) => (link.href = `${this.base}/document.pdf#page=${index + 1}`));
    this.section.dataset.page = index + 1;
    this.overview.setCurrent(index);
    this.showZoom();
  }

  showZoom() {
    const button = this.find(".zoom");
    const { fit, percent } = this.stack;
    button.textContent = fit === "width" ? "Width" : fit === "page" ? "Page" : `${percent}%`;
    button.setAttribute("aria-label", fit === "width" ? "Fit the whole page" : "Fit the width");
  }

  showEvidence() {
    const { index, count } = this.position;
    this.find(".evidence").hidden = count < (this.data.evidence ? 1 : 2);
    this.find(".position .place").textContent = `${index + 1} of ${count}`;
    this.find('[data-do="previous-evidence"]').disabled = index <= 0;
    this.find('[data-do="next-evidence"]').disabled = index >= count - 1;
  }

  announce(text) {
    this.find(".announce").textContent = text;
  }

  // --- what the reader does -----------------------------------------------------------------------------------------

  /** Go to the next (1) or previous (-1) evidence: Python's list where it has one, else the highlights at hand. */
  stepEvidence(step) {
    const { index, count } = this.position;
    const next = index + step;
    if (next < 0 || next >= count) return;
    this.announce(`Evidence ${next + 1} of ${count}`);
    if (this.data.evidence) {
      const stop = this.data.stops.find((each) => each.mention === next);
      if (stop) this.goAhead(stop);
      else if (next === this.data.evidence.index) this.goBack();
      this.wish(next);
      this.showEvidence();
      return;
    }
    this.stop = next;
    const stop = this.stops[next];
    this.stack.setHighlights(this.data.highlights.map((each) => ({ ...each, active: each === stop })));
    this.stack.goTo(stop.page - 1, stop.boxes[0]);
    this.showEvidence();
  }

  stepPage(step) {
    this.stack.goTo(this.stack.current + step);
    this.announce(this.stack.label(this.stack.current));
  }

  pickPage(index) {
    this.stack.goTo(index);
    if (this.section.clientWidth <= 620) this.toggle("overview", false); // there it lies over the page
    this.scroll.focus({ preventScroll: true });
  }

  typedPage(text) {
    const number = Number.parseInt(text, 10);
    if (number >= 1 && number <= this.stack.count) this.stack.goTo(number - 1);
    this.find(".page").value = this.stack.current + 1;
    this.scroll.focus({ preventScroll: true });
  }

  setFit(fit) {
    this.stack.setFit(fit);
    this.showZoom();
    this.announce(fit === "width" ? "The page fits the width." : "The whole page is shown.");
  }

  zoom(step) {
    this.stack.stepZoom(step);
    this.showZoom();
    this.announce(`${this.stack.percent} percent`);
  }

  async copyLink() {
    const link = new URL(this.data.link, location.origin);
    if (link.searchParams.has("page")) link.searchParams.set("page", this.stack.current + 1);
    try {
      await navigator.clipboard.writeText(link.href);
    } catch {
      window.prompt("Copy this address:", link.href); // no clipboard where the page is not served securely
      return;
    }
    this.section.classList.add("copied");
    this.announce("The address is copied.");
    setTimeout(() => this.section.classList.remove("copied"), 2000);
  }

  /** Show or hide a part: "menu", "overview" or "hits". Only one list stands beside the pages. */
  toggle(name, open = this.find(`.${name}`).hidden) {
    this.find(`.${name}`).hidden = !open;
    const buttons = { menu: "toggle-menu", overview: "toggle-pages", hits: "toggle-hits" };
    this.find(`[data-do="${buttons[name]}"]`).setAttribute("aria-expanded", open);
    if (name === "menu") {
      if (open) [...this.section.querySelectorAll(".menu [role=menuitem]")].find((each) => each.offsetParent)?.focus();
      return;
    }
    if (open) this.toggle(name === "hits" ? "overview" : "hits", false);
    if (open && name === "overview") {
      this.overview.setCurrent(this.stack.current);
      this.overview.show();
    }
    if (open && name === "hits") this.finder.showPosition();
  }

  toggleFind(open = !this.finder.isOpen) {
    this.finder.setOpen(open);
    this.find('.bar [data-do="toggle-find"]').setAttribute("aria-expanded", open);
    if (!open) {
      this.toggle("hits", false);
      this.reading.focus({ preventScroll: true });
    }
  }

  /** Close what lies on top: the menu, then the search, then a list, then the panel itself. Tell whether something did. */
  escape() {
    if (!this.find(".menu").hidden) {
      this.toggle("menu", false);
      this.find('[data-do="toggle-menu"]').focus();
    } else if (this.finder.isOpen) this.toggleFind(false);
    else if (!this.find(".overview").hidden) this.toggle("overview", false);
    else if (this.data?.closable) this.wishToClose();
    else return false;
    return true;
  }

  act(name) {
    const hasEvidence = !this.find(".evidence").hidden;
    const actions = {
      "previous-page": () => this.stepPage(-1),
      "next-page": () => this.stepPage(1),
      "zoom-out": () => this.zoom(-1),
      "zoom-in": () => this.zoom(1),
      "zoom-fit": () => this.setFit(this.stack.fit === "width" ? "page" : "width"),
      "fit-width": () => this.setFit("width"),
      "fit-page": () => this.setFit("page"),
      rotate: () => this.stack.rotate(),
      "previous-evidence": () => this.stepEvidence(-1),
      "next-evidence": () => this.stepEvidence(1),
      previous: () => (hasEvidence ? this.stepEvidence(-1) : this.stepPage(-1)),
      next: () => (hasEvidence ? this.stepEvidence(1) : this.stepPage(1)),
      "first-page": () => this.stack.goTo(0),
      "last-page": () => this.stack.goTo(this.stack.count - 1),
      "toggle-cells": () => {
        this.showAsCells(!this.asCells);
        this.goToPlace();
      },
      "copy-link": () => this.copyLink(),
      "toggle-find": () => this.toggleFind(),
      "toggle-hits": () => this.toggle("hits"),
      "toggle-pages": () => this.toggle("overview"),
      "toggle-menu": () => this.toggle("menu"),
      "previous-hit": () => this.finder.step(-1),
      "next-hit": () => this.finder.step(1),
    };
    actions[name]();
  }

  clicked(event) {
    const target = event.target.closest("[data-do], [role=menuitem]");
    if (!this.stack.count) return;
    if (target?.dataset.do) this.act(target.dataset.do);
    if (target?.dataset.do !== "toggle-menu" && !this.find(".menu").hidden) this.toggle("menu", false);
  }

  /** The menu closes when the focus leaves it. */
  left(event) {
    const menu = this.find(".menu");
    const opener = this.find('[data-do="toggle-menu"]');
    if (!menu.hidden && menu.contains(event.target) && event.relatedTarget && !menu.contains(event.relatedTarget)) {
      if (event.relatedTarget !== opener) this.toggle("menu", false);
    }
  }

  pressed(event) {
    if (!this.stack.count || this.closing || event.altKey) return;
    const used = event.ctrlKey || event.metaKey ? this.pressedWithControl(event) : this.pressedPlain(event);
    if (!used) return;
    event.preventDefault();
    event.stopPropagation();
  }

  pressedWithControl(event) {
    if (event.key.toLowerCase() !== "f" || this.asCells) return false;
    this.toggleFind(true);
    return true;
  }

  pressedPlain(event) {
    if (event.key === "Escape") return this.escape();
    const item = event.target.closest("[role=menuitem]");
    if (item) return this.pressedInMenu(event.key, item);
    if (event.target.matches("input")) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") return this.scrollBy(event);
    const name = KEYS[event.key];
    if (this.asCells && !/evidence|^(next|previous)$/.test(name ?? "")) return false;
    if (name) this.act(name);
    return Boolean(name);
  }

  pressedInMenu(key, item) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!step) return false;
    const items = [...this.section.querySelectorAll("[role=menuitem]")].filter((each) => each.offsetParent);
    items[(items.indexOf(item) + step + items.length) % items.length].focus();
    return true;
  }

  /** The browser scrolls where the pages have the focus; beside them we do. */
  scrollBy(event) {
    if (event.target === this.scroll || this.asCells) return false;
    this.scroll.scrollBy({ top: event.key === "ArrowDown" ? 60 : -60 });
    return true;
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  let viewer = viewers.get(parentElement);
  if (!viewer) {
    viewer = new Viewer(parentElement);
    viewers.set(parentElement, viewer);
  }
  viewer.update(data, setTriggerValue);
  // Streamlit also calls this for an update that a newer one has overtaken; the viewer closes only once it is gone.
  return () =>
    setTimeout(() => {
      if (viewer.section.isConnected) return;
      viewer.close();
      viewers.delete(parentElement);
    });
}
