// A plain click on a link to the viewer, or to a place of a conversation, goes to Python, so that the page and its session live on. Clicks with Ctrl, Cmd,
// Shift or the middle button are the browser's: a new tab. One listener a page, whichever run of the script put it there.

const router = (document.pinciteLinks ??= {});

if (!router.listening) {
  router.listening = true;
  document.addEventListener(
    "click",
    (event) => {
      const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
      if (event.defaultPrevented || !plain || !router.host?.isConnected) return;
      const link = event.composedPath().find((node) => node.tagName === "A");
      const address = link?.getAttribute("href") ?? "";
      if (!address.startsWith("/viewer?") && !address.startsWith("/?conversation=")) return;
      event.preventDefault();
      event.stopPropagation();
      router.send("open", new URL(link.href).search.slice(1));
    },
    true,
  );
}

export default function ({ parentElement, setTriggerValue }) {
  const container = parentElement.closest?.('[data-testid="stElementContainer"]');
  if (container) container.style.display = "none";
  router.host = parentElement;
  router.send = setTriggerValue;
}
