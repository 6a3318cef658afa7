import { failure, type Result, success } from "./source-content.ts";

/** What is wrong with a name that `isSafeName` refuses. */
export const UNSAFE_FILE_NAME =
  "A file name has no slashes, no control characters and no dot in front.";

/** Whether a file of this name lies where it is put, and shows what it is called. */
export function isSafeFileName(name: string): boolean {
  return !/[/\\\p{Cc}\p{Cf}]|^\.|^\s*$/u.test(name);
}

const OTHER_EXTENSION =
  /\.(?:csv|docx?|gsheet|html?|json|md|numbers|ods|pdf|rtf|tsv|txt|xlsb|xlsm|xlsx?|xml|ya?ml|zip)$/i;

/** The name with its extension, which is added when there is none; another kind of file's is refused. */
export function withExtension(extension: string, name: string): Result<string> {
  if (!isSafeFileName(name)) return failure(UNSAFE_FILE_NAME);
  if (name.toLowerCase().endsWith(`.${extension}`)) return success(name);
  const other = OTHER_EXTENSION.exec(name)?.[0];
  if (other === undefined) return success(`${name}.${extension}`);
  return failure(`The file is a .${extension}, so its name cannot end in ${other}.`);
}
