import { instructions } from "../../src/agent/models/prompt/instructions.ts";
import { createToolset } from "../../src/agent/tools/toolset.ts";
import { TOOL_NAMES } from "../../src/contract/tools/names.ts";
import { NOTHING_FOUND, ownTools } from "../support/own-tools.ts";

/** A part of what a model is sent in every step. */
export interface RequestPart {
  part: string;
  tokens: number;
}

/** A usual figure for English text and JSON; each provider counts in its own way. */
const CHARACTERS_PER_TOKEN = 4;

const tokensOf = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** Returns the instructions and the tools that every step sends, the largest first. */
export function partsOfRequest(): RequestPart[] {
  const { descriptions: tools } = createToolset({
    tools: TOOL_NAMES,
    interactive: true,
    own: ownTools({ search: NOTHING_FOUND }),
    remote: [],
    outputSchema: null,
  });
  const now = new Date(0);
  const start = { at: 0, step: 1, stepsLeft: 1, creditsLeft: 1, stepPrice: 1, secondsLeft: 1 };
  const request = {
    inputs: {},
    outputSchema: null,
    interactive: true,
    turns: [],
    tools: [...tools],
    now,
    start,
  };
  const parts = tools.map((tool) => ({ part: tool.name, tokens: tokensOf(JSON.stringify(tool)) }));
  const system = { part: "instructions", tokens: tokensOf(instructions(request)) };
  return [system, ...parts].sort((a, b) => b.tokens - a.tokens);
}
