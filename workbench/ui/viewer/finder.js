// Finding words in the document: the server looks through all pages, the stack marks what is in sight.

const TYPING = 250; // milliseconds after the last letter

class DocumentFinder {
  constructor(find, stack) {
    this.find = find;
    this.stack = stack;
    this.field = find(".words-wanted");
    this.list = find(".hits");
    this.hits = [];
    this.at = -1;
    this.field.addEventListener("input", () => this.typed());
    this.field.form.addEventListener("submit", (event) => event.preventDefault());
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (this.asked !== this.field.value.trim()) this.search();
      else this.step(event.shiftKey ? -1 : 1);
    });
  }

  /** Begin anew with another document. */
  open(base) {
    this.base = base;
    this.asked = null;
    this.show([], 0);
    if (!this.field.form.hidden) this.search();
  }

  close() {
    clearTimeout(this.waiting);
    this.abort?.abort();
  }

  get isOpen() {
    return !this.field.form.hidden;
  }

  setOpen(open) {
    this.field.form.hidden = !open;
    if (open) {
      this.field.focus();
      this.field.select();
      this.search();
    } else {
      this.close();
      this.asked = null;
      this.show([], 0);
    }
  }

  typed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.search(), TYPING);
  }

  async search() {
    clearTimeout(this.waiting);
    const words = this.field.value.trim();
    if (words === this.asked) return;
    this.asked = words;
    this.abort?.abort();
    if (!words) return this.show([], 0);
    this.abort = new AbortController();
    this.find(".found").textContent = "Searching…";
    try {
      const answer = await fetch(`${this.base}/find.json?q=${encodeURIComponent(words)}`, { signal: this.abort.signal });
      if (!answer.ok) throw new Error(answer.status === 422 ? await answer.text() : "The search failed.");
      const { hits, total } = await answer.json();
      this.show(hits, total);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.asked = null;
      this.show([], 0);
      this.find(".found").textContent = error.message;
    }
  }

  /** Take the hits ([page, start, end, before, text, after]) and go to the first at or after the page being read. */
  show(hits, total) {
    this.hits = hits;
    this.total = total;
    this.at = -1;
    this.fillList();
    const next = hits.findIndex(([page]) => page > this.stack.current);
    if (hits.length) this.goTo(Math.max(0, next));
    else this.showPosition();
  }

  step(step) {
    if (this.hits.length) this.goTo((this.at + step + this.hits.length) % this.hits.length);
  }

  async goTo(at) {
    this.at = at;
    this.showPosition();
    const [page, start, end] = this.hits[at];
    const box = await this.stack.boxOf(page - 1, start, end);
    if (this.at === at) this.stack.goTo(page - 1, box);
  }

  showPosition() {
    const known = this.hits.length;
    const of = this.total > known ? `${known} (${this.total} in all)` : known;
    this.find(".found").textContent = known ? `${this.at + 1} of ${of}` : this.asked ? "Not found" : "";
    for (const name of ["previous-hit", "next-hit", "toggle-hits"]) this.find(`[data-do="${name}"]`).disabled = !known;
    const byPage = new Map();
    this.hits.forEach(([page, start, end], index) => {
      if (!byPage.has(page)) byPage.set(page, []);
      byPage.get(page).push({ start, end, active: index === this.at });
    });
    this.stack.setHits(byPage);
    this.list.querySelector('[aria-current="true"]')?.removeAttribute("aria-current");
    const row = this.list.children[this.at];
    row?.setAttribute("aria-current", "true");
    if (row && !this.list.hidden) row.scrollIntoView({ block: "nearest" });
  }

  fillList() {
    this.list.replaceChildren(
      ...this.hits.map(([page, , , before, text, after], index) => {
        const row = document.createElement("button");
        row.type = "button";
        const found = document.createElement("mark");
        found.textContent = text;
        const where = document.createElement("span");
        where.textContent = this.stack.label(page - 1).replace("Page ", "p. ");
        const line = document.createElement("bdi");
        line.append(before && `…${before}`, found, after && `${after}…`);
        row.append(where, line);
        row.onclick = () => this.goTo(index);
        return row;
      }),
    );
  }
}
