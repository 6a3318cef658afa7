import type { Rendering, Screenshot } from "../../ports/browser.ts";
import { failed } from "../failure.ts";
import { readPage } from "../page/read-page.ts";
import type { NewOutput, ToolResult } from "../tool.ts";

/** A visit in a browser as the tool's result. */
export function resultOf(rendering: Rendering, asked: string): ToolResult {
  const { screenshots } = rendering;
  const outputs = screenshots.map(toOutput);
  if (!rendering.ok) {
    const ours = rendering.code === "browser_busy" || rendering.code === "browser_failed";
    const price = ours ? { price: 0 } : {};
    return { answer: failure(rendering), url: asked, outputs, ...price };
  }
  const { url, html } = rendering;
  const taken = screenshots.map(({ label }) => `The screenshot ${label} is handed over as a file.`);
  const notes = [...rendering.notes, ...taken];
  const content = {
    ...readPage(html, url),
    rendered: true,
    ...(notes.length === 0 ? {} : { notes }),
  };
  return { answer: { ok: true, content }, url, outputs };
}

/** Once something was done, nobody can say that nothing happened. */
function failure({ code, message, acted }: Extract<Rendering, { ok: false }>) {
  if (!acted) return failed(code, message);
  return failed("uncertain", `${message} What was done before it may have had its effect.`);
}

function toOutput({ label, bytes }: Screenshot, index: number): NewOutput {
  return {
    label,
    type: "file",
    nodeType: "WEB_PAGE",
    mediaType: "image/png",
    filename: `screenshot-${index + 1}.png`,
    bytes,
  };
}
