// One key per place. The list that `?` shows is in show.py; in its dialog the keys can be turned off too.
const STORED = "blendproof keys";

/** The places, by key: what is focused or opened here, or the page to go to if it is not here. */
const PLACES = {
  "/": ["[data-search]", "/"],
  n: ["#words", "/"],
  r: [null, "/page/runs"],
  o: [null, "/page/overview"],
  c: ["#change", null],
  e: ["[data-edit] > summary", null],
};

/** Whether the keys are on; they are unless they were turned off in this browser. */
function areOn() {
  try {
    return localStorage.getItem(STORED) !== "off";
  } catch {
    return true;
  }
}

function turn(on) {
  try {
    localStorage.setItem(STORED, on ? "on" : "off");
  } catch {
    // A browser that keeps nothing has them on again with the next page.
  }
}

/** Go to the place of a key; false if it has none. */
function go(key) {
  if (!Object.hasOwn(PLACES, key)) return false;
  const [selector, address] = PLACES[key];
  const here = selector && document.querySelector(selector);
  if (here) {
    here.focus();
    if (here.matches("summary")) here.parentElement.open = true;
  } else if (address) {
    location.assign(address);
  }
  return Boolean(here || address);
}

/** Listen to the keys, and show their list on request. */
export function takeKeys() {
  const list = document.getElementById("keys");
  const button = document.querySelector("[data-keys]");
  const wanted = list.querySelector("input");
  wanted.checked = areOn();
  wanted.addEventListener("change", () => turn(wanted.checked));
  button.hidden = false;
  button.addEventListener("click", () => list.showModal());
  document.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
    if (modified || list.open || !wanted.checked || event.target.closest("input, textarea, select, .editor")) return;
    if (event.key === "?") list.showModal();
    else if (!go(event.key)) return;
    event.preventDefault();
  });
}
