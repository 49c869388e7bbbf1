// The scroller: one sheet a page, sized from the start, filled when it comes near and emptied when it is far.

const MARGIN = 10; // pixels above and below a sheet, as in viewer.css
const KEPT = 24; // sheets that stay filled
const NEAR = 600; // pixels out of sight at which a sheet is filled
const PATIENCE = 80; // milliseconds a sheet must stay near before it is fetched, so that a fast scroll fetches nothing
const WIDTH_STEP = 200; // images are asked for in steps, so that a small change of size finds them in the cache
const WIDEST = 2400;
const COMFORTABLE = 1000; // a page that fits is no wider than this: on a wide screen more of it is seen at once

class PageStack {
  constructor(scroller, onPage) {
    this.scroller = scroller;
    this.onPage = onPage;
    this.sheets = [];
    this.filled = new Map(); // index -> {width, words, image, abort}
    this.highlights = [];
    this.zoom = 1;
    this.current = 0;
    scroller.addEventListener("scroll", () => this.noticePage(), { passive: true });
    this.resizes = new ResizeObserver(() => this.layOut());
    this.resizes.observe(scroller);
  }

  close() {
    this.resizes.disconnect();
    this.nearby?.disconnect();
    this.filled.forEach((fill) => fill.abort.abort());
  }

  /** Show another document. `geometry` has `sizes` ([width, height] in points) and `labels` (by page number). */
  open(base, geometry) {
    this.nearby?.disconnect();
    [...this.filled.keys()].forEach((index) => this.empty(index));
    this.base = base;
    this.geometry = geometry;
    this.current = 0;
    this.laidOut = 0;
    this.sheets = geometry.sizes.map((_, index) => {
      const sheet = document.createElement("div");
      sheet.className = "sheet";
      sheet.dataset.index = index;
      sheet.setAttribute("role", "img");
      sheet.setAttribute("aria-label", this.label(index));
      sheet.setAttribute("aria-busy", "true");
      return sheet;
    });
    this.scroller.replaceChildren(...this.sheets);
    this.nearby = new IntersectionObserver((entries) => this.cameNear(entries), {
      root: this.scroller,
      rootMargin: `${NEAR}px 0px`,
    });
    this.layOut();
    this.sheets.forEach((sheet) => this.nearby.observe(sheet));
  }

  label(index) {
    const printed = this.geometry.labels[index + 1];
    return printed ? `Page ${printed} (PDF ${index + 1})` : `Page ${index + 1}`;
  }

  scale(index) {
    return this.laidOut / this.geometry.sizes[index][0];
  }

  /** Give every sheet its size. The place being read stays where it is. */
  layOut() {
    const room = this.scroller.clientWidth - 2 * MARGIN;
    if (!this.geometry || room <= 0) return;
    const width = Math.max(120, Math.round(Math.min(room, COMFORTABLE) * this.zoom));
    if (width === this.laidOut) return;
    const sheet = this.sheets[this.current];
    const share = this.laidOut ? (this.scroller.scrollTop - sheet.offsetTop) / sheet.offsetHeight : 0;
    this.laidOut = width;
    this.sheets.forEach((each, index) => {
      const [w, h] = this.geometry.sizes[index];
      each.style.width = `${width}px`;
      each.style.height = `${(width * h) / w}px`;
    });
    this.scroller.scrollTop = sheet.offsetTop + share * sheet.offsetHeight;
    this.filled.forEach((fill, index) => this.refresh(index, fill));
    if (this.wanted) this.goTo(...this.wanted);
  }

  setZoom(zoom) {
    this.zoom = Math.min(4, Math.max(0.25, zoom));
    this.layOut();
  }

  /** Scroll to a page, or to a height on it (in points), kept a third down so that the lines before can be read. */
  goTo(index, y) {
    index = Math.min(this.sheets.length - 1, Math.max(0, index));
    if (!this.laidOut) {
      this.wanted = [index, y]; // the panel has no width yet: go as soon as it has
      return;
    }
    this.wanted = null;
    const down = y === undefined ? 0 : Math.max(0, y * this.scale(index) - this.scroller.clientHeight / 3);
    this.scroller.scrollTop = this.sheets[index].offsetTop - MARGIN + down;
    this.noticePage();
    this.fill(index);
  }

  noticePage() {
    const line = this.scroller.scrollTop + this.scroller.clientHeight / 3;
    let low = 0;
    let high = this.sheets.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.sheets[middle].offsetTop <= line) low = middle;
      else high = middle - 1;
    }
    this.current = low;
    this.onPage(low);
  }

  cameNear(entries) {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(target.waiting);
      if (isIntersecting) target.waiting = setTimeout(() => this.fillIfNear(Number(target.dataset.index)), PATIENCE);
    }
  }

  /** A sheet that a fast scroll has left behind is not fetched: the observer tells of it only later. */
  fillIfNear(index) {
    const { offsetTop, offsetHeight } = this.sheets[index];
    const { scrollTop, clientHeight } = this.scroller;
    if (offsetTop + offsetHeight > scrollTop - NEAR && offsetTop < scrollTop + clientHeight + NEAR) this.fill(index);
  }

  fill(index) {
    if (this.filled.has(index)) return;
    const fill = { abort: new AbortController(), words: [], width: 0 };
    this.filled.set(index, fill);
    this.refresh(index, fill);
    this.fetchWords(index, fill);
    this.emptyTheFarthest();
  }

  emptyTheFarthest() {
    const far = [...this.filled.keys()].sort((a, b) => Math.abs(b - this.current) - Math.abs(a - this.current));
    far.slice(0, Math.max(0, far.length - KEPT)).forEach((index) => this.empty(index));
  }

  empty(index) {
    this.filled.get(index).abort.abort();
    this.filled.delete(index);
    this.sheets[index].querySelectorAll("img").forEach((image) => image.removeAttribute("src"));
    this.sheets[index].replaceChildren();
    this.sheets[index].setAttribute("aria-busy", "true");
    // Observed anew, so that it is filled again when it comes near again.
    this.nearby.unobserve(this.sheets[index]);
    this.nearby.observe(this.sheets[index]);
  }

  /** Bring a filled sheet up to the present size: image, words, highlights. */
  refresh(index, fill) {
    const pixels = this.laidOut * (window.devicePixelRatio || 1);
    const width = Math.min(WIDEST, Math.ceil(pixels / WIDTH_STEP) * WIDTH_STEP);
    if (width > fill.width) this.drawImage(index, fill, width);
    this.drawWords(index, fill);
    this.drawHighlights(index);
  }

  drawImage(index, fill, width) {
    fill.width = width;
    const sheet = this.sheets[index];
    const image = new Image();
    image.alt = "";
    image.src = `${this.base}/pages/${index + 1}.img?w=${width}`;
    image.decode().then(
      () => {
        if (fill.abort.signal.aborted || fill.width !== width) return;
        sheet.querySelectorAll("img, .failed").forEach((old) => old.remove());
        sheet.prepend(image);
        sheet.setAttribute("aria-busy", "false");
      },
      () => fill.abort.signal.aborted || this.showFailure(index),
    );
  }

  showFailure(index) {
    const sheet = this.sheets[index];
    const message = document.createElement("div");
    message.className = "failed";
    message.append(`${this.label(index)} could not be loaded.`);
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Try again";
    again.onclick = () => {
      this.empty(index);
      this.fill(index);
    };
    message.append(again);
    sheet.setAttribute("aria-busy", "false");
    sheet.replaceChildren(message);
  }

  async fetchWords(index, fill) {
    try {
      const answer = await fetch(`${this.base}/pages/${index + 1}/words.json`, { signal: fill.abort.signal });
      if (!answer.ok) return; // the image says what is wrong with the page
      fill.words = await answer.json();
      this.drawWords(index, fill);
    } catch (error) {
      if (error.name !== "AbortError") console.warn("The words of a page could not be loaded.", error.message);
    }
  }

  drawWords(index, fill) {
    const sheet = this.sheets[index];
    sheet.querySelector(".words")?.remove();
    if (fill.words.length) sheet.append(wordLayer(fill.words, this.scale(index)));
  }

  setHighlights(highlights) {
    this.highlights = highlights;
    this.filled.forEach((_, index) => this.drawHighlights(index));
  }

  drawHighlights(index) {
    const sheet = this.sheets[index];
    sheet.querySelectorAll(".mark").forEach((mark) => mark.remove());
    const here = this.highlights.filter((highlight) => highlight.page === index + 1);
    sheet.append(...here.flatMap((highlight) => highlightMarks(highlight, this.scale(index))));
  }
}
