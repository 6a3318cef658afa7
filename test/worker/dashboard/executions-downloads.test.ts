import { describe, expect, it } from "vitest";
import { ordersAt, TOO_MANY_ORDERS } from "../../support/worker/orders.ts";
import { emits, newReader } from "../../support/worker/runs.ts";

const DONE = { finish: { summary: "All done.", data: { total: 42 } } };

/** What keeps that which an agent wrote from running as a page of ours. */
function expectSandboxed({ headers }: Response): void {
  expect(headers.get("Content-Disposition")).toMatch(/^attachment; /);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Content-Security-Policy")).toBe("sandbox; default-src 'none'");
  expect(headers.get("Cache-Control")).toBe("no-store");
}

describe("a file of an execution", () => {
  it("is downloaded unchanged under its own name, and never rendered", async () => {
    const { started, session, read } = await newReader();
    const value = "<script>alert(1)</script>";
    const filename = 'Prices "ü".html';
    const file = { label: "Prices", type: "file", value, filename, mediaType: "text/html" };
    const id = await started([emits(file), DONE]);
    const path = `/dashboard/executions/${id}/files/out_1`;
    expect(await read(`/${id}`)).toContain(`href="${path}"`);
    const response = await session.get(path);
    expectSandboxed(response);
    expect(response.headers.get("Content-Type")).toMatch(/^text\/html/);
    expect(response.headers.get("Content-Disposition")).toContain("Prices%20%22%C3%BC%22.html");
    expect(await response.text()).toBe(value);
  });
});

describe("other outputs", () => {
  it("are downloaded as CSV if they are tables", async () => {
    const { started, session } = await newReader();
    const value = {
      columns: ["name", "is"],
      rows: [
        ["=1+1", 2],
        ["Tea, green", { a: 1 }],
      ],
    };
    const id = await started([
      emits(
        { label: "Teas/../x", type: "table", value },
        { label: "Note", type: "text", value: "Some words" },
      ),
      DONE,
    ]);
    const path = `/dashboard/executions/${id}/outputs`;
    const csv = await session.get(`${path}/out_1?as=csv`);
    expectSandboxed(csv);
    expect(csv.headers.get("Content-Disposition")).toContain('filename="Teas_.._x-out_1.csv"');
    expect(await csv.text()).toBe(`name,is\r\n"'=1+1",2\r\n"Tea, green","{""a"":1}"`);
    for (const rest of ["outputs/out_2?as=csv", "outputs/out_9?as=json", "files/out_9"]) {
      expect((await session.get(`/dashboard/executions/${id}/${rest}`)).status).toBe(404);
    }
  });

  it("note a cut source, on the page and in the file", async () => {
    const { started, session, read } = await newReader();
    const url = await ordersAt(TOO_MANY_ORDERS);
    const sources = [{ callId: "read" }];
    const operations = [{ op: "aggregate", aggregates: [{ fn: "count" }] }];
    const input = { sources, extract: { kind: "table" }, operations };
    const id = await started([
      { calls: [{ id: "read", tool: "browse", input: { url } }] },
      { calls: [{ id: "sum", tool: "process_data", input }] },
      emits({ label: "Orders", type: "table", from: "sum" }),
      DONE,
    ]);
    const hint = "A source was cut at 2 MiB: figures may be incomplete.";
    // For the summary and for the table.
    expect((await read(`/${id}`)).split(hint)).toHaveLength(3);
    expect(await read(`/${id}?tab=timeline`)).toContain(hint);
    const csv = await session.get(`/dashboard/executions/${id}/outputs/out_1?as=csv`);
    expect(await csv.text()).toMatch(/\r\n# Note: based on a source that was cut at 2 MiB;/);
  });

  it("are included in the whole result", async () => {
    const { started, session } = await newReader();
    const id = await started([DONE]);
    const response = await session.get(`/dashboard/executions/${id}/result`);
    expectSandboxed(response);
    expect(await response.json()).toMatchObject({ presentedResult: { data: { total: 42 } } });
  });
});
