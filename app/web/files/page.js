// Pages are complete without scripts. These follow runs live, edit snippets, take pictures and files, and listen to keys.
import { copy, say } from "./saying.js";
import { takeKeys } from "./keys.js";
import { keepJobs, keepPage, followRun } from "./live.js";
import { takePictures, takeScenes } from "./files.js";

/** Run `use` on each element that matches. */
function each(selector, use) {
  for (const element of document.querySelectorAll(selector)) use(element);
}

/** Enter sends words, and Ctrl+Enter whatever is written. */
function sendByKeys(form) {
  form.addEventListener("keydown", (event) => {
    // Ignore the key that ends the composition of a word in another script, and keys that are held down.
    if (event.key !== "Enter" || event.isComposing || event.repeat || event.defaultPrevented) return;
    const line = event.target.name === "words" && !event.shiftKey;
    if (!line && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    form.requestSubmit();
  });
}

/** Only filters that are set go into the address. */
function sendFilters(form) {
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (!value) event.formData.delete(name);
  });
  for (const field of form.querySelectorAll("select, input[type=date]")) {
    // What is chosen with the pointer is meant. Keys pass other values on the way to theirs; Enter or the button sends it.
    let byKeys = false;
    field.addEventListener("keydown", () => (byKeys = true));
    field.addEventListener("pointerdown", () => (byKeys = false));
    field.addEventListener("change", () => byKeys || form.requestSubmit());
  }
}

/** Load the editor when the snippet is to be edited; without it, its field is a plain one. */
function editWhenOpened(details) {
  const open = async () => {
    const { edit } = await import("./editor.js");
    edit(details.querySelector("textarea"));
  };
  details.addEventListener("toggle", () => {
    if (details.open) open().catch(() => say("The editor could not be loaded. Edit the text in its field."));
  });
}

each("[data-copy]", (button) => button.addEventListener("click", () => copy(button)));
each("[data-share]", (button) => {
  button.hidden = false;
  button.addEventListener("click", () => copy(button, new URL(button.dataset.share, location).href));
});
each("[data-drop]", takePictures);
each("[data-scene]", takeScenes);
each("[data-live]", followRun);
each("[data-jobs]", keepJobs);
each("[data-keep]", keepPage);
each("[data-filters]", sendFilters);
each("[data-ask]", sendByKeys);
each("[data-edit]", editWhenOpened);
each("[data-confirm]", (form) => {
  form.addEventListener("submit", (event) => {
    if (!window.confirm(form.dataset.confirm)) event.preventDefault();
  });
});
each("[data-busy]", (form) => {
  form.addEventListener("submit", () => {
    const button = form.querySelector("button");
    button.textContent = form.dataset.busy;
    button.disabled = true;
  });
});
takeKeys();
