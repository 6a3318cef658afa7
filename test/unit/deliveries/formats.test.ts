import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Notice } from "../../../src/contract/destinations.ts";
import { contentOf, type Event, noticeOf, plainText } from "../../../src/deliveries/formats.ts";

const text = (most: number) => z.string().min(1).max(most);
const plain = (most: number) => z.strictObject({ type: z.literal("plain_text"), text: text(most) });
const markdown = (most: number) => z.strictObject({ type: z.literal("mrkdwn"), text: text(most) });
const button = z.strictObject({ type: z.literal("button"), text: plain(75), url: text(3_000) });

/** Slack's message with the limits that its reference states: https://docs.slack.dev/reference/block-kit */
const slackMessage = z.strictObject({
  text: z.string(),
  blocks: z
    .array(
      z.union([
        z.strictObject({ type: z.literal("header"), text: plain(150) }),
        z.strictObject({ type: z.literal("section"), text: markdown(3_000) }),
        z.strictObject({
          type: z.literal("section"),
          fields: z.array(markdown(2_000)).min(1).max(10),
        }),
        z.strictObject({ type: z.literal("actions"), elements: z.array(button).min(1).max(25) }),
      ]),
    )
    .max(50),
});

/** A message for Teams with a text; a `TextRun` is no Markdown: https://adaptivecards.io/explorer/TextRun.html */
const teamsMessage = z.object({
  attachments: z.tuple([
    z.object({
      content: z.object({
        body: z.tuple([
          z.object({ type: z.literal("TextBlock"), text: z.string() }),
          z.object({ type: z.literal("FactSet"), facts: z.array(z.object({ value: z.string() })) }),
          z.object({
            type: z.literal("RichTextBlock"),
            inlines: z.tuple([z.object({ type: z.literal("TextRun"), text: z.string() })]),
          }),
        ]),
      }),
    }),
  ]),
});

function eventWith(notice?: Partial<Notice>, data: Event["data"] = {}): Event {
  return {
    id: "msg_1",
    origin: "https://prompthook.example",
    message: {
      key: "1",
      type: notice ? "execution.failed" : "endpoint.failing",
      at: 1_800_000_000_000,
      page: "/dashboard",
      data: {},
      ...(notice && { notice: { title: "Failed", facts: [], links: [], ...notice } }),
    },
    data,
  };
}

const slack = (notice: Partial<Notice>) =>
  slackMessage.parse(contentOf("slack", eventWith(notice)).body);

describe("a Slack message", () => {
  it.each<[string, Partial<Notice>]>([
    ["a long title", { title: "t".repeat(1_000) }],
    ["many long facts", { facts: Array(60).fill(["name", "v".repeat(5_000)]) }],
    ["a long text", { text: "t".repeat(10_000) }],
    ["a text that no message holds", { text: "t".repeat(400_000) }],
    ["a text of emoji", { text: "😀".repeat(9_000) }],
    ["a text of characters that are escaped", { text: "<&>".repeat(3_000) }],
    ["many links", { links: Array(40).fill({ label: "l".repeat(100), url: "/a" }) }],
  ])("stays within Slack's limits with %s", (_, notice) => {
    expect(slack(notice).blocks.length).toBeGreaterThan(0);
  });

  it("shows the beginning of a text that does not fit, with a note", () => {
    const shown = (of: string) => JSON.stringify(slack({ text: of }));
    expect(shown("t".repeat(2_990))).toContain(`${"t".repeat(2_990)}\\n`);
    expect(shown("t".repeat(3_000))).toContain("t…");
    expect(shown(`${"t".repeat(2_988)}&&`)).toContain("t…");
  });

  it("escapes markup, mentions and the end of a quotation", () => {
    const body = JSON.stringify(slack({ text: "<!channel> ``` *b*", facts: [["a", "<@U1>"]] }));
    expect(body).not.toContain("<!channel>");
    expect(body).not.toContain("<@U1>");
    expect(body.split("```")).toHaveLength(3);
  });
});

it("a Teams card with the longest notice stays under 28 KB", () => {
  const notice = {
    title: "€".repeat(9_000),
    text: "€".repeat(90_000),
    facts: Array<[string, string]>(60).fill(["€".repeat(900), "€".repeat(9_000)]),
  };
  const { body } = contentOf("teams", eventWith(notice));
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(28 * 1_024);
});

it("a Teams card shows the exact text, and no link whose words hide its address", () => {
  const link = "[Approve](https://evil.example)";
  const notice = { title: link, facts: [["Asked", link] as [string, string]], text: `**${link}**` };
  const { attachments } = teamsMessage.parse(contentOf("teams", eventWith(notice)).body);
  const { body } = attachments[0].content;
  expect(body[0].text).toBe("[Approve]\u200b(https://evil.example)");
  expect(body[1].facts[0]?.value).toBe("[Approve]\u200b(https://evil.example)");
  expect(body[2].inlines[0].text).toBe(`**${link}**`);
});

describe("a notice", () => {
  it("shows the plain data of an event without a text of its own", () => {
    const notice = noticeOf(
      eventWith(undefined, { executionId: "e1", none: null, deep: { a: 1 } }),
    );
    expect(notice).toEqual({
      title: "Endpoint is failing",
      facts: [["Execution id", "e1"]],
      links: [{ label: "Open in Prompthook", url: "https://prompthook.example/dashboard" }],
    });
  });

  it("says why an endpoint is failing", () => {
    const cause = {
      stage: "validation",
      path: "a",
      rule: "required",
      message: "is required\nin a",
    };
    const other = { stage: "auth", path: null, rule: "token", message: "The token is wrong." };
    const causes = [
      { ...cause, count: 3 },
      { ...other, count: 2 },
    ];
    expect(noticeOf(eventWith(undefined, { causes })).text).toBe(
      "3 × validation: a is required\n2 × auth: The token is wrong.",
    );
  });

  it("names in its title what is wrong", () => {
    const event = eventWith(undefined, { name: "shop\norders", endpointId: "ep_1" });
    expect(noticeOf(event).title).toBe("Endpoint is failing: shop orders");
  });

  it("has a title of one line, even for a prompt of several", () => {
    const title = "Failed: Sum total\n\nfrom the\tdata:\u2028a\u0007b\r\n";
    expect(noticeOf(eventWith({ title })).title).toBe("Failed: Sum total from the data: a b");
  });

  it("is an e-mail of lines with full addresses", () => {
    const links = [{ label: "Decide", url: "/decide/1" }];
    const notice = {
      title: "Approve?",
      facts: [["Tool", "send_email"] as [string, string]],
      links,
    };
    const { links: whole } = noticeOf(eventWith(notice));
    expect(plainText({ ...notice, text: "{}", links: whole.slice(0, 1) })).toBe(
      "Approve?\n\nTool: send_email\n\n{}\n\nDecide:\nhttps://prompthook.example/decide/1\n",
    );
  });
});
