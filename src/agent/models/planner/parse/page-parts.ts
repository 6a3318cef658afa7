import type { Answer, DraftPart, Material, Part } from "../program.ts";
import { longestPhrase } from "../text/phrases.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { phrasesOfTypes } from "./cover.ts";

type Fact = Exclude<Extract<Answer, { kind: "page" }>["what"], "json">;

const FACTS: readonly Fact[] = ["text", "title", "summary", "description", "status"];
const LABELS: Record<Fact, string> = {
  text: "Text",
  title: "Title",
  summary: "Summary",
  description: "Description",
  status: "HTTP status",
};

/**
 * Binds a part that asks for the title, the text or a summary of whole pages; null for all others. Of a
 * page without rows to show, nothing more than to open it asks for a summary.
 */
export function pagePart(
  draft: DraftPart,
  materials: readonly Material[],
  tokens: readonly Token[],
): Part | null {
  const pages = materials.flatMap((material) =>
    draft.sourceIds.includes(material.sourceId) ? material.pages : [],
  );
  const isProse = pages.every(
    ({ json, tables }) =>
      json === undefined && !tables.some(({ kind }) => kind === "table" || kind === "cards"),
  );
  const what = factAskedBy(tokens) ?? (isProse && isBlank(tokens) ? "summary" : null);
  if (what === null) return null;
  const where = pages.flatMap(({ url }) => url ?? []).join(", ");
  return {
    id: draft.id,
    says: `give the ${LABELS[what].toLowerCase()} of ${where || "the data"}`,
    label: LABELS[what],
    name: draft.name,
    answer: { kind: "page", what, sourceIds: draft.sourceIds },
    form: draft.form,
    clean: false,
  };
}

/** Returns what tokens ask of a page, if they ask nothing else. */
function factAskedBy(tokens: readonly Token[]): Fact | null {
  const phrases = phrasesOfTypes("fact");
  for (let at = 0; at < tokens.length; at += 1) {
    const found = longestPhrase(phrases, tokens, at, tokens.length);
    if (found === null) continue;
    const rest = [...tokens.slice(0, found.from), ...tokens.slice(found.to)];
    const isAlone = isBlank(rest, ["show", "what", "and", "pronoun"]);
    return isAlone ? (FACTS.find((fact) => fact === found.argument) ?? null) : null;
  }
  return null;
}
