// What is said to those who do not see it change, and what goes to the clipboard.

/** Have a screen reader say it. */
export function say(text) {
  document.getElementById("said").textContent = text;
}

/** Copy a text, or that of the field that the button names. */
export async function copy(button, text = document.getElementById(button.dataset.copy)?.value) {
  const name = (button.dataset.name ??= button.textContent);
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
  say("Copied");
  window.setTimeout(() => (button.textContent = name), 1600);
}
