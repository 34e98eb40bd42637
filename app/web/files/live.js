// Keeps what changes as the service has it, by asking again. A stream of events per page would use up the few
// connections that a browser opens to one service.
import { say } from "./saying.js";

const RUN_MS = 700;
const LIST_MS = 1000;
const LOST_MS = 2000;
const QUIET_MS = 5000;
const LOST = "The service does not answer. Trying again…";

/** The element with this id on a page as the service has it now; loads this page anew if that leads elsewhere. */
async function fresh(address, id) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  // A session may have ended; the page then leads to the form that asks for the token.
  if (answer.redirected) location.reload();
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id);
}

/** Call `look` again and again, as many milliseconds later as it says, until it says nothing; seldom in a hidden tab. */
function again(look, lost) {
  const next = (delay) => window.setTimeout(turn, delay);
  async function turn() {
    let delay = LOST_MS;
    try {
      delay = await look();
    } catch {
      lost();
    }
    if (delay) next(document.hidden ? QUIET_MS : delay);
  }
  turn();
}

/** Put new words into an element, only if they are new, so that they are not said twice. */
function tell(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** Follow one run to its end. */
export function followRun(run) {
  const shown = document.getElementById("progress");
  const words = shown.querySelector("[role=status]");

  async function look() {
    const now = await fresh(run.dataset.live, "progress");
    if (!now) return RUN_MS;
    if (now.dataset.finished === "yes") {
      location.reload();
      return 0;
    }
    shown.querySelector("ol").replaceWith(now.querySelector("ol"));
    tell(words, now.querySelector("[role=status]").textContent);
    return RUN_MS;
  }

  again(look, () => tell(words, LOST));
}

/** Replace the rows of a list that differ, by their ids, and keep the focus on the row where it is. */
function renew(list, now) {
  for (const row of [...list.children]) if (!now.querySelector(`#${row.id}`)) row.remove();
  [...now.children].forEach((row, place) => {
    const old = document.getElementById(row.id);
    if (old && old.outerHTML === row.outerHTML) return;
    const focused = old && old.contains(document.activeElement);
    if (old) {
      announce(old, row);
      old.replaceWith(row);
    } else {
      list.insertBefore(row, list.children[place] || null);
    }
    if (focused) row.querySelector("a").focus();
  });
}

/** Say that a job has ended. */
function announce(old, row) {
  if (old.dataset.over === "no" && row.dataset.over === "yes") {
    say(`${row.querySelector(".run-title").textContent}: ${row.querySelector(".badge").textContent}`);
  }
}

/** Keep the list of jobs, often while one is under way. */
export function keepJobs(panel) {
  const list = panel.querySelector("ul");
  const words = panel.querySelector("[role=status]");
  again(
    async () => {
      const now = await fresh(location.href, panel.id);
      const rows = now && now.querySelector("ul");
      if (rows && !list) location.reload();
      if (!rows || !list) return QUIET_MS;
      // The rows move from one page to the other, so read the words first.
      tell(words, now.querySelector("[role=status]").textContent);
      const working = Boolean(rows.querySelector("[data-over=no]"));
      renew(list, document.adoptNode(rows));
      return working ? LIST_MS : QUIET_MS;
    },
    () => tell(words, LOST),
  );
}

/** True for elements with the same tag and attributes, and for the same texts. */
function alike(one, other) {
  const [bare, otherBare] = [one.cloneNode(), other.cloneNode()];
  // The reader opens and closes it.
  for (const node of [bare, otherBare]) if (node.nodeName === "DETAILS") node.open = false;
  return bare.isEqualNode(otherBare);
}

/** Make the parts of an element as they are now. The same parts stay, with focus, selection, and what is unfolded. */
function renewParts(element, now) {
  let next = element.firstChild;
  for (const part of [...now.childNodes]) {
    let own = next;
    while (own && part.nodeType === Node.ELEMENT_NODE && !alike(own, part)) own = own.nextSibling;
    if (!own || !alike(own, part)) {
      element.insertBefore(part, next);
      continue;
    }
    removeBetween(next, own);
    renewParts(own, part);
    next = own.nextSibling;
  }
  removeBetween(next, null);
}

/** Remove a node and those after it, up to another one. */
function removeBetween(first, end) {
  for (let next; first !== end; first = next) {
    next = first.nextSibling;
    first.remove();
  }
}

/** Keep a page, asking again after the milliseconds that it says, until it says none. */
export function keepPage(panel) {
  const words = document.getElementById("kept");
  again(
    async () => {
      const now = await fresh(location.href, panel.id);
      if (now) renewParts(panel, now);
      tell(words, "");
      return now ? Number(now.dataset.keep) : QUIET_MS;
    },
    () => tell(words, LOST),
  );
}
