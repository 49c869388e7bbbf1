// A plain click on a link to the viewer, or to a place of a conversation, goes to Python, so that the page and its session live on. Clicks with Ctrl, Cmd,
// Shift or the middle button are the browser's: a new tab. One listener a page, whichever run of the script put it there.

const router = (document.pinciteLinks ??= { fetched: new Set() });
const AT_REST = 700; // milliseconds after which nothing is being drawn, and what may be opened next can be fetched
const LIKELY = 3; // of the sources under the last answer, the first ones

/** Fetch what the viewer asks for first, so that a click finds it in the browser's own store. */
async function fetchAhead({ document: id, page }) {
  const key = `${id}:${page}`;
  if (router.fetched.has(key)) return;
  router.fetched.add(key);
  setTimeout(() => router.fetched.delete(key), 250_000); // shortly before the browser forgets it
  const base = `/documents/${encodeURIComponent(id)}`;
  const width = document.pinciteImageWidth ?? Math.ceil((innerWidth * 0.42 * devicePixelRatio) / 200) * 200;
  try {
    const answer = await fetch(`${base}/geometry.json`);
    const there = answer.ok && (await answer.json()).sizes.length >= page; // cells may stand on no page
    if (there) await Promise.all([fetch(`${base}/pages/${page}/words.json`), fetch(`${base}/pages/${page}.img?w=${width}`)]);
  } catch {
    router.fetched.delete(key); // the viewer will say what is wrong, if it is still so
  }
}

/** The sources list says where a citation stands, and only while its document is there. */
function fetchHovered(event) {
  const chip = event.target.closest?.("a.pc-cite[data-citation]");
  if (!chip) return;
  const turn = new URL(chip.href).searchParams.get("turn");
  const row = document.querySelector(`.pc-sources[data-turn="${CSS.escape(turn)}"] [data-number="${chip.dataset.citation}"][data-document]`);
  if (row) fetchAhead(row.dataset);
}

function fetchLikely() {
  const last = [...document.querySelectorAll(".pc-sources")].pop();
  if (last) [...last.querySelectorAll("[data-document]")].slice(0, LIKELY).forEach((row) => fetchAhead(row.dataset));
}

if (!router.listening) {
  router.listening = true;
  document.addEventListener("pointerover", fetchHovered, { passive: true });
  document.addEventListener("focusin", fetchHovered);
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
  clearTimeout(router.resting);
  router.resting = setTimeout(fetchLikely, AT_REST);
}
