// Starts `blendproof lsp` for Python files, and offers a proof as a command; everything else the server does.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

const PROVE = "blendproof.prove";
const OPEN = "Open";

let client: LanguageClient | undefined;

/** What a proof came to, as the server tells it. */
interface Proof {
  status: string;
  page: string;
  picture: string | null;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const [command, ...args] = vscode.workspace.getConfiguration("blendproof").get<string[]>("command", []);
  client = new LanguageClient(
    "blendproof",
    "Blendproof",
    { command, args },
    { documentSelector: [{ language: "python", scheme: "file" }] },
  );
  context.subscriptions.push(vscode.commands.registerCommand("blendproof.proveThisFile", proveThisFile));
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Have the server prove the file in the active editor, and open what came of it if that is wanted. */
async function proveThisFile(): Promise<void> {
  const file = vscode.window.activeTextEditor?.document.uri.toString();
  if (!file || !client) return;
  // True: the server says nothing, because it is said here.
  const asked = { command: PROVE, arguments: [file, true] };
  const proof = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "Blendproof: proving" },
    () => client!.sendRequest<Proof | null>("workspace/executeCommand", asked),
  );
  if (!proof) return;
  const said = `Blendproof: ${proof.status.replaceAll("_", " ")}`;
  if ((await vscode.window.showInformationMessage(said, OPEN)) === OPEN) {
    await vscode.env.openExternal(vscode.Uri.parse(proof.picture ?? proof.page));
  }
}
