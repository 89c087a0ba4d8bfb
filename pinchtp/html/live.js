// A page that is served looks for newer versions of itself, and takes over what they show.
import { at } from "./dom.js";

/** @param {(data: any) => void} takeOver  given the data of a newer version */
export function keepUpToDate(takeOver) {
  let tag = null;

  // The text of a newer version, empty if there is none, null if the server has gone.
  async function newerPage() {
    try {
      const answer = await fetch("/", { cache: "no-cache" });
      if (!answer.ok) return null;
      const before = tag;
      tag = answer.headers.get("ETag");
      return tag === before ? "" : await answer.text();
    } catch {
      return null;
    }
  }

  async function look() {
    const newer = await newerPage();
    at("live").textContent = newer === null
      ? "Not served any more: what it shows has ended or was interrupted. Below is how it stood then."
      : `Up to date at ${new Date().toLocaleTimeString()}.`;
    if (newer) {
      const page = new DOMParser().parseFromString(newer, "text/html");
      at("facts").textContent = page.getElementById("facts").textContent;
      replaceSections([...page.querySelectorAll("main > section")]);
      takeOver(JSON.parse(page.getElementById("data").textContent));
    }
    setTimeout(look, 1000 * Number(document.body.dataset.refresh));
  }

  look();
}

// Elements that did not change stay where they are, scrolled and focused as they were; so does the
// one with the viewer, which is the script's.
function replaceSections(sections) {
  const main = document.querySelector("main"), ids = new Set(sections.map((section) => section.id));
  for (const old of [...main.children]) if (!ids.has(old.id)) old.remove();
  let before = null;
  for (const section of sections) {
    const old = at(section.id);
    const isKept = old && (old.querySelector("#viewer") || old.innerHTML === section.innerHTML);
    if (!old) {
      if (before) before.after(section);
      else main.prepend(section);
    } else if (!isKept) {
      keepOpen(old, section);
      old.replaceWith(section);
    }
    before = isKept ? old : section;
  }
}

function keepOpen(old, section) {
  const open = new Set([...old.querySelectorAll("details[open] > summary")].map((each) => each.textContent));
  for (const summary of section.querySelectorAll("details > summary")) {
    summary.parentElement.open = open.has(summary.textContent);
  }
}
