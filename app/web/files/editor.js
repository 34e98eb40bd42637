// The editor of a snippet: CodeMirror over the field, in a shadow root, where its styles need no permission of the page.
import * as cm from "./codemirror.js";

const THEME = {
  "&": { color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "0.83rem", maxHeight: "min(70vh, 44rem)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { caretColor: "var(--ink)", fontFamily: "var(--mono)" },
  ".cm-gutters": { color: "var(--comment)", backgroundColor: "var(--sunken)", borderRight: "1px solid var(--line)" },
  ".cm-scroller": { overflow: "auto", fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--sunken)" },
  ".cm-textfield, .cm-button": { color: "inherit", background: "var(--surface)", border: "1px solid var(--line)" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-ground)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
};

function colours() {
  const { tags } = cm;
  return cm.HighlightStyle.define([
    { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword, tags.bool, tags.null], color: "var(--keyword)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
    { tag: tags.number, color: "var(--number)" },
    { tag: [tags.function(tags.variableName), tags.className, tags.definition(tags.variableName)], color: "var(--name)" },
    { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  ]);
}

/** A new line begins under the one before; four spaces further in after a colon. */
function indent(context, position) {
  if (context.simulatedBreak !== position) return undefined;
  const above = context.lineAt(position, -1).text;
  return /^ */.exec(above)[0].length + (/:\s*(#.*)?$/.test(above) ? 4 : 0);
}

function extensions(field) {
  const send = { key: "Mod-Enter", run: () => (field.form.requestSubmit(), true) };
  return [
    cm.lineNumbers(),
    cm.history(),
    cm.bracketMatching(),
    cm.search({ top: true }),
    cm.indentUnit.of("    "),
    cm.indentService.of(indent),
    cm.LRLanguage.define({ parser: cm.parser }),
    cm.syntaxHighlighting(colours()),
    // Tab moves on, so that a keyboard can leave; Ctrl+] and Ctrl+[ move lines in and out.
    cm.keymap.of([send, ...cm.defaultKeymap, ...cm.historyKeymap, ...cm.searchKeymap]),
    cm.EditorView.contentAttributes.of({ "aria-label": "Snippet", spellcheck: "false", autocapitalize: "off" }),
    cm.EditorView.theme(THEME),
    // Keep the field as it is here, so that it is sent, and copied.
    cm.EditorView.updateListener.of((update) => {
      if (update.docChanged) field.value = update.state.doc.toString();
    }),
  ];
}

/** Put an editor in place of a field, which is still what its form sends. Once per field. */
export function edit(field) {
  if (field.hidden) return;
  const host = document.createElement("div");
  host.className = "editor";
  field.after(host);
  const root = host.attachShadow({ mode: "open" });
  const view = new cm.EditorView({ doc: field.value, extensions: extensions(field), parent: root, root });
  const before = field.value;
  let sent = false;
  field.hidden = true;
  field.form.addEventListener("submit", () => (sent = true));
  window.addEventListener("beforeunload", (event) => {
    if (!sent && field.value !== before) event.preventDefault();
  });
  followLines(view);
  view.focus();
}

/** Links of findings lead to their lines in the editor. */
function followLines(view) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#line-"]');
    const number = link && Number(link.hash.slice("#line-".length));
    if (!link || !view.dom.checkVisibility() || number > view.state.doc.lines) return;
    event.preventDefault();
    view.dispatch({ selection: { anchor: view.state.doc.line(number).from }, scrollIntoView: true });
    view.focus();
  });
}
