// What lies over a page's image: its words, transparent and selectable, and the highlights.

const ruler = document.createElement("canvas").getContext("2d");

/** Return a layer of transparent words. `words` are [x0, y0, x1, y1, text] in points, `scale` is pixels a point. */
function wordLayer(words, scale) {
  const layer = document.createElement("div");
  layer.className = "words";
  words.forEach(([x0, y0, x1, y1, text], index) => {
    const size = (y1 - y0) * scale;
    const span = document.createElement("span");
    const next = words[index + 1];
    // A new line in the copied text where the next word stands lower on the page.
    span.textContent = text + (next && next[1] >= y1 - (y1 - y0) / 2 ? "\n" : " ");
    ruler.font = `${size}px sans-serif`;
    const stretch = ((x1 - x0) * scale) / Math.max(1, ruler.measureText(text).width);
    span.style.cssText = `left:${x0 * scale}px;top:${y0 * scale}px;font:${size}px/1 sans-serif;transform:scaleX(${stretch})`;
    layer.append(span);
  });
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
