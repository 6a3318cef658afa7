import { expect, test } from "vitest";
import type { Renderer } from "../../../../../src/agent/ports/browser.ts";
import type { ToolCall } from "../../../../../src/contract/conversation.ts";
import { sendEmailInput } from "../../../../../src/contract/tools/send-email.ts";
import { type Options, type Run, run } from "./support/run.ts";
import { WEB } from "./support/sites/all.ts";

const ANN = "ann@example.com";
const BLOG = "http://blog.test/";

const on = (prompt: string, options: Options = {}): Promise<Run> =>
  run(prompt, { site: WEB, ...options });

const named = ({ calls }: Run, tool: string): ToolCall[] =>
  calls.filter((call) => call.tool === tool);

/** A browser that shows a table once "Reports" was clicked. */
const BROWSER: Renderer = {
  render: async ({ url, actions }) => {
    const clicked = actions.some((action) => action.do === "click" && action.target === "reports");
    const table =
      "<table><tr><th>Quarter</th></tr><tr><td>Q1</td></tr><tr><td>Q2</td></tr></table>";
    return {
      ok: true,
      url,
      html: `<title>Desk</title><h1>Desk</h1>${clicked ? table : "<button>Reports</button>"}`,
      screenshots: actions.flatMap((action) =>
        action.do === "screenshot" ? [{ label: action.label, bytes: new Uint8Array([1]) }] : [],
      ),
      notes: [],
    };
  },
};

test("attaches a screenshot itself to the mail that it was taken for", async () => {
  const done = await on(`Take a screenshot of ${BLOG} and mail it to ${ANN}`, {
    renderer: BROWSER,
  });
  const [shot] = named(done, "browse");
  const [mail] = named(done, "send_email");
  expect(sendEmailInput.parse(mail?.input).attachments).toEqual([shot?.callId]);
  expect(named(done, "write_spreadsheet")).toEqual([]);
});

const CLICK = `Open ${BLOG}, click the button Reports and give me the table`;

test("clicks in a real browser what is no link", async () => {
  const done = await on(CLICK, { renderer: BROWSER });
  expect(done.finish.data).toEqual(["Q1", "Q2"]);
});

test("says that nothing can be clicked without a real browser", async () => {
  const done = await on(CLICK);
  expect(done.finish.status).toBe("failed");
  expect(done.finish.summary).toMatch(/no link called "reports".*could not be clicked/i);
});
