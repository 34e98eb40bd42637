// Bundles CodeMirror into one file, which begins with its versions and its licence.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const folders = Object.keys(lock.packages).filter((path) => path);
const bundled = folders.map((path) => `${path.replace("node_modules/", "")} ${lock.packages[path].version}`);
const licences = folders.map((path) => {
  const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name));
  return readFileSync(`${path}/${file}`, "utf8").trim();
});
const holders = [...new Set(licences.flatMap((text) => text.match(/^Copyright .*$/gm)))].sort();
const terms = licences[0].replace(/^Copyright .*$/m, holders.join("\n"));

execFileSync("npx", [
  "--yes",
  "esbuild@0.28.2",
  "codemirror.js",
  "--outfile=../../app/web/files/codemirror.js",
  "--bundle",
  "--minify",
  "--format=esm",
  "--legal-comments=none",
  `--banner:js=/*! Bundled by setup/editor from ${bundled.join(", ")}.\n\n${terms}\n*/`,
]);
