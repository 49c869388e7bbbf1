// What lies over a page's image: its words, transparent and selectable, and the highlights.

const ruler = document.createElement("canvas").getContext("2d");

/** Join words that stand side by side on one line: a page has some forty runs, but a thousand words to lay out. */
function textRuns(words) {
  const runs = [];
  for (const [x0, y0, x1, y1, text] of words) {
    const last = runs[runs.length - 1];
    const height = y1 - y0;
    const sameLine = last && Math.min(last.y1, y1) - Math.max(last.y0, y0) > height / 2;
    if (sameLine && x0 - last.x1 > -height / 2 && x0 - last.x1 < height) {
      Object.assign(last, { x1, y0: Math.min(last.y0, y0), y1: Math.max(last.y1, y1), text: `${last.text} ${text}` });
    } else {
      runs.push({ x0, y0, x1, y1, text });
    }
  }
  return runs;
}

/** Return a layer of transparent text. `words` are [x0, y0, x1, y1, text] in points, `scale` is pixels a point. */
function wordLayer(words, scale) {
  const layer = document.createElement("div");
  layer.className = "words";
  for (const { x0, y0, x1, y1, text } of textRuns(words)) {
    const size = (y1 - y0) * scale;
    const span = document.createElement("span");
    span.textContent = `${text}\n`; // copied text keeps its lines
    ruler.font = `${size}px sans-serif`;
    const stretch = ((x1 - x0) * scale) / Math.max(1, ruler.measureText(text).width);
    span.style.cssText = `left:${x0 * scale}px;top:${y0 * scale}px;font:${size}px/1 sans-serif;transform:scaleX(${stretch})`;
    layer.append(span);
  }
  return layer;
}

/** Return one element a box of the highlight, a little larger than the words it covers. */
function highlightMarks(highlight, scale) {
  return highlight.boxes.map(([x0, y0, x1, y1]) => {
    const mark = document.createElement("div");
    mark.className = highlight.active ? "mark active" : "mark";
    const [left, top, width, height] = [x0 * scale - 2, y0 * scale - 1, (x1 - x0) * scale + 4, (y1 - y0) * scale + 2];
    mark.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    return mark;
  });
}
