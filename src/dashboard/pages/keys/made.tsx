import type * as z from "zod";
import type { apiKeyCreated } from "../../../contract/account.ts";
import { Layout } from "../../components/layout.tsx";
import { Copyable, Notice, Time } from "../../components/parts.tsx";
import { KEYS } from "./paths.ts";
import { scopesText } from "./words.ts";

/** What became of the key that a new one replaces. */
export interface Replaced {
  /** ISO 8601. */
  worksUntil: string;
  /** Whether the reader had signed in with it, and goes on with the new one. */
  wasCurrent: boolean;
}

/** Shows the text of a new key, which can be seen only here. */
export function MadePage({
  created,
  replaced,
}: {
  created: z.output<typeof apiKeyCreated>;
  replaced: Replaced | null;
}) {
  return (
    <Layout title="New key" section="keys">
      <Notice tone="good">This key is shown only now. Keep it where secrets are kept.</Notice>
      <Copyable id="new-key" label={created.name} text={created.apiKey} />
      <section class="card" aria-label="The key">
        <dl class="facts">
          <dt>It may</dt>
          <dd>{scopesText(created.scopes)}</dd>
          <dt>It expires</dt>
          <dd>{created.expiresAt === null ? "never" : <Time at={created.expiresAt} />}</dd>
          {replaced !== null && (
            <>
              <dt>The old key</dt>
              <dd>
                works until <Time at={replaced.worksUntil} />
                {replaced.wasCurrent && ". You go on here with the new one."}
              </dd>
            </>
          )}
        </dl>
      </section>
      <p>
        <a class="button" href={KEYS}>
          To all keys
        </a>
      </p>
    </Layout>
  );
}
