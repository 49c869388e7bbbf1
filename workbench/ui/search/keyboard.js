// "/" puts the cursor into the query, arrows move through the results, Enter opens the one in focus (it is a link), Escape
// closes the page beside them. One listener a page, whichever run of the script put it there.

const keyboard = (document.pinciteSearchKeyboard ??= {});

function typing(target) {
  return target.closest?.("input, textarea, select, [contenteditable=true]") || target.isContentEditable;
}

function query() {
  return document.querySelector(".st-key-search-form input");
}

function results() {
  return [...document.querySelectorAll(".pc-results .pc-result-name")];
}

function move(step, target) {
  const links = results();
  if (!links.length) return false;
  const at = links.indexOf(target);
  // From the query, and from nowhere, down leads to the first result; up from the first one leads back to the query.
  if (at < 0 && step < 0) return false;
  if (at === 0 && step < 0) query()?.focus();
  else links[Math.min(links.length - 1, at < 0 ? 0 : at + step)].focus();
  return true;
}

function focusQuery() {
  query()?.focus();
  query()?.select();
  return Boolean(query());
}

function close() {
  if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"], [data-testid="stPopoverBody"]')) return false;
  const button = document.querySelector(".st-key-search-close button");
  button?.click();
  return Boolean(button);
}

function act(event) {
  const target = event.composedPath()[0];
  const inQuery = target === query();
  if (event.key === "ArrowDown" && (inQuery || !typing(target))) return move(1, target);
  if (typing(target)) return false;
  if (event.key === "ArrowUp") return move(-1, target);
  if (event.key === "/") return focusQuery();
  return event.key === "Escape" ? close() : false;
}

if (!keyboard.listening) {
  keyboard.listening = true;
  document.addEventListener("keydown", (event) => {
    const here = document.querySelector(".st-key-search-form");
    // Arrows inside the page that is open scroll it.
    const inViewer = event.composedPath().some((node) => node.classList?.contains("st-key-search-panel"));
    if (!here || inViewer || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (act(event)) event.preventDefault();
  });
}

export default function ({ parentElement }) {
  const container = parentElement.closest?.('[data-testid="stElementContainer"]');
  if (container) container.style.display = "none";
}
