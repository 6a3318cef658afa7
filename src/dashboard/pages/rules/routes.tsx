import * as z from "zod";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { type Mapping, mappingBody } from "../../../contract/webhooks/mapping.ts";
import type { LearnedShape, WhatIfResult } from "../../../contract/webhooks/trials.ts";
import { type ValidationRules, validationBody } from "../../../contract/webhooks/validation.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { LinkButton, Notice, ToldList } from "../../components/elements.tsx";
import { Tabs } from "../../components/layout.tsx";
import { IfMay, show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { formatCount } from "../../format.ts";
import { ErrorSummary, NO_FAULTS, type Refusal } from "../../forms/errors.tsx";
import { Control } from "../../forms/fields.tsx";
import { type Form, jsonText, readForm, submit } from "../../forms/form.ts";
import { Posted, postedForm } from "../../forms/posted.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { WhatIf } from "../webhooks/verdict.tsx";
import { bodyOf, type Draft, draftFrom, draftOf } from "./draft.ts";
import { MappingView, type Shown } from "./mapping-view.tsx";
import { edited, pickOf } from "./operations.ts";
import { loadSamples, resultsOf, type Samples } from "./results.ts";
import { SampleView } from "./sample-view.tsx";
import { ValidationView } from "./validation-view.tsx";

const rules = z.object({
  validation: validationBody,
  mapping: mappingBody,
  last: z.coerce.number().int().min(1).max(200),
});

const LAST = {
  kind: "select",
  label: "Try on",
  options: ["20", "50", "100", "200"].map((value) => ({
    value,
    label: `the latest ${value} requests`,
  })),
} as const;

/** The rules as JSON. */
const JSON_FORM: Form<typeof rules> = {
  schema: rules,
  fields: {
    validation: {
      kind: "json",
      label: "Validation",
      hint: "required: paths that must be present. types: a type for each path. schema: JSON Schema 2020-12. maxBytes.",
      more: { rows: 22 },
    },
    mapping: {
      kind: "json",
      label: "Mapping",
      hint: "auto: map fields to the inputs of the same name. fields: an input, its path, transforms and default.",
      more: { rows: 22 },
    },
    last: LAST,
  },
};

/** Returns the form of a draft in the editor. */
function draftForm(draft: Draft, inputs: readonly WorkflowInput[]): Form<typeof rules> {
  return {
    schema: rules,
    fields: { last: LAST },
    assemble: ({ last }, fault) => ({ ...bodyOf(draft, inputs, fault), last }),
  };
}

/** What the page shows of the draft: in the editor, or as JSON. */
type View = { kind: "editor"; draft: Draft } | { kind: "json"; typed: Posted };

type Route = NonNullable<EndpointRecord["routing"]>["routes"][number];

/** What stands around the draft on the page. */
interface Around {
  endpoint: EndpointRecord;
  /** The route whose mapping the draft changes; null on an endpoint without routes. */
  route: Route | null;
  inputs: WorkflowInput[];
}

/** Returns the path of the editor, of this route on an endpoint with routes. */
function rulesPath(endpointId: string, route: Route | null, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...(route && { route: route.name }), ...more });
  return endpointPath(endpointId, `/rules${query.size === 0 ? "" : `?${query}`}`);
}

/** An endpoint's validation and mapping: edit them beside a request, try them on past ones, save. */
export function serveRules(app: Dashboard): void {
  app.get("/webhooks/:endpointId/rules", async (http) => {
    const around = await aroundOf(http);
    const { validation, endpointId } = around.endpoint;
    const { mapping } = around.route ?? around.endpoint;
    const learned = await http.get("api").webhooks.shape(endpointId);
    const use = http.req.query("use") ?? "";
    const saved = {
      validation: use === "schema" ? { ...validation, schema: learned.schema } : validation,
      mapping: use === "mapping" ? learned.mapping : mapping,
    };
    const isSaved = http.req.query("saved") === "1";
    const notice = isSaved ? SAVED : use === "" ? null : LEARNED;
    const view = editorOf(saved, around.inputs);
    const typed = new Posted([["sample", http.req.query("request") ?? ""]]);
    return show(http, await rulesPage(http, around, { view, typed, notice, learned }));
  });

  app.post("/webhooks/:endpointId/rules", async (http) => {
    const around = await aroundOf(http);
    const typed = await postedForm(http);
    const view: View =
      typed.line("view") === "json"
        ? { kind: "json", typed }
        : { kind: "editor", draft: draftOf(typed) };
    const pressed = typed.line("do");
    if (pressed === "json") {
      return show(http, await rulesPage(http, around, { view: jsonOf(view, around), typed }));
    }
    if (pressed === "editor") return await toEditor(http, around, typed);
    const after = view.kind === "editor" ? edited(view.draft, typed, around.inputs) : null;
    if (after !== null) {
      const changed = { kind: "editor" as const, draft: after.draft };
      return show(
        http,
        await rulesPage(http, around, { view: changed, typed, focus: after.focus }),
      );
    }
    return await tryOrSave(http, around, view, typed);
  });
}

const SAVED = "Rules saved. They apply to every new request.";
const LEARNED = "This draft comes from the learned shape. It is not saved yet.";

async function aroundOf(http: Page): Promise<Around> {
  const api = http.get("api");
  const endpoint = await api.webhooks.get(http.req.param("endpointId") ?? "");
  const routes = endpoint.routing?.routes ?? [];
  const named = http.req.query("route");
  const route = routes.find(({ name }) => name === named) ?? routes[0] ?? null;
  const { workflowId } = route ?? endpoint;
  return { endpoint, route, inputs: [...(await inputsOf(api, workflowId))] };
}

function editorOf(
  { validation, mapping }: { validation: ValidationRules; mapping: Mapping },
  inputs: readonly WorkflowInput[],
): View {
  return { kind: "editor", draft: draftFrom(validation, mapping, inputs) };
}

/** Returns a draft as JSON, right or wrong. */
function jsonOf(view: View, { inputs }: Around): View {
  if (view.kind === "json") return view;
  const { validation, mapping } = bodyOf(view.draft, inputs);
  const typed = new Posted([
    ["validation", jsonText(validation)],
    ["mapping", jsonText(mapping)],
  ]);
  return { kind: "json", typed };
}

/** Shows JSON in the editor, if it is a draft. */
async function toEditor(http: Page, around: Around, typed: Posted) {
  const made = readForm(JSON_FORM, typed);
  if (made.ok) {
    const view = editorOf(made.body, around.inputs);
    return show(http, await rulesPage(http, around, { view, typed }));
  }
  const refusal = { status: 400 as const, message: "Fix the JSON first.", faults: made.faults };
  const view = { kind: "json" as const, typed };
  return show(http, await rulesPage(http, around, { view, typed, refusal }), 400);
}

async function tryOrSave(http: Page, around: Around, view: View, typed: Posted) {
  const { webhooks } = http.get("api");
  const { endpoint, route, inputs } = around;
  const { endpointId } = endpoint;
  const isSave = typed.line("do") === "save";
  const form = view.kind === "json" ? JSON_FORM : draftForm(view.draft, inputs);
  const done = await submit(form, typed, async ({ last, ...rules }) => {
    const changes = changesTo(around, rules);
    if (!isSave) return webhooks.whatIf(endpointId, { ...changes, last });
    await webhooks.update(endpointId, changes);
    return null;
  });
  if (!done.ok) {
    const refusal = atRoute(done.state.refusal);
    return show(http, await rulesPage(http, around, { view, typed, refusal }), refusal.status);
  }
  if (done.value === null) return http.redirect(rulesPath(endpointId, route, { saved: "1" }), 303);
  return show(http, await rulesPage(http, around, { view, typed, result: done.value }));
}

/** Returns the change of the endpoint that a draft stands for: a route has its own mapping. */
function changesTo(
  { endpoint: { routing }, route }: Around,
  { validation, mapping }: Omit<z.output<typeof rules>, "last">,
) {
  if (routing === null || route === null) return { validation, mapping };
  const routes = routing.routes.map((one) => (one.name === route.name ? { ...one, mapping } : one));
  return { validation, routing: { routes } };
}

/** Moves the faults of a route's mapping to the controls of the draft. */
function atRoute({ faults, ...refusal }: Refusal): Refusal {
  const place = /^routing\.routes\[\d+\]\.(?=mapping)/;
  return {
    ...refusal,
    faults: new Map([...faults].map(([at, text]) => [at.replace(place, ""), text])),
  };
}

/** What the page shows besides the endpoint. */
interface Contents {
  view: View;
  typed: Posted;
  refusal?: Refusal | null;
  result?: WhatIfResult | null;
  notice?: string | null;
  focus?: string | null;
  /** Where a draft starts, not where it is edited. */
  learned?: LearnedShape | null;
}

async function rulesPage(http: Page, around: Around, contents: Contents) {
  const { endpoint, inputs } = around;
  const { view, typed } = contents;
  if (view.kind === "json") return <RulesPage around={around} contents={contents} editor={null} />;
  const samples = await loadSamples(
    http.get("api"),
    endpoint,
    inputs,
    typed.line("sample"),
    typed.line("do") === "refresh",
  );
  const { sample } = samples;
  const results = sample === null ? null : await resultsOf(view.draft, inputs, sample);
  const faults = contents.refusal?.faults ?? NO_FAULTS;
  const editor = { samples, draft: view.draft, inputs, faults, results };
  return <RulesPage around={around} contents={contents} editor={editor} />;
}

function RulesPage({
  around: { endpoint, route },
  contents: {
    view,
    typed,
    refusal = null,
    result = null,
    notice = null,
    focus = null,
    learned = null,
  },
  editor,
}: {
  around: Around;
  contents: Contents;
  editor: (Shown & { samples: Samples }) | null;
}) {
  const { endpointId } = endpoint;
  const shown = typed.line("last") === "" ? typed.with([["last", "50"]]) : typed;
  const label = (name: string) => (editor === null ? null : labelOf(editor.draft, name));
  return (
    <EndpointPage endpoint={endpoint} tab="rules">
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {learned !== null && learned.learnedFrom > 0 && (
        <Learned shape={learned} endpointId={endpointId} route={route} />
      )}
      {route !== null && (
        <Tabs
          label="Routes"
          current={route.name}
          tabs={(endpoint.routing?.routes ?? []).map((one) => ({
            id: one.name,
            label: one.name,
            href: rulesPath(endpointId, one),
          }))}
        />
      )}
      <form method="post" action={`${rulesPath(endpointId, route)}#editor`}>
        <div id="editor" data-editor {...(focus !== null && { "data-focus": focus })}>
          <nav class="tabs" aria-label="Forms of the draft">
            <Tab value="editor" label="Editor" isCurrent={editor !== null} />
            <Tab value="json" label="JSON" isCurrent={editor === null} />
          </nav>
          <input type="hidden" name="view" value={view.kind} />
          <ErrorSummary refusal={refusal} labelOf={label} />
          {editor === null ? (
            <JsonControls typed={view.kind === "json" ? view.typed : typed} refusal={refusal} />
          ) : (
            <div class="mapper">
              <SampleView
                samples={editor.samples}
                draft={editor.draft}
                inputs={editor.inputs}
                picked={pickOf(typed.text("pick")) === null ? "" : typed.text("pick")}
              />
              <div>
                <MappingView {...editor} />
                <ValidationView draft={editor.draft} faults={editor.faults} />
              </div>
            </div>
          )}
        </div>
        <div class="inline-form ends card">
          <Control of={{ form: JSON_FORM, typed: shown, refusal: null }} name="last" />
          <button
            type="submit"
            name="do"
            value="try"
            formaction={`${rulesPath(endpointId, route)}#what-if`}
          >
            Try draft
          </button>
          <IfMay scope="webhooks:write">
            <button type="submit" name="do" value="save" class="primary">
              Save draft
            </button>
          </IfMay>
        </div>
      </form>
      {result !== null && <WhatIf endpointId={endpointId} result={result} />}
    </EndpointPage>
  );
}

/** What the endpoint learned from the payloads that it accepted. */
function Learned({
  shape: { learnedFrom, drifted, notes },
  endpointId,
  route,
}: {
  shape: LearnedShape;
  endpointId: string;
  route: Route | null;
}) {
  const differ = drifted === 0 ? "None" : formatCount(drifted, "logged request");
  return (
    <section class="card" aria-labelledby="learned">
      <div class="section-head">
        <h2 id="learned">Learned shape</h2>
        <div class="actions">
          <LinkButton href={rulesPath(endpointId, route, { use: "schema" })}>
            Use learned schema
          </LinkButton>
          {route === null && (
            <LinkButton href={rulesPath(endpointId, null, { use: "mapping" })}>
              Use suggested mapping
            </LinkButton>
          )}
        </div>
      </div>
      <p>{`Learned from ${formatCount(learnedFrom, "payload")}. ${differ} differed from the shape.`}</p>
      <ToldList lines={notes} />
    </section>
  );
}

/** Converts the draft to the other form, whatever was typed into this one. */
function Tab({ value, label, isCurrent }: { value: string; label: string; isCurrent: boolean }) {
  return (
    <button
      type="submit"
      name="do"
      value={value}
      formnovalidate
      {...(isCurrent && { "aria-current": "true" })}
    >
      {label}
    </button>
  );
}

function JsonControls({ typed, refusal }: { typed: Posted; refusal: Refusal | null }) {
  const state = { form: JSON_FORM, typed, refusal };
  return (
    <div class="fields wide card">
      <Control of={state} name="validation" />
      <Control of={state} name="mapping" />
    </div>
  );
}

/** Names the control of a fault by the input that it is about. */
function labelOf({ fields }: Draft, name: string): string | null {
  const [, digits, rest = ""] = /^mapping\.fields\[(\d+)\](.*)$/.exec(name) ?? [];
  const field = digits === undefined ? undefined : fields[Number(digits)];
  return field === undefined ? null : `${field.to}${rest.replace(/^\./, ", ")}`;
}
