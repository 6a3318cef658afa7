import { describe, expect, it } from "vitest";
import type { EndpointRecord } from "../../../src/contract/webhooks/endpoint.ts";
import { browse } from "../../support/worker/dashboard.ts";
import { leadsTo, newEndpointRoom } from "../../support/worker/endpoint-room.ts";
import { formOn, textOf } from "../../support/worker/forms.ts";
import { newWorkflow } from "../../support/worker/webhooks.ts";

const INPUTS = [{ name: "orderId", type: "integer" as const, required: true }, { name: "note" }];

describe("a sample", () => {
  it("is prepared in an acceptable form, signed like its sender", async () => {
    const auth = { hmac: { preset: "github" }, headers: [{ name: "X-Env", value: "prod" }] };
    const { page, me } = await newEndpointRoom({ auth }, INPUTS);
    const { action, fields } = formOn(await page("/try"), "/try");
    expect(fields).toMatchObject({ method: "POST", sign: "on" });
    const html = await (await me.post(action, fields)).text();
    expect(html).toContain("Accepted");
    expect(html).toContain("HTTP 202");
    const verdict = textOf(html, "verdict") ?? "";
    for (const check of ["Signature", "Validation", "Mapping", "Duplicate"]) {
      expect(verdict).toContain(`${check}passed`);
    }
    expect(verdict).toContain("orderId7");
    // What was tried stays, to be tried again.
    expect(formOn(html, "/try").fields).toMatchObject({ body: fields.body ?? "" });
  });

  it("is sent as a test event, signed or not, and appears in the log", async () => {
    const auth = { hmac: { preset: "github" }, ipAllowlist: ["203.0.113.7"] };
    const { endpoint, page, at, me } = await newEndpointRoom({ auth }, INPUTS);
    const send = async (form: { action: string; fields: Record<string, string> }) => {
      const place = leadsTo(await me.post(form.action, form.fields));
      expect(place).toContain(`${at}/requests/`);
      return endpoint.entry(place.split("/").at(-1) ?? "");
    };
    const first = await send(formOn(await page(), "/send-test"));
    expect(first).toMatchObject({ eventType: "issues", duplicate: false, httpStatus: 202 });
    expect(first.executionId).not.toBeNull();
    const { action, fields } = formOn(await page("/try"), "/try");
    const body = JSON.stringify({ orderId: 8 });
    const second = await send({ action, fields: { ...fields, body, do: "send" } });
    expect(second).toMatchObject({ duplicate: false, mappedInputs: { orderId: 8 } });
    expect(second.eventId).not.toBe(first.eventId);
    const { sign: _, ...unsigned } = fields;
    const third = await send({ action, fields: { ...unsigned, do: "send" } });
    expect(third).toMatchObject({ status: "rejected", httpStatus: 401 });
  });

  it("that is refused shows the check, the reason and advice", async () => {
    const { page, me } = await newEndpointRoom(
      { auth: { hmac: { preset: "github" } }, validation: { required: ["order.id"] } },
      INPUTS,
    );
    const { action, fields } = formOn(await page("/try"), "/try");
    const { sign: _, ...unsigned } = fields;
    const html = await (await me.post(action, { ...unsigned, body: '{"orderId": "x"}' })).text();
    expect(html).toContain("Rejected");
    const verdict = textOf(html, "verdict") ?? "";
    expect(verdict).toContain("HTTP 401");
    expect(verdict).toContain("The header X-Hub-Signature-256 is missing.");
    expect(verdict).toContain("Validationrefusedorder.id is required");
    expect(verdict).toContain("Mappingrefused");
  });

  it("uses the reader's own address by default", async () => {
    const auth = { ipAllowlist: ["203.0.113.7/32"] };
    const { page, me } = await newEndpointRoom({ auth });
    const { action, fields } = formOn(await page("/try"), "/try");
    const from = (address: string, sourceIp = "") =>
      browse(action, {
        cookie: me.cookie,
        form: { ...fields, sourceIp },
        headers: { "CF-Connecting-IP": address },
      });
    expect(await (await from("203.0.113.7")).text()).toContain("Accepted");
    const other = await from("203.0.113.7", "203.0.113.8");
    expect(await other.text()).toContain("Rejected");
    const bad = await me.post(action, { ...fields, headers: "X-Note: ok" });
    expect(bad.status).toBe(400);
    expect(textOf(await bad.text(), "headers-error")).toContain("This is not JSON");
  });
});

describe("validation and mapping", () => {
  const mapping = {
    auto: true,
    fields: [
      { to: "orderId", from: "order.id", transforms: [{ type: "integer" }] },
      {
        to: "note",
        from: "order.cents",
        transforms: [
          { type: "unit", from: "minor", to: "major", currency: "USD" },
          { type: "string" },
        ],
        default: "none",
      },
    ],
  };

  it("are shown for editing, and saved unchanged", async () => {
    const validation = {
      required: ["order.id"],
      types: { "order.cents": "number", "order.id": "integer" },
      schema: { type: "object" },
      formats: "annotate",
    };
    const { page, at, me, record } = await newEndpointRoom({ validation, mapping }, INPUTS);
    const before = await record();
    const editor = formOn(await page("/rules"), "/rules").fields;
    expect(JSON.parse(editor["mapping.fields[1].transforms"] ?? "")).toMatchObject([
      { type: "unit", currency: "USD" },
      { type: "string" },
    ]);
    expect(editor).toMatchObject({
      "mapping.fields[1].default": '"none"',
      "validation.required": "order.id",
    });
    const saved = await me.post(`${at}/rules`, { ...editor, do: "save" });
    expect(leadsTo(saved)).toBe(`${at}/rules?saved=1`);
    const after = await record();
    expect([after.validation, after.mapping]).toEqual([before.validation, before.mapping]);
    expect(await page("/rules?saved=1")).toContain("Rules saved.");
  });

  it("show errors at their controls, and keep the draft", async () => {
    const { at, me, record } = await newEndpointRoom();
    const draft = {
      "validation.types": '{"id": "string"}',
      "validation.required": "id\na..b",
      "validation.schema": '{"pattern": "(a+)+$("}',
      "mapping.fields[0].to": "a",
      "mapping.fields[0].in": "body",
      "mapping.fields[0].from": "a..b",
    };
    for (const what of ["save", "try"]) {
      const response = await me.post(`${at}/rules`, { ...draft, do: what });
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(textOf(html, "validation.required-error")).toContain("Lacks a name");
      expect(textOf(html, "mapping.fields[0].from-error")).toContain("Lacks a name");
      expect(textOf(html, "validation.schema-error")).not.toBeNull();
      expect(formOn(html, "/rules").fields).toMatchObject(draft);
    }
    const schema = { ...draft, "validation.schema": '{"a": 1, "a": 2}' };
    const doubled = await (await me.post(`${at}/rules`, { ...schema, do: "save" })).text();
    expect(textOf(doubled, "validation.schema-error")).toContain("twice");
    expect((await record()).validation.required).toEqual([]);
  });

  it("are tried on the log, before and after, without saving", async () => {
    const inputs = [{ name: "note" }, { name: "size" }];
    const { endpoint, page, at, me, record } = await newEndpointRoom({}, inputs);
    const empty = formOn(await page("/rules"), "/rules").fields;
    const nothing = await me.post(`${at}/rules`, { ...empty, do: "try" });
    expect(await nothing.text()).toContain("No requests to try the draft on yet");
    const first = await endpoint.take({ id: "evt_1", note: "a" });
    await endpoint.take({ id: "evt_2", note: "b", order: { id: 1 } });
    const rules = await page("/rules");
    expect(textOf(rules, "open-inputs")).toContain("size");
    const { fields } = formOn(rules, "/rules");
    const draft = {
      ...fields,
      "validation.required": "order.id",
      "mapping.fields[0].to": "note",
      "mapping.fields[0].from": "order.id",
      "mapping.fields[0].transforms": '[{"type": "string"}]',
      do: "try",
    };
    const html = await (await me.post(`${at}/rules`, draft)).text();
    const shown = textOf(html, "what-if") ?? "";
    expect(shown).toContain("2 outcomes of the latest 2 requests would change.");
    expect(shown).toContain("Rejected by the current rules: 0; by this draft: 1.");
    expect(shown).toContain("order.id is required");
    expect(html).toContain(`${at}/requests/${first}`);
    expect(formOn(html, "/rules").fields).toMatchObject({ "mapping.fields[0].from": "order.id" });
    expect((await record()).validation.required).toEqual([]);
  });

  it("of a route change only that route", async () => {
    const { endpoint, page, at, me, record } = await newEndpointRoom();
    const workflowId = await newWorkflow(endpoint.apiKey, [{ name: "note" }]);
    const releases = { name: "releases & tags", workflowId, when: { path: "tag", exists: true } };
    const pulls = { name: "pulls", workflowId, key: { path: "repo" }, onEvent: "replace" };
    await endpoint.change({ routing: { routes: [pulls, releases] } });
    const path = `/rules?${new URLSearchParams({ route: releases.name })}`;
    expect(await page()).toContain(path);
    const { fields } = formOn(await page(path), path);
    const mapped = {
      ...fields,
      "mapping.fields[0].to": "note",
      "mapping.fields[0].from": "tag",
    };
    const faulty = { ...mapped, "mapping.fields[0].from": "a..b", do: "save" };
    const refused = await me.post(at + path, faulty);
    expect(textOf(await refused.text(), "mapping.fields[0].from-error")).toContain("Lacks a name");
    const saved = leadsTo(await me.post(at + path, { ...mapped, do: "save" }));
    expect(saved).toBe(`${at + path}&saved=1`);
    const [first, second] = (await record()).routing?.routes ?? [];
    expect(first).toMatchObject({ ...pulls, mapping: { fields: [] } });
    expect(second).toMatchObject({
      ...releases,
      mapping: { fields: [{ to: "note", from: "tag" }] },
    });
  });

  it("of a new route get a condition from a clicked value, and show its matches", async () => {
    const { endpoint, page, at, me } = await newEndpointRoom({}, INPUTS);
    const opened = { orderId: 7, action: "opened", pull: { number: 12 } };
    for (const event of [{ orderId: 6, action: "closed" }, opened]) await endpoint.take(event);
    const blank = await page("/rules?add=1");
    const { action, fields } = formOn(blank, "/rules?add=1");
    const picks = [...blank.matchAll(/class="pick" value="([^"]*)"/g)].map(([, value = ""]) =>
      value.replaceAll("&amp;", "&"),
    );
    const pick = picks.find((value) => value.includes("path=action")) ?? "none";
    const typed = { ...fields, "route.name": "opened" };
    const picked = await (await me.post(action, { ...typed, do: pick })).text();
    const draft = formOn(picked, "/rules?add=1").fields;
    expect(draft).toMatchObject({ "when[0].path": "action", "when[0].value": '"opened"' });
    const tried = await (await me.post(action, { ...draft, do: "try" })).text();
    expect(tried).toContain("opened matches 1 of the last 2.");
    expect(leadsTo(await me.post(action, { ...draft, do: "save" }))).toContain("route=opened");
    const { routing } = await endpoint.call("").then((answer) => answer.json<EndpointRecord>());
    expect(routing?.routes).toMatchObject([
      {
        name: "opened",
        when: { path: "action", equals: "opened" },
        workflowId: endpoint.workflowId,
      },
    ]);
    const edited = formOn(await page("/rules?route=opened"), "/rules?route=opened");
    expect(edited.fields).toMatchObject({ "when[0].path": "action", "route.position": "0" });
    expect(leadsTo(await me.post(edited.action, { ...edited.fields, do: "delete" }))).toBe(at);
  });
});
