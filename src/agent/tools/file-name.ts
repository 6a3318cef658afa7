import { isSafeFileName } from "../../contract/files.ts";
import { failure, type Result, success } from "./source-content.ts";

/** The error of a name that `isSafeFileName` rejects. */
export const UNSAFE_FILE_NAME =
  "A file name must not have slashes, control characters or a leading dot.";

const OTHER_EXTENSION =
  /\.(?:csv|docx?|gsheet|html?|json|md|numbers|ods|pdf|rtf|tsv|txt|xlsb|xlsm|xlsx?|xml|ya?ml|zip)$/i;

/** Adds the extension to a name without one. The extension of another file type is an error. */
export function withExtension(extension: string, name: string): Result<string> {
  if (!isSafeFileName(name)) return failure(UNSAFE_FILE_NAME);
  if (name.toLowerCase().endsWith(`.${extension}`)) return success(name);
  const other = OTHER_EXTENSION.exec(name)?.[0];
  if (other === undefined) return success(`${name}.${extension}`);
  return failure(`The file is a .${extension}, so its name cannot end in ${other}.`);
}
