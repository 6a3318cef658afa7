import type { ApiKeyRecord } from "../../../contract/account.ts";
import type { Dashboard, Page } from "../../context.ts";
import { refusalFor, refusalOf } from "../../forms/faults.ts";
import { postedForm } from "../../forms/posted.ts";
import { startSession } from "../../session.ts";
import { RevokePage, RotatePage } from "./change.tsx";
import { bodyOf, draftOf, faultsIn } from "./draft.ts";
import { currentEnd, keyOf } from "./find.ts";
import { KeysPage } from "./list.tsx";
import { MadePage } from "./made.tsx";
import { NEW_DRAFT, NewKeyPage } from "./new-key.tsx";
import { KEYS } from "./paths.ts";
import { endOf, OVERLAPS } from "./words.ts";

/** The account's API keys: list, make, rotate, revoke. */
export function serveKeys(app: Dashboard): void {
  app.get("/keys", async (http) => {
    const cursor = http.req.query("cursor");
    const page = await http.get("api").keys.list(cursor === undefined ? {} : { cursor });
    const end = await currentEnd(http);
    const isRevoked = http.req.query("done") === "revoked";
    return http.html(
      <KeysPage {...page} currentEnd={end} isRevoked={isRevoked} now={Date.now()} />,
    );
  });

  app.get("/keys/new", (http) => http.html(<NewKeyPage draft={NEW_DRAFT} refusal={null} />));
  app.post("/keys", make);

  app.get("/keys/:keyId/rotate", async (http) => {
    const record = await keyOf(http, http.req.param("keyId"));
    return http.html(<RotatePage record={record} isCurrent={await isCurrent(http, record)} />);
  });
  app.post("/keys/:keyId/rotate", async (http) => rotate(http, http.req.param("keyId")));

  app.get("/keys/:keyId/revoke", async (http) => {
    const record = await keyOf(http, http.req.param("keyId"));
    return http.html(<RevokePage record={record} isCurrent={await isCurrent(http, record)} />);
  });
  app.post("/keys/:keyId/revoke", async (http) => {
    await http.get("api").keys.revoke(http.req.param("keyId"));
    return http.redirect(`${KEYS}?done=revoked`, 303);
  });
}

async function make(http: Page): Promise<Response> {
  const draft = draftOf(await postedForm(http));
  const faults = faultsIn(draft);
  try {
    if (faults.size > 0) {
      return http.html(<NewKeyPage draft={draft} refusal={refusalFor(faults)} />, 400);
    }
    const created = await http.get("api").keys.create(bodyOf(draft, Date.now()));
    return http.html(<MadePage created={created} replaced={null} />, 201);
  } catch (error) {
    const refusal = refusalOf(error);
    return http.html(<NewKeyPage draft={draft} refusal={refusal} />, refusal.status);
  }
}

async function rotate(http: Page, keyId: string): Promise<Response> {
  const overlap = (await postedForm(http)).line("overlapSeconds");
  const record = await keyOf(http, keyId);
  const wasCurrent = await isCurrent(http, record);
  if (!OVERLAPS.some(({ value }) => value === overlap)) {
    const faults = new Map([["overlapSeconds", "Choose one of these."]]);
    return http.html(<RotatePage record={record} isCurrent={wasCurrent} faults={faults} />, 400);
  }
  const overlapSeconds = Number(overlap);
  const now = Date.now();
  const created = await http.get("api").keys.rotate(keyId, { overlapSeconds });
  // Whoever is signed in with the old key stays so when that stops working.
  if (wasCurrent) await startSession(http, created.apiKey, now);
  const revokedAt = new Date(now + overlapSeconds * 1_000).toISOString();
  const worksUntil = endOf({ ...record, revokedAt }) ?? revokedAt;
  return http.html(<MadePage created={created} replaced={{ worksUntil, wasCurrent }} />, 201);
}

async function isCurrent(http: Page, { last4 }: ApiKeyRecord): Promise<boolean> {
  return last4 === (await currentEnd(http));
}
