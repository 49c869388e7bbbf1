// "/" puts the cursor into the composer, Escape closes the panel. A turn that has just appeared is scrolled to once, so that its question stands at
// the top and the answer grows below it. Opening the panel makes the text narrower: the chip that was clicked stays in view.

const keyboard = (document.pinciteKeyboard ??= {});

function typing(target) {
  return target.closest?.("input, textarea, select, [contenteditable=true]") || target.isContentEditable;
}

function focusComposer() {
  const composer = document.querySelector(".st-key-ask-composer textarea:not(:disabled)");
  composer?.focus();
  return Boolean(composer);
}

function closePanel() {
  // What lies over the page closes first: a dialog, a menu, an open choice.
  if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"], [data-testid="stPopoverBody"]')) return false;
  const button = document.querySelector(".st-key-ask-panel-close button");
  button?.click();
  return Boolean(button);
}

const ACTIONS = { "/": focusComposer, Escape: closePanel };

if (!keyboard.listening) {
  keyboard.listening = true;
  document.addEventListener("keydown", (event) => {
    const action = ACTIONS[event.key];
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (!action || modified || event.defaultPrevented || typing(event.composedPath()[0])) return;
    if (action()) event.preventDefault();
  });
}

function scrollTo(find, block, attempts) {
  const element = find();
  if (element) element.scrollIntoView({ block });
  else if (attempts > 0) setTimeout(() => scrollTo(find, block, attempts - 1), 50);
}

export default function ({ data, parentElement }) {
  const container = parentElement.closest?.('[data-testid="stElementContainer"]');
  if (container) container.style.display = "none";
  if (data.turn && keyboard.turn !== data.turn) {
    keyboard.turn = data.turn;
    scrollTo(() => document.getElementById(data.turn), "start", 20);
  }
  if (data.opened && keyboard.opened !== data.opened) {
    const find = () => document.querySelector(".pc-step-opened") ?? document.querySelector(".pc-cite.pc-open");
    setTimeout(() => scrollTo(find, "nearest", 20), 250);
  }
  keyboard.opened = data.opened;
}
