import {
  type BrowseAction,
  type BrowseInput,
  browseInput,
  type PageContent,
  pageContent,
} from "../../contract/tools/browse.ts";
import { RENDERING_PRICE, TOOL_PRICES } from "../../contract/tools/names.ts";
import { openPlain } from "./browse/plain.ts";
import { resultOf } from "./browse/rendered.ts";
import { failed } from "./failure.ts";
import { place } from "./place.ts";
import type { Capabilities, Tool, ToolContext, ToolResult } from "./tool.ts";

/** The tool that opens a page and reads it. */
export const browse: Tool<BrowseInput> = {
  name: "browse",
  description:
    "Opens a web page and reads it: its title, its text as Markdown, its headings, links and tables. " +
    "Also reads JSON, CSV, XML and plain text as they are. Follow links by opening their addresses. " +
    "Where a real browser is there, it runs the page's JavaScript when the page needs it, and can click, type, select, press keys and take screenshots; each call starts in a new browser without cookies.",
  input: browseInput,
  effect: (input) =>
    input.actions.some(mayChange) ? { target: `actions on ${place(input.url)}` } : null,
  price: (input, has) => (mayRender(input, has) ? RENDERING_PRICE : TOOL_PRICES.browse),
  describe: ({ url, actions }) =>
    actions.length === 0 ? `Opening ${url}` : `Opening ${url} in a browser`,
  run,
};

const NO_BROWSER =
  'No browser is bound to this deployment, so it runs no JavaScript and takes no actions. Open the page without actions and with render "auto", or call the site\'s API with http_request.';

async function run(input: BrowseInput, context: ToolContext): Promise<ToolResult> {
  const { url, actions, render } = input;
  const { renderer } = context.ports;
  if (needsBrowser(input)) {
    if (renderer === null) return { answer: failed("no_browser", NO_BROWSER), url };
    return resultOf(await renderer.render({ ...context, url, actions }), url);
  }
  const plain = await openPlain(url, context);
  const result = { ...plain.result, price: TOOL_PRICES.browse };
  if (render === "never" || !plain.needsScripts) return result;
  if (renderer === null) return withNote(result, "It seems to need JavaScript to show more.");
  const rendering = await renderer.render({ ...context, url, actions });
  if (rendering.ok) return resultOf(rendering, url);
  return withNote(
    result,
    `It seems to need JavaScript to show more, but the browser failed: ${rendering.message}`,
  );
}

function needsBrowser({ render, actions }: BrowseInput): boolean {
  return render === "always" || actions.length > 0;
}

function mayRender({ render }: BrowseInput, has: Capabilities): boolean {
  return has.browser && render !== "never";
}

/** Whether an action can do more than look: what a page does on a click or a key is its own affair. */
function mayChange(action: BrowseAction): boolean {
  return action.do !== "wait" && action.do !== "screenshot";
}

function withNote(result: ToolResult, note: string): ToolResult {
  if (!result.answer.ok) return result;
  const content: PageContent = { ...pageContent.parse(result.answer.content), notes: [note] };
  return { ...result, answer: { ok: true, content } };
}
