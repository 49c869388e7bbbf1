// The scroller: all pages have their place, but only those in sight, and a few around them, are in the page.

const MARGIN = 10; // pixels around a sheet
const AHEAD = 600; // pixels out of sight at which a sheet is made
const PATIENCE = 80; // milliseconds a sheet must stay near before it is fetched, so that a fast scroll fetches nothing
const WIDTH_STEP = 200; // images are asked for in steps, so that a small change of size finds them in the cache
const WIDEST = 2400;
const COMFORTABLE = 1000; // a page that fits the width is no wider than this: on a wide screen more of it is seen at once
const PER_POINT = 96 / 72; // pixels a point at 100 %
const ZOOMS = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2, 3, 4];

class PageStack {
  constructor(scroller, onPage) {
    this.scroller = scroller;
    this.onPage = onPage;
    this.canvas = document.createElement("div");
    this.canvas.className = "canvas";
    scroller.append(this.canvas);
    this.sheets = new Map(); // index -> {element, face, words, width, abort}
    this.highlights = [];
    this.hits = new Map(); // page number -> [{start, end, active}]
    this.fit = "width"; // "width", "page", or null where `zoom` says how large
    this.zoom = 1;
    this.turns = 0; // quarter turns clockwise
    this.current = 0;
    this.scrolled = () => this.noticePage();
    scroller.addEventListener("scroll", this.scrolled, { passive: true });
    this.resizes = new ResizeObserver(() => this.layOut());
    this.resizes.observe(scroller);
  }

  close() {
    this.resizes.disconnect();
    this.clear();
  }

  clear() {
    clearTimeout(this.waiting);
    [...this.sheets.keys()].forEach((index) => this.remove(index));
  }

  /** Show another document. `geometry` has `sizes` ([width, height] in points) and `labels` (by page number). */
  open(base, geometry) {
    this.clear();
    this.base = base;
    this.geometry = geometry;
    this.current = 0;
    this.turns = 0;
    this.hits = new Map();
    this.tops = null;
    this.layOut();
  }

  get count() {
    return this.geometry?.sizes.length ?? 0;
  }

  label(index) {
    const printed = this.geometry.labels[index + 1];
    return printed ? `Page ${printed} (PDF ${index + 1})` : `Page ${index + 1}`;
  }

  /** The size of a page as it is turned, in points. */
  size(index) {
    const [width, height] = this.geometry.sizes[index];
    return this.turns % 2 ? [height, width] : [width, height];
  }

  scale(index) {
    const [width, height] = this.size(index);
    if (this.fit === null) return this.zoom * PER_POINT;
    const byWidth = Math.max(120, Math.min(this.room[0], COMFORTABLE)) / width;
    return this.fit === "width" ? byWidth : Math.min(this.room[0] / width, this.room[1] / height);
  }

  /** Give every page its place. What is being read stays where it is. */
  layOut() {
    const room = [this.scroller.clientWidth - 2 * MARGIN, this.scroller.clientHeight - 2 * MARGIN];
    if (!this.geometry || room[0] <= 0) return;
    const plan = `${room}:${this.fit}:${this.zoom}:${this.turns}`;
    if (this.tops && plan === this.plan) return;
    const share = this.tops ? (this.scroller.scrollTop - this.tops[this.current]) / this.heights[this.current] : 0;
    this.plan = plan;
    this.room = room;
    this.measure();
    for (const [index, sheet] of this.sheets) this.place(index, sheet);
    this.scroller.scrollTop = this.tops[this.current] + share * this.heights[this.current];
    if (this.wanted) this.goTo(...this.wanted);
    else this.noticePage();
  }

  measure() {
    let top = MARGIN;
    let widest = 0;
    this.tops = [];
    this.heights = [];
    for (let index = 0; index < this.count; index++) {
      const scale = this.scale(index);
      const [width, height] = this.size(index).map((points) => points * scale);
      this.tops.push(top);
      this.heights.push(height);
      widest = Math.max(widest, width);
      top += height + MARGIN;
    }
    this.canvas.style.height = `${top}px`;
    document.pinciteImageWidth = this.imageAddress(this.current, this.scale(this.current))[1];
    this.canvas.style.width = widest > this.room[0] ? `${widest + 2 * MARGIN}px` : "100%";
  }

  /** Fit the page to "width" or to "page". */
  setFit(fit) {
    this.fit = fit;
    this.layOut();
  }

  /** Go one step larger (1) or smaller (-1) from what is shown now. */
  stepZoom(step) {
    const now = this.percent / 100;
    const steps = step > 0 ? ZOOMS.filter((zoom) => zoom > now * 1.02) : ZOOMS.filter((zoom) => zoom < now * 0.98).reverse();
    if (!steps.length) return;
    this.fit = null;
    this.zoom = steps[0];
    this.layOut();
  }

  get percent() {
    return Math.round((this.scale(this.current) / PER_POINT) * 100);
  }

  rotate() {
    this.turns = (this.turns + 1) % 4;
    this.layOut();
  }

  /** Where a box of a page stands on its sheet as it is turned, in points. */
  turned(index, [x0, y0, x1, y1]) {
    const [width, height] = this.geometry.sizes[index];
    switch (this.turns) {
      case 1:
        return [height - y1, x0, height - y0, x1];
      case 2:
        return [width - x1, height - y1, width - x0, height - y0];
      case 3:
        return [y0, width - x1, y1, width - x0];
      default:
        return [x0, y0, x1, y1];
    }
  }

  /** Scroll to a page, or to a box on it, kept a third down so that the lines before can be read. */
  goTo(index, box) {
    index = Math.min(this.count - 1, Math.max(0, index));
    if (!this.tops) {
      this.wanted = [index, box]; // the panel has no width yet: go as soon as it has
      return;
    }
    this.wanted = null;
    const { clientHeight, clientWidth } = this.scroller;
    const [left, top, right] = box ? this.turned(index, box).map((points) => points * this.scale(index)) : [0, 0, 0];
    this.scroller.scrollTop = this.tops[index] - MARGIN + (box ? Math.max(0, top - clientHeight / 3) : 0);
    const unseen = right > this.scroller.scrollLeft + clientWidth || left < this.scroller.scrollLeft;
    if (box && unseen) this.scroller.scrollLeft = left - clientWidth / 4;
    this.aimed = { index, top: this.scroller.scrollTop };
    this.noticePage();
    this.fill(index);
  }

  /** The page being read: the one that was gone to, as long as nobody scrolled, since the last pages may be too short to come
   * up; else the one a third down. */
  pageRead() {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    if (this.aimed && Math.abs(this.aimed.top - scrollTop) < 2) return this.aimed.index;
    this.aimed = null;
    return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2 ? this.count - 1 : this.pageAt(scrollTop + clientHeight / 3);
  }

  /** The page whose place holds a height of the scroller. */
  pageAt(height) {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  noticePage() {
    if (!this.tops) return;
    const { scrollTop, clientHeight } = this.scroller;
    this.current = this.pageRead();
    const first = this.pageAt(scrollTop - AHEAD);
    const last = this.pageAt(scrollTop + clientHeight + AHEAD);
    for (const index of [...this.sheets.keys()]) if (index < first || index > last) this.remove(index);
    for (let index = first; index <= last; index++) if (!this.sheets.has(index)) this.add(index);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => [...this.sheets.keys()].forEach((index) => this.fill(index)), PATIENCE);
    this.onPage(this.current);
  }

  add(index) {
    const element = document.createElement("div");
    element.className = "sheet";
    element.dataset.page = index + 1;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", this.label(index));
    element.setAttribute("aria-busy", "true");
    const face = document.createElement("div");
    face.className = "face";
    element.append(face);
    const sheet = { element, face, words: [], width: 0, abort: null };
    this.sheets.set(index, sheet);
    const next = Math.min(...[...this.sheets.keys()].filter((other) => other > index));
    this.canvas.insertBefore(element, this.sheets.get(next)?.element ?? null); // read in the order of the pages
    this.place(index, sheet);
  }

  remove(index) {
    const { element, abort } = this.sheets.get(index);
    abort?.abort();
    element.querySelectorAll("img").forEach((image) => image.removeAttribute("src"));
    element.remove();
    this.sheets.delete(index);
  }

  /** Put a sheet where it belongs, at its present size, and bring what is on it up to that size. */
  place(index, sheet) {
    const scale = this.scale(index);
    const [width, height] = this.geometry.sizes[index].map((points) => points * scale);
    const [across, down] = this.turns % 2 ? [height, width] : [width, height];
    const turn = ["none", `translate(${height}px,0) rotate(90deg)`, `translate(${width}px,${height}px) rotate(180deg)`][this.turns];
    sheet.element.style.cssText = `top:${this.tops[index]}px;width:${across}px;height:${down}px;left:max(${MARGIN}px,50% - ${across / 2}px)`;
    sheet.face.style.cssText = `width:${width}px;height:${height}px;transform:${turn ?? `translate(0,${width}px) rotate(270deg)`}`;
    if (sheet.abort) this.refresh(index, sheet);
  }

  fill(index) {
    const sheet = this.sheets.get(index);
    if (!sheet || sheet.abort) return;
    sheet.abort = new AbortController();
    this.refresh(index, sheet);
    this.fetchWords(index, sheet);
  }

  imageAddress(index, scale) {
    const pixels = this.geometry.sizes[index][0] * scale * (window.devicePixelRatio || 1);
    const width = Math.min(WIDEST, Math.ceil(pixels / WIDTH_STEP) * WIDTH_STEP);
    return [`${this.base}/pages/${index + 1}.img?w=${width}`, width];
  }

  /** Fetch pages that are likely to be wanted next, one after the other, so that they come from the browser's own store. */
  async prepare(indices) {
    const { base } = this;
    for (const index of indices) {
      if (this.base !== base || !this.tops) return;
      const image = new Image();
      [image.src] = this.imageAddress(index, this.scale(index));
      await Promise.allSettled([image.decode(), fetch(`${base}/pages/${index + 1}/words.json`)]);
    }
  }

  refresh(index, sheet) {
    const [address, width] = this.imageAddress(index, this.scale(index));
    if (width > sheet.width) this.drawImage(index, sheet, address, width);
    this.drawWords(index, sheet);
    this.drawMarks(index, sheet);
  }

  drawImage(index, sheet, address, width) {
    sheet.width = width;
    const image = new Image();
    image.alt = "";
    image.src = address;
    image.decode().then(
      () => {
        if (sheet.abort.signal.aborted || sheet.width !== width) return;
        sheet.element.querySelectorAll("img, .failed").forEach((old) => old.remove());
        sheet.face.prepend(image);
        sheet.element.setAttribute("aria-busy", "false");
      },
      () => sheet.abort.signal.aborted || this.showFailure(index, sheet),
    );
  }

  showFailure(index, sheet) {
    const message = document.createElement("div");
    message.className = "failed";
    message.append(`${this.label(index)} could not be loaded.`);
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Try again";
    again.onclick = () => {
      this.remove(index);
      this.add(index);
      this.fill(index);
    };
    message.append(again);
    sheet.element.setAttribute("aria-busy", "false");
    sheet.face.replaceChildren(message);
  }

  async fetchWords(index, sheet) {
    try {
      const answer = await fetch(`${this.base}/pages/${index + 1}/words.json`, { signal: sheet.abort.signal });
      if (!answer.ok) return; // the image says what is wrong with the page
      sheet.words = await answer.json();
      this.drawWords(index, sheet);
      this.drawMarks(index, sheet);
    } catch (error) {
      if (error.name !== "AbortError") console.warn("The words of a page could not be loaded.", error.message);
    }
  }

  drawWords(index, sheet) {
    sheet.element.querySelector(".words")?.remove();
    if (sheet.words.length) sheet.face.append(wordLayer(sheet.words, this.scale(index)));
  }

  setHighlights(highlights) {
    this.highlights = highlights;
    this.redrawMarks();
  }

  setHits(hits) {
    this.hits = hits;
    this.redrawMarks();
  }

  redrawMarks() {
    for (const [index, sheet] of this.sheets) if (sheet.abort) this.drawMarks(index, sheet);
  }

  drawMarks(index, sheet) {
    sheet.element.querySelectorAll(".mark, .hit").forEach((mark) => mark.remove());
    const scale = this.scale(index);
    for (const { page, boxes, active } of this.highlights) {
      if (page === index + 1) sheet.face.append(...marksOf(boxes, scale, active ? "mark active" : "mark"));
    }
    for (const { start, end, active } of this.hits.get(index + 1) ?? []) {
      sheet.face.append(...marksOf(boxesOf(sheet.words, start, end), scale, active ? "hit active" : "hit"));
    }
  }

  /** Where a place of a page's text stands, once its words are there. */
  async boxOf(index, start, end) {
    const answer = await fetch(`${this.base}/pages/${index + 1}/words.json`);
    return answer.ok ? boxesOf(await answer.json(), start, end)[0] : undefined;
  }
}
