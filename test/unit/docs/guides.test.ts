import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fileOf, GUIDES } from "../../../scripts/site/guides.ts";
import { renderGuide } from "../../../scripts/site/markdown.ts";
import { statusDetail } from "../../../src/contract/execution.ts";
import { SCOPES } from "../../../src/contract/keys.ts";
import { PROBLEMS } from "../../../src/contract/problem.ts";
import { CALLBACK_PLAN } from "../../../src/deliveries/schedule.ts";

const names = GUIDES.flatMap((group): readonly string[] => group.names);
const textOf = (name: string) => readFileSync(fileOf(name), "utf8");
const guides = new Map(names.map((name) => [name, renderGuide(textOf(name))]));

it("lists every Markdown file of docs in the navigation once", () => {
  const files = readdirSync("docs").filter((file) => file.endsWith(".md"));
  const own = names.map(fileOf).filter((file) => file.startsWith("docs/"));
  expect(own.sort()).toEqual(files.map((file) => `docs/${file}`).sort());
});

/** Characters that a reader takes in at once; what is longer is a list. */
const LONGEST_PARAGRAPH = 300;

it("has no overlong paragraph", () => {
  const paragraphs = [...guides].flatMap(([name, { html }]) =>
    [...html.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text = ""]) => ({
      name,
      text: text.replaceAll(/<[^>]+>/g, "").replaceAll(/&\w+;/g, "&"),
    })),
  );
  expect(paragraphs.length).toBeGreaterThan(400);
  expect(paragraphs.filter(({ text }) => text.length > LONGEST_PARAGRAPH)).toEqual([]);
});

describe("the links of the guides", () => {
  const links = [...guides].flatMap(([name, { html }]) =>
    [...html.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => ({ name, href })),
  );

  it("lead to headings that exist", () => {
    expect(links.length).toBeGreaterThan(200);
    const broken = links.filter(({ name, href }) => {
      const [, page = name, anchor = ""] = /^(?:\/docs\/([\w-]+))?(?:#(.+))?$/.exec(href) ?? [];
      const isWithin = href.startsWith("#") || href.startsWith("/docs/");
      const ids = guides.get(page)?.sections.map(({ id }) => id);
      return isWithin && ids?.includes(anchor) !== true;
    });
    expect(broken).toEqual([]);
  });

  it("are absolute otherwise, or lead to another page of the service", () => {
    const others = links.filter(({ href }) => !/^(?:https?:\/\/|#|\/)/.test(href));
    expect(others).toEqual([]);
  });
});

/** What the reader's shell has: what `npm start` or a deployment prints, and what Loki has. */
const EXPORTED = ["PROMPTHOOK_URL", "PROMPTHOOK_API_KEY", "ADMIN_TOKEN", "LOKI_URL", "LOKI_TENANT"];

it.each(names)("%s sets the variables of its commands", (name) => {
  const blocks = [...textOf(name).matchAll(/^ *```(?:sh|bash)\n(.*?)^ *```$/gms)];
  const commands = blocks.map(([, block = ""]) => block).join("");
  const set = [...commands.matchAll(/(?:^|[\s;])(\w+)(?:=| in )/g)].map(([, variable]) => variable);
  const used = [...commands.matchAll(/\$\{?([A-Za-z_]+)/g)].map(([, variable]) => variable);
  expect(used.filter((variable) => ![...EXPORTED, ...set].includes(variable ?? ""))).toEqual([]);
});

/** The first column of the table under a heading, without its marks. */
function firstColumn(name: string, heading: string): string[] {
  const section = textOf(name).split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, cell = ""]) => cell);
}

describe("the guides on the API", () => {
  it("explains every error code in words of its own, under the title and status that it has", () => {
    const codes = guides.get("errors")?.sections.slice(1) ?? [];
    expect(codes.map(({ heading }) => heading)).toEqual(Object.keys(PROBLEMS));
    for (const [at, { status, title }] of Object.values(PROBLEMS).entries()) {
      expect(codes[at]?.text).toContain(`**${status} ${title}.** `);
    }
    expect(new Set(codes.map(({ text }) => text)).size).toBe(codes.length);
  });

  it("lists every scope and every reason of a status", () => {
    expect(firstColumn("conventions", "Authentication and scopes")).toEqual([...SCOPES]);
    const [head, ...details] = firstColumn("conventions", "Statuses");
    expect(head).toBe("statusDetail");
    expect(details.sort()).toEqual([...statusDetail.options].sort());
  });

  it("links the status of each check of a webhook to its code", () => {
    const answers = [...textOf("webhooks").matchAll(/(\d{3}) \[(\w+)\]\(errors\.md#(\w+)\)/g)];
    expect(answers.length).toBeGreaterThan(12);
    for (const [, status, code = "", anchor] of answers) {
      expect(anchor).toBe(code);
      expect(Object.entries(PROBLEMS)).toContainEqual([
        code,
        expect.objectContaining({ status: Number(status) }),
      ]);
    }
  });

  it("lists the schedule of callbacks", () => {
    const [, ...later] = CALLBACK_PLAN.offsets;
    const spans = later.map((ms) => {
      const seconds = ms / 1_000;
      if (seconds < 60) return `${seconds} s`;
      return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
    });
    const words = `${spans.slice(0, -1).join(", ")} and ${spans.at(-1)} after the event`;
    expect(textOf("callbacks")).toContain(words);
  });
});

describe("a rendered guide", () => {
  it("has ids for its headings, numbered where two are the same", () => {
    const { title, html, sections } = renderGuide(
      "# T\n\na\n\n## `a` & b\n\nx\n\n## One\n\n## One\n",
    );
    expect(title).toBe("T");
    expect(sections.map(({ id }) => id)).toEqual(["", "a--b", "one", "one-1"]);
    expect(sections[1]?.text.trim()).toBe("x");
    expect(html).toContain('<h2 id="one-1">');
  });

  it("leads from files to pages", () => {
    const { html } = renderGuide(
      "# T\n\n[a](limits.md#cloudflares-limits) [b](https://x.example)\n",
    );
    expect(html).toContain('href="/docs/limits#cloudflares-limits"');
    expect(html).toContain('href="https://x.example"');
  });

  it("shows code as text", () => {
    const { html } = renderGuide("# T\n\n```html\n<script>alert(1)</script>\n```\n");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>");
  });

  it("needs a title", () => {
    expect(() => renderGuide("text")).toThrow("A guide begins with its title.");
  });
});
