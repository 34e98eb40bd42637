// The page is complete without this script, which follows runs live and lets the user drop or paste a picture.
"use strict";

const POLL_MS = 700;

/** Follow a run by its events, if the service sends them, and by polling. */
function follow(run) {
  const progress = () => document.getElementById("progress");
  let over = false;

  async function refresh() {
    const answer = await fetch(run.dataset.live, { headers: { Accept: "text/html" } });
    if (!answer.ok || over) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("progress");
    if (!fresh) return;
    if (fresh.dataset.finished === "yes") {
      over = true;
      location.reload();
    } else if (fresh.outerHTML !== progress().outerHTML) {
      progress().replaceWith(fresh);
    }
  }

  const poll = () => {
    window.setTimeout(async () => {
      try {
        await refresh();
      } finally {
        if (!over) poll();
      }
    }, POLL_MS);
  };

  const events = new EventSource(run.dataset.events);
  const heard = () => refresh().catch(() => undefined);
  events.onopen = heard;
  events.onmessage = heard;
  for (const name of ["stage", "finding", "attempt", "healed", "model", "ended"]) events.addEventListener(name, heard);
  // In addition to the events: a service may send none, or events that this script does not know.
  poll();
}

/** Search by a picture that the user drops anywhere, pastes or chooses. */
function takePictures(form) {
  const input = form.querySelector("input[type=file]");
  const send = (files) => {
    const picture = [...files].find((file) => file.type.startsWith("image/"));
    if (!picture) return;
    const carried = new DataTransfer();
    carried.items.add(picture);
    input.files = carried.files;
    form.classList.add("busy");
    form.requestSubmit();
  };
  input.addEventListener("change", () => input.files.length && send(input.files));
  document.addEventListener("paste", (event) => {
    // Text pasted from an office program comes with a picture of itself; in a field, paste the text.
    const writing = event.target.closest && event.target.closest("input, textarea");
    if (event.clipboardData && !(writing && event.clipboardData.types.includes("text/plain"))) {
      send(event.clipboardData.files);
    }
  });
  let depth = 0;
  const carriesFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragenter", (event) => {
    if (!carriesFiles(event)) return;
    depth += 1;
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!carriesFiles(event)) return;
    depth -= 1;
    if (depth <= 0) document.body.classList.remove("dropping");
  });
  document.addEventListener("dragover", (event) => carriesFiles(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    document.body.classList.remove("dropping");
    send(event.dataTransfer.files);
  });
}

async function copy(button) {
  const text = document.getElementById(button.dataset.copy).value;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure address the clipboard cannot be written, but a selection can be copied.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  window.setTimeout(() => (button.textContent = "Copy"), 1600);
}

for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
for (const form of document.querySelectorAll("[data-drop]")) takePictures(form);
for (const run of document.querySelectorAll("[data-live]")) follow(run);
for (const form of document.querySelectorAll("[data-filters]")) {
  // Only filters that are set go into the address.
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (!value) event.formData.delete(name);
  });
  for (const field of form.querySelectorAll("select, input[type=date]")) {
    field.addEventListener("change", () => form.requestSubmit());
  }
}
for (const form of document.querySelectorAll("[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!window.confirm(form.dataset.confirm)) event.preventDefault();
  });
}
for (const form of document.querySelectorAll("[data-busy]")) {
  form.addEventListener("submit", () => {
    const button = form.querySelector("button");
    button.textContent = form.dataset.busy;
    button.disabled = true;
  });
}
for (const form of document.querySelectorAll("[data-ask]")) {
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.name !== "words" || event.shiftKey) return;
    // Ignore the key that ends the composition of a word in another script, and keys that are held down.
    if (event.isComposing || event.repeat) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  const search = document.querySelector("[data-search]");
  if (event.key === "/" && !typing && search) {
    event.preventDefault();
    search.focus();
  }
});
