// The controls around the pages, and the meeting point with Python.

const ZOOM_STEP = 1.2;
const viewers = new WeakMap();

class Viewer {
  constructor(root) {
    this.find = (selector) => root.querySelector(selector);
    this.section = this.find(".viewer");
    this.stack = new PageStack(this.find(".scroll"), (index) => this.showPage(index));
    this.section.addEventListener("click", (event) => this.clicked(event));
    this.section.addEventListener("keydown", (event) => this.pressed(event));
    this.find(".page").addEventListener("change", (event) => this.typedPage(event.target.value));
    this.fitHeight = () => this.setHeight();
    window.addEventListener("resize", this.fitHeight);
  }

  close() {
    window.removeEventListener("resize", this.fitHeight);
    this.stack.close();
  }

  /** Take new data. The reader is moved only when Python names another place. */
  async update(data, send) {
    const reopened = this.data?.document !== data.document;
    this.data = data;
    this.send = send;
    this.setHeight();
    this.showNotice(data.notice);
    if (reopened && !(await this.load(data))) return;
    this.stack.setHighlights(data.highlights);
    this.stops = data.highlights.filter((highlight) => highlight.boxes.length);
    if (this.place !== data.place) {
      this.place = data.place;
      const target = this.stops.find((stop) => stop.active && stop.page === data.page);
      this.stack.goTo(data.page - 1, target?.boxes[0][1]);
      this.stop = Math.max(0, this.stops.indexOf(target));
    }
    this.showEvidence();
  }

  /** Fetch the sizes of all pages. Tell whether the document is the one still wanted. */
  async load(data) {
    this.base = `/documents/${encodeURIComponent(data.document)}`;
    this.place = null;
    try {
      const answer = await fetch(`${this.base}/geometry.json`);
      if (this.data.document !== data.document) return false;
      if (!answer.ok) throw new Error(answer.status === 404 ? "This document is no longer there." : `HTTP ${answer.status}`);
      const geometry = await answer.json();
      if (this.data.document !== data.document) return false;
      if (!geometry.sizes.length) throw new Error("It has no pages to show.");
      this.stack.open(this.base, geometry);
      return true;
    } catch (error) {
      this.data = null; // the next update tries again
      this.showNotice(`The document could not be opened. ${error.message}`);
      return false;
    }
  }

  setHeight() {
    const top = this.section.getBoundingClientRect().top + window.scrollY;
    const height = this.data?.height ?? Math.max(360, window.innerHeight - Math.max(0, top) - 20);
    this.section.style.height = `${height}px`;
  }

  showNotice(text) {
    const notice = this.find(".notice");
    notice.hidden = !text;
    notice.textContent = text || "";
  }

  showPage(index) {
    const field = this.find(".page");
    const count = this.stack.sheets.length;
    const printed = this.stack.geometry.labels[index + 1];
    if (this.section.getRootNode().activeElement !== field) field.value = index + 1;
    this.find(".count").textContent = printed ? `of ${count} · ${printed}` : `of ${count}`;
    this.find('[data-do="previous-page"]').disabled = index === 0;
    this.find('[data-do="next-page"]').disabled = index === count - 1;
    this.find(".open").href = `${this.base}/original.pdf#page=${index + 1}`;
    this.section.dataset.page = index + 1;
  }

  showEvidence() {
    const { index, count } = this.data.evidence ?? { index: this.stop, count: this.stops.length };
    this.find(".evidence").hidden = count < (this.data.evidence ? 1 : 2);
    this.find(".position").textContent = `${index + 1} of ${count}`;
    this.find('[data-do="previous-evidence"]').disabled = index <= 0;
    this.find('[data-do="next-evidence"]').disabled = index >= count - 1;
  }

  /** Go to the next (1) or previous (-1) evidence: Python's list where it has one, else the highlights at hand. */
  stepEvidence(step) {
    const { index, count } = this.data.evidence ?? { index: this.stop, count: this.stops.length };
    const next = index + step;
    if (next < 0 || next >= count) return;
    if (this.data.evidence) {
      this.send("evidence", next);
      return;
    }
    this.stop = next;
    const stop = this.stops[next];
    this.stack.setHighlights(this.data.highlights.map((each) => ({ ...each, active: each === stop })));
    this.stack.goTo(stop.page - 1, stop.boxes[0][1]);
    this.showEvidence();
  }

  stepPage(step) {
    this.stack.goTo(this.stack.current + step);
    this.announce(this.stack.label(this.stack.current));
  }

  typedPage(text) {
    const number = Number.parseInt(text, 10);
    if (number >= 1 && number <= this.stack.sheets.length) this.stack.goTo(number - 1);
    this.find(".page").value = this.stack.current + 1;
    this.find(".scroll").focus({ preventScroll: true });
  }

  zoom(factor) {
    this.stack.setZoom(factor === null ? 1 : this.stack.zoom * factor);
    const percent = Math.round(this.stack.zoom * 100);
    this.find(".zoom").textContent = percent === 100 ? "Fit" : `${percent}%`;
  }

  async copyLink() {
    const link = new URL(this.data.link, location.origin);
    if (link.searchParams.has("page")) link.searchParams.set("page", this.stack.current + 1);
    const text = this.find('[data-do="copy-link"] .text');
    try {
      await navigator.clipboard.writeText(link.href);
      text.textContent = "Copied";
    } catch {
      window.prompt("Copy this address:", link.href); // no clipboard where the page is not served securely
      return;
    }
    this.announce("The address is copied.");
    setTimeout(() => (text.textContent = "Copy link"), 2000);
  }

  announce(text) {
    this.find(".announce").textContent = text;
  }

  act(name) {
    const actions = {
      "previous-page": () => this.stepPage(-1),
      "next-page": () => this.stepPage(1),
      "zoom-out": () => this.zoom(1 / ZOOM_STEP),
      "zoom-in": () => this.zoom(ZOOM_STEP),
      "zoom-fit": () => this.zoom(null),
      "previous-evidence": () => this.stepEvidence(-1),
      "next-evidence": () => this.stepEvidence(1),
      "first-page": () => this.stack.goTo(0),
      "last-page": () => this.stack.goTo(this.stack.sheets.length - 1),
      "copy-link": () => this.copyLink(),
      close: () => this.send("close", true),
    };
    actions[name]();
  }

  clicked(event) {
    const name = event.target.closest("[data-do]")?.dataset.do;
    if (name && this.stack.geometry) this.act(name);
  }

  pressed(event) {
    const keys = {
      PageUp: "previous-page",
      PageDown: "next-page",
      ArrowLeft: "previous-page",
      ArrowRight: "next-page",
      Home: "first-page",
      End: "last-page",
      "+": "zoom-in",
      "=": "zoom-in",
      "-": "zoom-out",
      0: "zoom-fit",
      n: "next-evidence",
      p: "previous-evidence",
    };
    const name = event.key === "Escape" && this.data?.closable ? "close" : keys[event.key];
    const typing = event.target.matches("input") && event.key !== "Escape";
    if (!name || typing || event.ctrlKey || event.metaKey || event.altKey || !this.stack.geometry) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(name);
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
