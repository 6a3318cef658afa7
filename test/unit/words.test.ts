import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { expect, it } from "vitest";

/** The one word for each thing, and what else it is called where somebody forgets it. */
const WORDS: [word: string, others: RegExp][] = [
  ["credits are held", /\breserv\w+ (the |its )?credits|credits[^.|]{0,30}\breserv(e|ed|es)\b/i],
  ["credits are consumed", /credits?( that)?( were| was| are| is)? (used|spent)\b|spent credits/i],
  ["an execution completes", /executions?( has| have)? succeed|successful execution/i],
  [
    "an execution is stopped",
    /(cancel|abort|terminat|kill)(s|ed|led)? (an |the |its |all )?execution/i,
  ],
  ["an execution", /\b(an? |the |each |one )(agent run|job run|session run|invocation)\b/i],
  ["waits for an answer, a decision or an event", /\bwait(s|ing)? for input\b/i],
  [
    "a request is rejected",
    /\b(a|all|these) refused (request|webhook|event)|\b(requests?|webhooks?|events) (was|were|are|is|would be) refused|refuse (all )?requests/i,
  ],
  ["an endpoint is disabled", /\b(pause|deactivate|turn off|mute)s?d? (an |the |this )?endpoint/i],
  ["an endpoint holds requests", /\b(park|buffer|queue)(s|ed)? requests? (until|while)/i],
  ["an output", /\b(artifact|deliverable)s?\b/i],
  ["an external effect", /\bside[- ]effects?\b/i],
  ["a key", /\b(API|access) tokens? of (an|the) account\b/i],
  ["a workflow", /\b(prompt|task) templates?\b/i],
];

/** What people read: guides, and the rooms whose texts are shown. The API document is made of theirs. */
const GUIDES = ["README.md", ...folder("docs", [".md"]), ...folder("clients", [".md", ".py"])];
const ROOMS = ["cli", "client", "contract", "dashboard", "deliveries", "http", "mcp-server"];
const SOURCES = ROOMS.flatMap((room) => folder(join("src", room), [".ts", ".tsx"]));
/** Describes how the service is built, to those who build it. */
const FOR_DEVELOPERS = "docs/architecture.md";

it.each(WORDS)("%s: pages, API, command line and guides use one word for it", (_word, others) => {
  const found = [...GUIDES, ...SOURCES]
    .filter((file) => file !== FOR_DEVELOPERS)
    .flatMap((file) => linesOf(file).map((line, at) => `${file}:${at + 1}: ${line.trim()}`))
    .filter((line) => others.test(line));
  expect(found).toEqual([]);
});

function folder(path: string, kinds: string[]): string[] {
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, String(name)))
    .filter((name) => kinds.includes(extname(name)));
}

/** Returns a file's lines without comments, which only developers read. */
function linesOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".md")) return text.split("\n");
  const code = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""));
  return code.replace(/(^|\s)\/\/.*$/gm, "$1").split("\n");
}
