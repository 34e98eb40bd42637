// The page without this script is whole; with it a run is followed live, and a picture can be dropped or pasted.
"use strict";

const POLL_MS = 700;

/** Follow a run, by its events where the service sends them, and by asking again. */
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
  // Beside the events: a service may send none, or some whose name this script does not know.
  poll();
}

/** Let a picture be dropped anywhere, pasted, or chosen, and search by it. */
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
    // Text from an office program brings a picture of itself; into a field goes the text.
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
    // Without a secure address there is no clipboard to write to, but there is a selection to copy.
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
  // Only what is set goes into the address.
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
    // The key that ends the writing of a word in another script asks for nothing yet, nor does one that is held down.
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
