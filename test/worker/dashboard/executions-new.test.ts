import { describe, expect, it } from "vitest";
import { executionTask } from "../../../src/contract/task.ts";
import { TOOL_NAMES } from "../../../src/contract/tools/names.ts";
import { AGENT, send } from "../../support/worker/client.ts";
import { hiddenIn, newReader, type Reader } from "../../support/worker/runs.ts";

const NEW = "/dashboard/executions/new";

/** Sends the form with these values; answers the page that comes, or where it leads. */
async function sent({ session }: Reader, form: Record<string, string> | FormData) {
  const response = await session.post(NEW, form);
  const location = response.headers.get("Location");
  return { status: response.status, location, page: await response.text() };
}

async function taskOf({ apiKey }: Reader, location: string | null) {
  const id = location?.split("/").at(-1);
  const response = await send(`${AGENT}/trigger/${id}/task`, { token: apiKey });
  return executionTask.parse(await response.json());
}

describe("the form that starts an execution", () => {
  it("starts it with all given settings, and is filled with them again, but for the secret", async () => {
    const reader = await newReader();
    const { status, location } = await sent(reader, {
      prompt: "Do it.\r\nThen rest.",
      inputs: '{"city": "Bergen"}',
      model: "openai/hangs, builtin/demo",
      maxCredits: "7",
      maxSteps: "9",
      timeoutSeconds: "60",
      interactive: "on",
      "tools.browse": "on",
      "tools.send_email": "on",
      "tools.run_code": "on",
      "tools.process_data": "on",
      "tools.shown": "on",
      allowedHosts: "*.example.com",
      "approvals.send_email": "on",
      callbackUrl: "https://receiver.example/x",
      callbackSecret: "a secret of mine",
      outputSchema: '{"type": "object"}',
      metadata: '{"order": "1007", "team": "red = blue"}',
    });
    expect(status).toBe(303);
    expect(location).toMatch(/^\/dashboard\/executions\/[0-9a-f-]{36}$/);
    expect(await taskOf(reader, location)).toMatchObject({
      prompt: "Do it.\nThen rest.",
      inputs: { city: "Bergen" },
      model: ["openai/hangs", "builtin/demo"],
      maxCredits: 7,
      maxSteps: 9,
      timeoutSeconds: 60,
      interactive: true,
      tools: ["browse", "run_code", "process_data", "send_email", "emit_output", "finish"],
      allowedHosts: ["*.example.com"],
      approvals: ["send_email"],
      callbackUrl: "https://receiver.example/x",
      isCallbackSigned: true,
      outputSchema: { type: "object" },
      metadata: { order: "1007", team: "red = blue" },
    });
    const page = await reader.read(`/new?from=${location?.split("/").at(-1)}`);
    for (const kept of [
      "Do it.",
      "Bergen",
      'value="9"',
      'value="openai/hangs,builtin/demo"',
      "were signed",
      "&quot;order&quot;: &quot;1007&quot;",
    ]) {
      expect(page).toContain(kept);
    }
    expect(page).not.toContain("a secret of mine");
  });

  it("offers models, tools with effects, and connections; all tools are allowed", async () => {
    const reader = await newReader();
    const value = "Bearer a-token-of-mine";
    await send("/api/v1/connections", {
      method: "POST",
      token: reader.apiKey,
      body: { name: "crm", hosts: ["crm.example"], header: "Authorization", value },
    });
    const page = await reader.read("/new");
    expect(page).toMatch(/<datalist id="model-list">.*<option value="builtin\/demo"/);
    const boxes = [...page.matchAll(/name="tools\.(\w+)" checked/g)].map(([, name]) => name);
    expect(boxes).toContain("http_request");
    for (const never of ["emit_output", "ask_user", "finish"]) expect(boxes).not.toContain(never);
    const ticked = Object.fromEntries(boxes.map((name) => [`tools.${name}`, "on"]));
    const form = { prompt: "Do it.", "connections.crm": "on", "tools.shown": "on" };
    const all = await taskOf(reader, (await sent(reader, { ...form, ...ticked })).location);
    expect(all).toMatchObject({ tools: TOOL_NAMES, connections: ["crm"] });
    const none = await sent(reader, form);
    expect((await taskOf(reader, none.location)).tools).toEqual(["emit_output", "finish"]);
    const again = await reader.read(`/new?from=${none.location?.split("/").at(-1)}`);
    expect(again).toContain('name="connections.crm" checked');
    expect(again).not.toMatch(/name="tools\.\w+" checked/);
  });

  it("starts one execution, however often it is sent, and another for changed values", async () => {
    const reader = await newReader();
    const once = hiddenIn(await reader.read("/new"), "once");
    const [first, second] = await Promise.all(
      [1, 2].map(() => sent(reader, { prompt: "Do it.", once })),
    );
    expect(first?.location).toMatch(/[0-9a-f-]{36}$/);
    expect(second?.location).toBe(first?.location);
    const changed = await sent(reader, { prompt: "Do more.", once });
    expect(changed.status).toBe(422);
    expect(changed.page).toContain("already started an execution");
    expect(changed.page).toContain("Do more.");
    const again = await sent(reader, { prompt: "Do more.", once: hiddenIn(changed.page, "once") });
    expect(again.location).toMatch(/[0-9a-f-]{36}$/);
    expect(again.location).not.toBe(first?.location);
  });
});

describe("a refused form", () => {
  it("shows every error beside its control and in a list, and keeps the input", async () => {
    const wrong = {
      inputs: '{"a": 1, "a": 2}',
      model: "nonsense",
      maxCredits: "0",
      maxSteps: "1.5",
      timeoutSeconds: "99999999",
      callbackSecret: "s3cret!",
      outputSchema: "{",
      metadata: "no JSON",
    };
    const form = { prompt: "Keep me.", "tools.browse": "on", ...wrong };
    const { status, page } = await sent(await newReader(), form);
    expect(status).toBe(400);
    for (const name of Object.keys(wrong)) {
      const label = new RegExp(`<label for="${name}">([^<]+)<`).exec(page)?.[1];
      expect(page).toContain(`id="${name}-error"`);
      expect(page).toContain(`<a href="#${name}">${label}</a>: `);
    }
    expect(page).toMatch(/<details class="card group" open/);
    expect(page).toContain("Keep me.");
    expect(page).toMatch(/name="tools.browse" checked/);
    // But for a secret.
    expect(page).not.toContain("s3cret!");
  });

  it("reports missing credits", async () => {
    const reader = await newReader({ credits: 0 });
    const { status, page } = await sent(reader, { prompt: "Keep me." });
    expect(status).toBe(402);
    expect(page).toMatch(/role="alert"><p>The execution needs 1 credit;[\s\S]*Keep me\./);
  });
});

describe("the form before it is sent", () => {
  it("ends with its button, and starts with an example that needs no network", async () => {
    const { read } = await newReader();
    const page = await read("/new");
    expect(page).toMatch(
      /<\/details><div class="actions"><button type="submit" class="primary">Start execution</,
    );
    const [prompt = ""] = [...page.matchAll(/\/new\?prompt=([^"]+)"/g)].map(([, text]) => text);
    expect(decodeURIComponent(prompt)).not.toContain("http");
    expect(await read(`/new?prompt=${prompt}`)).toContain("2026-11-03,Acme,120.50\n");
  });

  it("accepts files as browsers send them without scripts", async () => {
    const reader = await newReader();
    const page = await reader.session.read(NEW);
    expect(page).toContain('enctype="multipart/form-data"');
    expect(page).toMatch(/<input type="file" multiple="" id="files"/);
    expect(page).toContain("Up to 20 files, 10 MiB in all.");

    const form = (prompt: string, ...files: File[]) => {
      const made = new FormData();
      made.set("prompt", prompt);
      made.set("model", "openai/hangs");
      for (const file of files) made.append("files", file);
      return made;
    };
    const prices = new File(["name,price\r\nTea,3\r\n"], "prices.csv", {
      type: "application/vnd.ms-excel",
    });
    const notes = new File(["# Notes"], "notes.md");
    const { location } = await sent(reader, form("Sum it.\r\nThen rest.", prices, notes));
    expect(await taskOf(reader, location)).toMatchObject({
      prompt: "Sum it.\nThen rest.",
      files: [
        { name: "prices.csv", mediaType: "text/csv", sizeBytes: 19 },
        { name: "notes.md", mediaType: "text/markdown", sizeBytes: 7 },
      ],
    });

    // What browsers send where nothing is chosen.
    const none = await sent(reader, form("Rest.", new File([], "")));
    expect((await taskOf(reader, none.location)).files).toEqual([]);

    const refused = await sent(reader, form("", prices));
    expect(refused.status).toBe(400);
    expect(refused.page).toContain("Choose the files again: pages never include files.");
    const unsafe = await sent(reader, form("Sum it.", new File(["x"], ".hidden")));
    expect(unsafe.page).toContain("Must not have slashes, control characters or a leading dot.");
    const large = new File([new Uint8Array(12 * 1_024 * 1_024)], "large.bin");
    expect((await sent(reader, form("Sum it.", large))).status).toBe(413);
  });
});
