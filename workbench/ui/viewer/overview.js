// The strip of small pages beside the large one. Those out of sight are not in the page.

const SLOT = 148; // pixels from one small page to the next
const SMALL = 200; // pixels across a small page's image

class Overview {
  constructor(strip, onPick) {
    this.strip = strip;
    this.onPick = onPick;
    this.canvas = document.createElement("div");
    this.canvas.className = "canvas";
    strip.append(this.canvas);
    this.slots = new Map();
    strip.addEventListener("scroll", () => this.show(), { passive: true });
    this.resizes = new ResizeObserver(() => this.show());
    this.resizes.observe(strip);
  }

  close() {
    this.resizes.disconnect();
    clearTimeout(this.waiting);
  }

  /** Show the pages of another document; `cited` are the numbers of those with evidence. */
  open(base, stack, cited) {
    this.base = base;
    this.stack = stack;
    this.cited = cited;
    this.slots.forEach((slot) => slot.remove());
    this.slots.clear();
    this.canvas.style.height = `${stack.count * SLOT}px`;
    this.show();
  }

  /** Mark the page being read, and keep it in sight. */
  setCurrent(index) {
    this.slots.get(this.current)?.removeAttribute("aria-current");
    this.slots.get(index)?.setAttribute("aria-current", "page");
    this.current = index;
    if (this.strip.hidden) return;
    const [top, { scrollTop, clientHeight }] = [index * SLOT, this.strip];
    if (top < scrollTop || top + SLOT > scrollTop + clientHeight) this.strip.scrollTop = top - clientHeight / 3;
  }

  show() {
    if (!this.stack || this.strip.hidden) return;
    const { scrollTop, clientHeight } = this.strip;
    const first = Math.max(0, Math.floor(scrollTop / SLOT) - 2);
    const last = Math.min(this.stack.count - 1, Math.ceil((scrollTop + clientHeight) / SLOT) + 2);
    for (const [index, slot] of this.slots) {
      if (index >= first && index <= last) continue;
      slot.remove();
      this.slots.delete(index);
    }
    for (let index = first; index <= last; index++) if (!this.slots.has(index)) this.add(index);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.fill(), PATIENCE);
  }

  add(index) {
    const slot = document.createElement("button");
    slot.type = "button";
    slot.className = "small";
    slot.style.top = `${index * SLOT}px`;
    const label = this.stack.label(index);
    slot.setAttribute("aria-label", this.cited.has(index + 1) ? `${label}, with evidence` : label);
    if (index === this.current) slot.setAttribute("aria-current", "page");
    const number = document.createElement("span");
    number.textContent = this.stack.geometry.labels[index + 1] ?? index + 1;
    if (this.cited.has(index + 1)) number.className = "cited";
    slot.append(number);
    slot.onclick = () => this.onPick(index);
    this.slots.set(index, slot);
    this.canvas.append(slot);
  }

  fill() {
    for (const [index, slot] of this.slots) {
      if (slot.querySelector("img")) continue;
      const image = new Image();
      image.alt = "";
      image.src = `${this.base}/pages/${index + 1}.img?w=${SMALL}`;
      slot.prepend(image);
    }
  }
}
