// What lies over a page's image: its words, transparent and selectable, and the marks.

const ruler = document.createElement("canvas").getContext("2d");

/** Join words that stand side by side on one line: a page has some forty runs, but a thousand words to lay out.
 * `words` are [x0, y0, x1, y1, start, text]; a word that the page splits over two lines stays one when it is copied. */
function textRuns(words) {
  const runs = [];
  for (const [x0, y0, x1, y1, start, text] of words) {
    const last = runs[runs.length - 1];
    const height = y1 - y0;
    const sameLine = last && Math.min(last.y1, y1) - Math.max(last.y0, y0) > height / 2;
    const end = start + [...text].length; // offsets count code points
    if (sameLine && x0 - last.x1 > -height / 2 && x0 - last.x1 < height) {
      const gap = start === last.end ? "" : " ";
      Object.assign(last, { x1, y0: Math.min(last.y0, y0), y1: Math.max(last.y1, y1), text: last.text + gap + text, end });
    } else {
      if (last) last.broken = start !== last.end;
      runs.push({ x0, y0, x1, y1, text, end, broken: true });
    }
  }
  return runs;
}

/** Return a layer of transparent text; `scale` is pixels a point. */
function wordLayer(words, scale) {
  const layer = document.createElement("div");
  layer.className = "words";
  for (const { x0, y0, x1, y1, text, broken } of textRuns(words)) {
    const size = (y1 - y0) * scale;
    const span = document.createElement("span");
    span.textContent = broken ? `${text}\n` : text; // copied text keeps its lines
    ruler.font = `${size}px sans-serif`;
    const stretch = ((x1 - x0) * scale) / Math.max(1, ruler.measureText(text).width);
    span.style.cssText = `left:${x0 * scale}px;top:${y0 * scale}px;font:${size}px/1 sans-serif;transform:scaleX(${stretch})`;
    layer.append(span);
  }
  steadySelection(layer);
  return layer;
}

/** Between two lines there is no text, and a selection drawn across the gap would jump to the layer's end. While the mouse
 * is down, an empty element after the run last touched takes what falls beside the text. */
function steadySelection(layer) {
  const floor = document.createElement("i");
  layer.append(floor);
  let first = null;
  const follow = (event) => {
    const run = event.target;
    if (run === floor || run.parentNode !== layer) return;
    const backwards = first && first !== run && run.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (backwards) run.before(floor);
    else run.after(floor);
  };
  layer.addEventListener("pointerdown", (event) => {
    first = event.target.parentNode === layer ? event.target : null;
    layer.classList.add("selecting");
    follow(event);
    layer.addEventListener("pointermove", follow);
    const stop = () => {
      layer.classList.remove("selecting");
      layer.removeEventListener("pointermove", follow);
    };
    window.addEventListener("pointerup", stop, { once: true });
    window.addEventListener("pointercancel", stop, { once: true });
  });
}

/** Return the boxes of characters `start` to `end` of a page, one for each stretch of a line. */
function boxesOf(words, start, end) {
  const boxes = [];
  for (const [x0, y0, x1, y1, from, text] of words) {
    const length = [...text].length;
    const [first, last] = [Math.max(0, start - from), Math.min(length, end - from)];
    if (first >= last) continue;
    const at = (count) => x0 + ((x1 - x0) * count) / length;
    const box = [at(first), y0, at(last), y1];
    const before = boxes[boxes.length - 1];
    const beside = before && Math.abs(before[1] - y0) < (y1 - y0) / 2 && box[0] - before[2] < y1 - y0 && box[0] > before[0];
    if (beside) before[2] = box[2];
    else boxes.push(box);
  }
  return boxes;
}

/** Return one element a box, a little larger than the words it covers. */
function marksOf(boxes, scale, name) {
  return boxes.map(([x0, y0, x1, y1]) => {
    const mark = document.createElement("div");
    mark.className = name;
    const [left, top, width, height] = [x0 * scale - 2, y0 * scale - 1, (x1 - x0) * scale + 4, (y1 - y0) * scale + 2];
    mark.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    return mark;
  });
}
