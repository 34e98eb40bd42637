// Pictures to search by and scenes to start from: chosen, dropped anywhere, or pasted.

/** Put a file into a field, as if it was chosen there. */
function choose(input, file) {
  const carried = new DataTransfer();
  carried.items.add(file);
  input.files = carried.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

const isScene = (file) => file.name.toLowerCase().endsWith(".blend");

/** Search by a picture that the user drops anywhere, pastes or chooses. */
export function takePictures(form) {
  const input = form.querySelector("input[type=file]");
  const send = (files) => {
    const picture = [...files].find((file) => file.type.startsWith("image/"));
    if (picture) choose(input, picture);
  };
  input.addEventListener("change", () => {
    if (!input.files.length) return;
    form.classList.add("busy");
    form.requestSubmit();
  });
  document.addEventListener("paste", (event) => {
    // Text pasted from an office program comes with a picture of itself; in a field, paste the text.
    const writing = event.target.closest && event.target.closest("input, textarea, .editor");
    if (event.clipboardData && !(writing && event.clipboardData.types.includes("text/plain"))) {
      send(event.clipboardData.files);
    }
  });
  takeDropped(send);
}

const takers = [];

/** Hand over the files that are dropped anywhere on the page, and where. */
function takeDropped(take) {
  if (takers.push(take) > 1) return;
  let depth = 0;
  const show = () => document.body.classList.toggle("dropping", depth > 0);
  const on = (name, use) =>
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer || ![...event.dataTransfer.types].includes("Files")) return;
      use(event);
      show();
    });
  on("dragenter", () => (depth += 1));
  on("dragleave", () => (depth -= 1));
  on("dragover", (event) => event.preventDefault());
  on("drop", (event) => {
    event.preventDefault();
    depth = 0;
    for (const taker of takers) taker([...event.dataTransfer.files], event.target);
  });
}

/** Refuse a scene that is too large before it is sent, and take one that is dropped, on its form or beside all forms. */
export function takeScenes(input) {
  const problem = document.getElementById(input.getAttribute("aria-describedby"));
  const usual = problem.textContent;
  const judge = () => {
    const file = input.files[0];
    const tooLarge = Boolean(file && file.size > Number(input.dataset.scene));
    input.setCustomValidity(tooLarge ? `This file has ${(file.size / 2 ** 20).toFixed(1)} MiB.` : "");
    input.setAttribute("aria-invalid", String(tooLarge));
    problem.textContent = tooLarge ? `${input.validationMessage} ${usual}` : usual;
  };
  input.addEventListener("change", judge);
  // Otherwise a browser says nothing if the same file is chosen again after it was made smaller.
  input.addEventListener("click", () => {
    input.value = "";
    judge();
  });
  takeDropped((files, target) => {
    const scene = files.find(isScene);
    const fields = [...document.querySelectorAll("[data-scene]")];
    const meant = fields.find((field) => field.form.contains(target)) || fields[0];
    if (!scene || meant !== input) return;
    const folded = input.closest("details");
    if (folded) folded.open = true;
    choose(input, scene);
  });
}
