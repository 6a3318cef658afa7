import type { DraftPart } from "../program.ts";
import type { PhraseMatch } from "../text/phrases.ts";
import type { Cover } from "./cover.ts";
import type { DraftState, File } from "./draft-state.ts";
import { type Stop, stop } from "./stop.ts";

/** Covers the phrases that name a file, if the clause makes one. */
export function coverFiles(cover: Cover, start: number): PhraseMatch[] {
  const found = cover.take(["file"]);
  if (found.length > 0) cover.takeAt(["save"], start);
  return found;
}

/** Saves what was found since the last delivery, else the whole table. */
export function saveResults(
  state: DraftState,
  files: readonly PhraseMatch[],
  cover: Cover,
): Stop | null {
  const parts = state.lastPartsOr(state.fresh);
  if (parts.length > 0) return saveFile(state, files, parts, cover);
  // "Save the table of URL as x.csv": the whole table.
  const part: DraftPart = {
    id: `p${state.parts.length + 1}`,
    sourceIds: state.context,
    request: cover.rest(),
    form: "auto",
    name: null,
  };
  state.parts.push(part);
  return saveFile(state, files, [part.id], cover);
}

/** Adds a file of these parts. */
export function saveFile(
  state: DraftState,
  files: readonly PhraseMatch[],
  parts: readonly string[],
  { clause }: Cover,
): Stop | null {
  const filename =
    files.flatMap(({ literals }) =>
      literals.flatMap((token) =>
        token.kind === "file" ? [token.name] : token.kind === "quote" ? [token.value] : [],
      ),
    )[0] ?? null;
  const named = files.map(({ argument }) => argument).find((argument) => argument !== "name");
  const format = formatOf(filename, named);
  if (format === null) return stop(`This model cannot write ${filename ?? "such a file"}.`);
  if (format !== "xlsx" && parts.length > 1)
    return stop("Several results do not fit one file of that kind.", {
      suggestion: "Name one file for each, or a workbook.",
    });
  state.needs.add(format === "xlsx" || format === "csv" ? "write_spreadsheet" : "emit_output");
  const file: File = {
    id: `d${state.deliveries.length + 1}`,
    says: `write ${filename ?? `a ${format} file`}`,
    when: state.condition,
    origin: { from: clause.from, to: clause.to },
    kind: "file",
    format,
    filename,
    sheets: parts.map((part) => ({ name: null, part })),
  };
  state.deliveries.push(file);
  return null;
}

const FORMATS: Partial<Record<string, File["format"]>> = {
  xlsx: "xlsx",
  xls: "xlsx",
  csv: "csv",
  json: "json",
  md: "markdown",
  markdown: "markdown",
  txt: "text",
  text: "text",
};

/** Returns the format of a file by its name or by what the prompt calls it, or null if none is known. */
export function formatOf(
  filename: string | null,
  named: string | undefined,
): File["format"] | null {
  const extension =
    filename === null ? undefined : (/[^.]*$/.exec(filename)?.[0].toLowerCase() ?? "");
  if (extension !== undefined) return FORMATS[extension] ?? null;
  return named === undefined ? null : (FORMATS[named] ?? null);
}
