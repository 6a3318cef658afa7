import type { Answer, DraftPart, Material, Part } from "../program.ts";
import type { Token } from "../text/tokens.ts";
import { isBlank } from "./blank.ts";
import { Cover } from "./cover.ts";

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

    answer: { kind: "page", what, sourceIds: draft.sourceIds },
    form: draft.form,
    clean: false,
  };
}

/** Returns what tokens ask of a page, if they ask nothing else. */
function factAskedBy(tokens: readonly Token[]): Fact | null {
  const cover = new Cover(tokens, { from: 0, to: tokens.length, opens: true });
  const [found] = cover.take("fact");
  const isAlone = isBlank(cover.restTokens(), ["show", "what", "and", "pronoun"]);
  return isAlone ? (FACTS.find((fact) => fact === found?.argument) ?? null) : null;
}
