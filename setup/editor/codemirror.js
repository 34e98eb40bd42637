// What the editor of the page uses of CodeMirror; `npm ci && npm run build` makes app/web/files/codemirror.js of it.
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { bracketMatching, HighlightStyle, indentService, indentUnit, LRLanguage, syntaxHighlighting } from "@codemirror/language";
export { search, searchKeymap } from "@codemirror/search";
export { EditorView, keymap, lineNumbers } from "@codemirror/view";
export { tags } from "@lezer/highlight";
export { parser } from "@lezer/python";
