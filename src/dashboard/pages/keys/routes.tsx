import * as z from "zod";
import {
  type ApiKeyRecord,
  createKeyBody,
  rotateKeyBody,
  SCOPES,
  type Scope,
} from "../../../contract/account.ts";
import { show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { type Form, shownForm, submit } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { listLivePath, streamPolled } from "../../live.ts";
import { notFound } from "../../lookups.ts";
import { KEYS } from "../../paths.ts";
import { readSession, startSession } from "../../session.ts";
import { CreatedPage, endOf, KeysPage, NewKeyPage, RevokePage, RotatePage } from "./key-pages.tsx";

const DAY_MS = 86_400_000;

/** What each scope allows. */
const ALLOWS: Record<Scope, string> = {
  "executions:read": "View executions, their events, results, files and usage.",
  "executions:write": "Start executions and run workflows; message, approve and stop executions.",
  "credits:read": "View the balance.",
  "workflows:read": "View workflows.",
  "workflows:write": "Create, change and delete workflows.",
  "webhooks:read": "View endpoints and their request logs.",
  "webhooks:write": "Create, change and delete endpoints; replay requests.",
  "keys:admin": "Create and revoke keys, including this one; add MCP servers.",
};

/** Lifetimes of a new key in days; empty for no end. */
const LIFETIMES = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

/** How long a rotated key still works, in seconds. */
const OVERLAPS = [
  { value: "0", label: "Not at all" },
  { value: "3600", label: "For an hour" },
  { value: "86400", label: "For a day" },
  { value: "604800", label: "For a week" },
  { value: "2592000", label: "For 30 days" },
];

const NEW_KEY = {
  // The page offers a few lifetimes; the API takes any moment.
  schema: createKeyBody
    .omit({ expiresAt: true })
    .extend({ expiresIn: z.enum(LIFETIMES.map(({ value }) => value)).default("") }),
  fields: {
    name: { kind: "line", label: "Name", hint: "What the key is for, such as ci.", required: true },
    scopes: {
      kind: "boxes",
      label: "Scopes",
      options: SCOPES.map((scope) => ({ value: scope, label: scope, hint: ALLOWS[scope] })),
    },
    expiresIn: { kind: "select", label: "Expires", options: LIFETIMES },
  },
} satisfies Form;

const ROTATION = {
  schema: rotateKeyBody.refine(
    ({ overlapSeconds }) => OVERLAPS.some(({ value }) => value === `${overlapSeconds}`),
    {
      path: ["overlapSeconds"],
      error: "must be one of the offered durations",
    },
  ),
  fields: {
    overlapSeconds: { kind: "select", label: "The old key still works", options: OVERLAPS },
  },
  assemble: ({ overlapSeconds }) => ({ overlapSeconds: Number(overlapSeconds) }),
} satisfies Form;

/** The account's API keys: list, create, rotate, revoke. */
export function serveKeys(app: Dashboard): void {
  app.get("/keys", async (http) => {
    const cursor = http.req.query("cursor");
    const page = await http.get("api").keys.list(cursor === undefined ? {} : { cursor });
    const end = await currentEnd(http);
    const isRevoked = http.req.query("done") === "revoked";
    const live = await listLivePath(KEYS, cursor, withoutUse(page.keys));
    const shown = { ...page, currentEnd: end, isRevoked, live, now: Date.now() };
    return show(http, <KeysPage {...shown} />);
  });
  app.get("/keys/live", (http) =>
    streamPolled(http, async () => withoutUse((await http.get("api").keys.list()).keys)),
  );

  app.get("/keys/new", (http) =>
    show(http, <NewKeyPage state={shownForm(NEW_KEY, { scopes: SCOPES })} />),
  );

  app.post("/keys", async (http) => {
    const created = await submit(NEW_KEY, await postedForm(http), ({ expiresIn, ...body }) => {
      const end = new Date(Date.now() + Number(expiresIn) * DAY_MS).toISOString();
      return http.get("api").keys.create({ ...body, ...(expiresIn !== "" && { expiresAt: end }) });
    });
    if (created.ok) return show(http, <CreatedPage created={created.value} replaced={null} />, 201);
    return show(http, <NewKeyPage state={created.state} />, created.state.refusal.status);
  });

  app.get("/keys/:keyId/rotate", async (http) => {
    const record = await keyOf(http, http.req.param("keyId"));
    const state = shownForm(ROTATION, { overlapSeconds: 86_400 });
    const isCurrent = record.last4 === (await currentEnd(http));
    return show(http, <RotatePage record={record} isCurrent={isCurrent} state={state} />);
  });
  app.post("/keys/:keyId/rotate", async (http) => rotate(http, http.req.param("keyId")));

  app.get("/keys/:keyId/revoke", async (http) => {
    const record = await keyOf(http, http.req.param("keyId"));
    const isCurrent = record.last4 === (await currentEnd(http));
    return show(http, <RevokePage record={record} isCurrent={isCurrent} />);
  });
  app.post("/keys/:keyId/revoke", async (http) => {
    await http.get("api").keys.revoke(http.req.param("keyId"));
    return http.redirect(`${KEYS}?done=revoked`, 303);
  });
}

/** Leaves out the times of use: the page that asks uses a key itself. */
function withoutUse(keys: ApiKeyRecord[]): unknown {
  return keys.map(({ lastUsedAt: _, ...key }) => key);
}

async function rotate(http: Page, keyId: string): Promise<Response> {
  const typed = await postedForm(http);
  const record = await keyOf(http, keyId);
  const wasCurrent = record.last4 === (await currentEnd(http));
  const now = Date.now();
  const rotated = await submit(ROTATION, typed, async ({ overlapSeconds }) => ({
    created: await http.get("api").keys.rotate(keyId, { overlapSeconds }),
    revokedAt: new Date(now + overlapSeconds * 1_000).toISOString(),
  }));
  if (!rotated.ok) {
    const page = <RotatePage record={record} isCurrent={wasCurrent} state={rotated.state} />;
    return show(http, page, rotated.state.refusal.status);
  }
  const { created, revokedAt } = rotated.value;
  // A reader who signed in with the old key stays signed in when it stops working.
  if (wasCurrent) {
    const reader = http.get("reader");
    await startSession(http, { apiKey: created.apiKey, ...(reader && { reader }) }, now);
  }
  const worksUntil = endOf({ ...record, revokedAt }) ?? revokedAt;
  return show(http, <CreatedPage created={created} replaced={{ worksUntil, wasCurrent }} />, 201);
}

/** Returns the account's key of this id; throws a 404 without one. */
async function keyOf(http: Page, keyId: string): Promise<ApiKeyRecord> {
  for await (const record of http.get("api").keys.all()) {
    if (record.keyId === keyId) return record;
  }
  throw notFound(http);
}

/**
 * Returns the last characters of the key that the reader has signed in with. One other key in 15
 * million ends alike; it only causes a warning.
 */
async function currentEnd(http: Page): Promise<string | null> {
  return (await readSession(http, Date.now()))?.apiKey.slice(-4) ?? null;
}
