// "/" puts the cursor into the composer. A turn that has just appeared is scrolled to once, so that its question stands at
// the top and the answer grows below it.

const keyboard = (document.pinciteKeyboard ??= {});

function typing(target) {
  return target.closest?.("input, textarea, select, [contenteditable=true]") || target.isContentEditable;
}

if (!keyboard.listening) {
  keyboard.listening = true;
  document.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== "/" || modified || event.defaultPrevented || typing(event.composedPath()[0])) return;
    const composer = document.querySelector('.st-key-ask-composer textarea:not(:disabled)');
    if (!composer) return;
    event.preventDefault();
    composer.focus();
  });
}

function scrollTo(id, attempts) {
  const question = document.getElementById(id);
  if (question) question.scrollIntoView({ block: "start" });
  else if (attempts > 0) setTimeout(() => scrollTo(id, attempts - 1), 50);
}

export default function ({ data, parentElement }) {
  const container = parentElement.closest?.('[data-testid="stElementContainer"]');
  if (container) container.style.display = "none";
  if (data.turn && keyboard.shown !== data.turn) {
    keyboard.shown = data.turn;
    scrollTo(data.turn, 20);
  }
}
