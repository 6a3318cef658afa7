import { isSafeFileName } from "../../contract/files.ts";
import { fail } from "./tool.ts";

/** Fails for a name that could lead out of a folder. */
export function checkFileName(name: string): void {
  if (isSafeFileName(name)) return;
  fail("A file name must not have slashes, control characters or a leading dot.");
}

const OTHER_EXTENSION =
  /\.(?:csv|docx?|gsheet|html?|json|md|numbers|ods|pdf|rtf|tsv|txt|xlsb|xlsm|xlsx?|xml|ya?ml|zip)$/i;

/** Adds the extension to a name without one. The extension of another file type is an error. */
export function withExtension(extension: string, name: string): string {
  checkFileName(name);
  if (name.toLowerCase().endsWith(`.${extension}`)) return name;
  const other = OTHER_EXTENSION.exec(name)?.[0];
  if (other === undefined) return `${name}.${extension}`;
  return fail(`The file is a .${extension}, so its name cannot end in ${other}.`);
}
