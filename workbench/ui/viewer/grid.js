// A spreadsheet: its sheets as tabs, and of the chosen one the cells in sight, with the cited ones marked.

const ROW = 24; // pixels of a row
const HEAD = 26; // pixels of the line with the columns' letters
const NARROWEST_COLUMN = 56;
const WIDEST_COLUMN = 320;
const BLOCK = 200; // rows fetched at once
const BLOCKS_KEPT = 30;

function blockOf(row) {
  return Math.floor((row - 1) / BLOCK);
}

function columnLetters(number) {
  let letters = "";
  for (; number > 0; number = Math.floor((number - 1) / 26)) letters = String.fromCharCode(65 + ((number - 1) % 26)) + letters;
  return letters;
}

class Grid {
  constructor(root, announce) {
    this.root = root;
    this.announce = announce;
    this.scroller = root.querySelector(".cells");
    this.tabs = root.querySelector(".tabs");
    this.address = root.querySelector(".address");
    this.content = root.querySelector(".content");
    this.cells = [];
    this.scroller.addEventListener("scroll", () => this.show(), { passive: true });
    this.scroller.addEventListener("click", (event) => this.clicked(event));
    this.scroller.addEventListener("keydown", (event) => this.pressed(event));
    this.scroller.addEventListener("copy", (event) => this.copied(event));
    this.address.addEventListener("change", () => this.typed());
    this.resizes = new ResizeObserver(() => this.show());
    this.resizes.observe(this.scroller);
  }

  close() {
    this.resizes.disconnect();
    clearTimeout(this.waiting);
    this.abort?.abort();
  }

  async open(base) {
    this.base = base;
    this.sheet = null;
    const answer = await fetch(`${base}/sheets.json`);
    if (!answer.ok) throw new Error(answer.status === 404 ? "It is no longer there." : `HTTP ${answer.status}`);
    this.sheets = await answer.json();
    this.tabs.replaceChildren(...this.sheets.map((sheet) => this.tab(sheet)));
    this.tabs.hidden = this.sheets.length < 2;
  }

  tab(sheet) {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.textContent = sheet.hidden ? `${sheet.name} (hidden)` : sheet.name || "Cells";
    tab.onclick = () => this.choose(sheet, 1, 1);
    return tab;
  }

  /** Mark the cited cells: [{sheet, ranges: [[first row, first column, last row, last column]], active}]. */
  setCited(cited) {
    this.cited = cited;
    this.sheets.forEach((sheet, index) => {
      const holds = cited.some((each) => each.sheet === sheet.name);
      this.tabs.children[index].classList.toggle("cited", holds);
    });
    if (this.sheet) this.show(true);
  }

  /** Go to the cells that are looked at, or to the beginning. */
  goToPlace() {
    const active = this.cited.find((each) => each.active);
    const sheet = this.sheets.find((each) => active && each.name === active.sheet) ?? this.sheets.find((each) => !each.hidden) ?? this.sheets[0];
    // The line that names the columns is cited with the rows it explains; those are what the reader wants to see.
    const ranges = active?.ranges ?? [];
    const [row, column] = ranges.find(([, , last]) => last !== sheet.header) ?? ranges[0] ?? [1, 1];
    this.choose(sheet, row, column);
  }

  choose(sheet, row, column) {
    if (this.sheet !== sheet) this.lay(sheet);
    this.select(row, column);
    this.scrollTo(row, column);
  }

  lay(sheet) {
    this.sheet = sheet;
    this.hiddenColumns = new Set(sheet.hiddenColumns);
    this.blocks = new Map(); // index -> Map(row -> Map(column -> [text, kind, formula])), or null while it is fetched
    this.abort?.abort();
    this.abort = new AbortController();
    this.widths = new Array(sheet.columns + 1).fill(NARROWEST_COLUMN);
    this.numbers = Math.max(48, 14 + 8 * String(sheet.rows).length + (sheet.hiddenRows.length ? 54 : 0));
    this.scroller.scrollTo(0, 0);
    this.scroller.setAttribute("aria-rowcount", sheet.rows + 1);
    this.scroller.setAttribute("aria-colcount", sheet.columns + 1);
    this.scroller.setAttribute("aria-label", `Cells of ${sheet.name || "the file"}`);
    [...this.tabs.children].forEach((tab, index) => tab.setAttribute("aria-selected", this.sheets[index] === sheet));
    this.tabs.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.sum();
    this.fetch(0);
    if (sheet.header) this.fetch(blockOf(sheet.header));
  }

  /** Know where each column begins. */
  sum() {
    this.lefts = [0, this.numbers];
    for (let column = 1; column <= this.sheet.columns; column++) this.lefts.push(this.lefts[column] + this.widths[column]);
    this.canvas = document.createElement("div");
    this.canvas.className = "canvas";
    this.canvas.style.cssText = `width:${this.lefts[this.sheet.columns + 1]}px;height:${HEAD + this.sheet.rows * ROW}px`;
    this.head = document.createElement("div");
    this.head.className = "letters";
    this.head.setAttribute("role", "row");
    this.frozen = document.createElement("div");
    this.frozen.className = "frozen";
    this.frozen.setAttribute("aria-hidden", true); // its cells stand in their row already
    this.canvas.append(this.head, this.frozen);
    this.joined = []; // boxes that lie over merged cells
    this.rows = new Map();
    this.window = "";
    this.scroller.replaceChildren(this.canvas);
  }

  /** The columns grow with what is read, so that no figure is cut. What is in sight stays there. */
  measure(block) {
    const before = this.lefts[this.sheet.columns + 1];
    for (const row of block.values()) {
      for (const [column, [text]] of row) {
        this.widths[column] = Math.min(WIDEST_COLUMN, Math.max(this.widths[column], 18 + 7.2 * text.length));
      }
    }
    if (this.widths.slice(1).reduce((sum, width) => sum + width, this.numbers) === before) return;
    const { scrollTop, scrollLeft } = this.scroller;
    const column = this.columnAt(scrollLeft + this.numbers);
    const beside = scrollLeft - this.lefts[column];
    this.sum();
    this.scroller.scrollTo(scrollLeft && this.lefts[column] + beside, scrollTop);
    if (this.wanted) this.scrollTo(...this.wanted);
  }

  async fetch(index) {
    if (this.blocks.has(index)) return;
    this.blocks.set(index, null);
    const { sheet, abort, blocks } = this;
    const [first, last] = [index * BLOCK + 1, (index + 1) * BLOCK];
    try {
      const answer = await fetch(`${this.base}/sheets/${sheet.number}/rows.json?first=${first}&last=${last}`, { signal: abort.signal });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const rows = await answer.json();
      const block = new Map(rows.map(([row, cells]) => [row, new Map(cells.map(([column, ...cell]) => [column, cell]))]));
      blocks.set(index, block);
      if (this.blocks !== blocks) return;
      const others = [...blocks.keys()].filter((key) => key !== blockOf(sheet.header || 1)); // whose line stays in sight
      for (const old of others.slice(0, Math.max(0, others.length - BLOCKS_KEPT))) blocks.delete(old);
      this.measure(block);
      if (this.wanted && index === blockOf(this.wanted[0])) this.wanted = null; // nothing moves it any more
      this.show(true);
      this.showContent();
    } catch (error) {
      blocks.delete(index);
      if (error.name !== "AbortError") this.announce(`Rows ${first} to ${last} could not be loaded.`);
    }
  }

  cell(row, column) {
    return this.blocks.get(blockOf(row))?.get(row)?.get(column);
  }

  /** The merged cells that a cell is part of, as [first row, first column, last row, last column]; of one cell itself. */
  joinedTo(row, column) {
    const holds = ([top, left, bottom, right]) => row >= top && row <= bottom && column >= left && column <= right;
    return this.sheet.merged.find(holds) ?? [row, column, row, column];
  }

  columnAt(left) {
    let [low, high] = [1, this.sheet.columns];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lefts[middle] <= left) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  show(anew = false) {
    if (!this.sheet || !this.scroller.clientHeight) return;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.scroller;
    const first = Math.max(1, Math.floor(scrollTop / ROW) - 4);
    const last = Math.min(this.sheet.rows, Math.ceil((scrollTop + clientHeight) / ROW) + 4);
    const columns = [this.columnAt(scrollLeft), Math.min(this.sheet.columns, this.columnAt(scrollLeft + clientWidth) + 1)];
    const window = `${columns}`;
    if (anew || window !== this.window) {
      this.window = window;
      this.rows.forEach((row) => row.remove());
      this.rows.clear();
      this.showLetters(...columns);
    }
    for (const [number, row] of this.rows) {
      if (number >= first && number <= last) continue;
      row.remove();
      this.rows.delete(number);
    }
    for (let number = first; number <= last; number++) {
      if (!this.rows.has(number)) this.rows.set(number, this.canvas.appendChild(this.row(number, ...columns)));
    }
    this.showJoined(first, last, ...columns);
    this.showFrozen(first, ...columns);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      for (let index = blockOf(first); index <= blockOf(last); index++) this.fetch(index);
    }, PATIENCE);
  }

  /** Merged cells are one box over the cells they join, with what the first of them holds. */
  showJoined(first, last, firstColumn, lastColumn) {
    this.joined.forEach((box) => box.remove());
    const inSight = ([top, left, bottom, right]) => top <= last && bottom >= first && left <= lastColumn && right >= firstColumn;
    this.joined = this.sheet.merged.filter(inSight).map(([top, left, bottom, right]) => {
      const box = this.gridCell(top, left, this.cell(top, left), [bottom, right]);
      box.removeAttribute("role"); // the first of the cells speaks for it
      box.setAttribute("aria-hidden", true);
      box.classList.add("joined");
      box.classList.toggle("tall", bottom > top);
      if (top === this.sheet.header) box.classList.add("heading");
      box.style.top = `${HEAD + (top - 1) * ROW}px`;
      box.style.height = `${(bottom - top + 1) * ROW}px`;
      if (!this.blocks.has(blockOf(top))) this.fetch(blockOf(top));
      return this.canvas.appendChild(box);
    });
  }

  /** The line that names the columns stays in sight once it is scrolled away. */
  showFrozen(first, firstColumn, lastColumn) {
    const { header } = this.sheet;
    this.frozen.hidden = !header || this.scroller.scrollTop < header * ROW;
    if (this.frozen.hidden) return;
    const cells = [this.box("number", 0, this.numbers, header)];
    for (let column = firstColumn; column <= lastColumn; column++) cells.push(this.gridCell(header, column, this.cell(header, column)));
    cells.forEach((cell) => cell.removeAttribute("aria-selected"));
    this.frozen.replaceChildren(...cells);
  }

  showLetters(first, last) {
    const corner = this.box("corner", 0, this.numbers, "");
    const letters = [];
    for (let column = first; column <= last; column++) {
      const letter = this.box("letter", this.lefts[column], this.widths[column], columnLetters(column));
      letter.setAttribute("role", "columnheader");
      if (this.hiddenColumns.has(column)) {
        letter.classList.add("concealed");
        letter.title = `Column ${columnLetters(column)} is hidden in the file`;
      }
      letters.push(letter);
    }
    this.head.replaceChildren(corner, ...letters);
  }

  row(number, first, last) {
    const row = document.createElement("div");
    row.className = "row";
    row.style.top = `${HEAD + (number - 1) * ROW}px`;
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", number + 1);
    const concealed = this.sheet.hiddenRows.some(([from, to]) => number >= from && number <= to);
    const head = this.box("number", 0, this.numbers, concealed ? `${number} (hidden)` : number);
    head.setAttribute("role", "rowheader");
    row.append(head);
    row.classList.toggle("concealed", concealed);
    row.classList.toggle("header", number === this.sheet.header);
    const loaded = this.blocks.get(blockOf(number));
    row.classList.toggle("waiting", !loaded);
    const cells = loaded?.get(number);
    for (let column = first; column <= last; column++) row.append(this.gridCell(number, column, cells?.get(column)));
    return row;
  }

  /** A cell; of merged cells one box up to the last row and column. */
  gridCell(row, column, cell, [lastRow, lastColumn] = [row, column]) {
    const [text, kind] = cell ?? [""];
    const box = this.box("cell", this.lefts[column], this.lefts[lastColumn + 1] - this.lefts[column], text);
    box.setAttribute("role", "gridcell");
    box.setAttribute("aria-colindex", column + 1);
    box.dataset.row = row;
    box.dataset.column = column;
    if (kind === "number" || kind === "date") box.classList.add("figure");
    if (kind === "error") box.classList.add("wrong");
    if (this.hiddenColumns.has(column)) box.classList.add("concealed");
    for (const { sheet, ranges, active } of this.cited) {
      if (sheet !== this.sheet.name) continue;
      if (!ranges.some(([top, left, bottom, right]) => lastRow >= top && row <= bottom && lastColumn >= left && column <= right)) continue;
      box.classList.add("cited");
      if (active) box.classList.add("active");
    }
    if (this.selected?.row === row && this.selected.column === column) box.setAttribute("aria-selected", "true");
    return box;
  }

  box(name, left, width, text) {
    const box = document.createElement("div");
    box.className = name;
    box.style.left = `${left}px`;
    box.style.width = `${width}px`;
    box.append(text);
    return box;
  }

  select(row, column) {
    row = Math.min(this.sheet.rows, Math.max(1, row));
    column = Math.min(this.sheet.columns, Math.max(1, column));
    [row, column] = this.joinedTo(row, column);
    this.scroller.querySelectorAll('[aria-selected="true"]').forEach((cell) => cell.removeAttribute("aria-selected"));
    this.selected = { row, column };
    const selected = `:is(.row, .canvas) > [data-row="${row}"][data-column="${column}"]`;
    this.scroller.querySelectorAll(selected).forEach((cell) => cell.setAttribute("aria-selected", "true"));
    this.address.value = `${columnLetters(column)}${row}`;
    this.showContent();
  }

  /** The chosen cell in full: its formula where it has one. */
  showContent() {
    if (!this.selected) return;
    const [text = "", , formula = ""] = this.cell(this.selected.row, this.selected.column) ?? [];
    this.content.textContent = formula && !text.includes(formula) ? `${formula}  →  ${text}` : text;
    this.content.title = this.content.textContent;
  }

  scrollTo(row, column) {
    this.wanted = this.blocks.get(blockOf(row)) ? null : [row, column];
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.scroller;
    const top = (row - 1) * ROW;
    const covered = this.sheet.header && row > this.sheet.header ? ROW : 0; // by the line that names the columns
    if (top < scrollTop + covered || top + ROW + HEAD > scrollTop + clientHeight) this.scroller.scrollTop = Math.max(0, top - clientHeight / 3);
    const [left, right] = [this.lefts[column] ?? 0, this.lefts[column + 1] ?? 0];
    if (left - this.numbers < scrollLeft || right > scrollLeft + clientWidth) this.scroller.scrollLeft = Math.max(0, left - this.numbers - 40);
    this.show();
  }

  clicked(event) {
    const cell = event.target.closest(".cell");
    if (cell) this.select(Number(cell.dataset.row), Number(cell.dataset.column));
  }

  typed() {
    const found = /^\s*\$?([A-Za-z]{0,3})\$?(\d+)\s*$/.exec(this.address.value);
    if (found) {
      const letters = found[1].toUpperCase() || columnLetters(this.selected?.column ?? 1);
      const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
      this.select(Number(found[2]), column);
      this.scrollTo(this.selected.row, this.selected.column);
    }
    if (this.selected) this.address.value = `${columnLetters(this.selected.column)}${this.selected.row}`;
    this.scroller.focus({ preventScroll: true });
  }

  pressed(event) {
    if (!this.selected || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 2);
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-page, 0], PageDown: [page, 0] };
    let { row, column } = this.selected;
    if (event.key === "Home") [row, column] = [1, 1];
    else if (event.key === "End") [row, column] = [this.sheet.rows, 1];
    else if (steps[event.key]) {
      const [down, across] = steps[event.key];
      const [, , bottom, right] = this.joinedTo(row, column); // merged cells are left at their other side
      [row, column] = [(down > 0 ? bottom : row) + down, (across > 0 ? right : column) + across];
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.select(row, column);
    this.scrollTo(this.selected.row, this.selected.column);
  }

  copied(event) {
    if (!this.selected || String(this.scroller.getRootNode().getSelection?.() ?? "")) return;
    event.clipboardData.setData("text/plain", this.cell(this.selected.row, this.selected.column)?.[0] ?? "");
    event.preventDefault();
  }
}
