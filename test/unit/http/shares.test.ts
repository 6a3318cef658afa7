import { expect, it } from "vitest";
import { signToken } from "../../../src/accounts/signed-links.ts";
import { openShare } from "../../../src/http/shares.ts";

const ID_KEY = btoa("k".repeat(32));
const LINK = "shares: link";
const LATER = Date.now() + 60_000;

/** Bindings that count which objects are asked, all of which are away. */
function bindings() {
  const asked: string[] = [];
  const objects = {
    getByName(name: string) {
      asked.push(name);
      return { openShare: async () => null };
    },
  };
  const env = { ID_KEY, ACCOUNT: objects, SESSION_HOST: objects, INBOX: objects };
  return { env: env as unknown as CloudflareEnv, asked };
}

it("a link that is forged, expired or signed for another purpose is refused without a look-up", async () => {
  const { env, asked } = bindings();
  const content = ["acc_000000000000", "shr_1", LATER];
  const refused = [
    "made-up",
    `${await signToken(LINK, content, [ID_KEY])}x`,
    await signToken(LINK, content, [btoa("x".repeat(32))]),
    await signToken("decisions: link", content, [ID_KEY]),
    await signToken(LINK, ["acc_000000000000", "shr_2", Date.now()], [ID_KEY]),
  ];
  for (const each of refused) expect(await openShare(env, each), each).toBeNull();
  expect(asked).toEqual([]);
});
