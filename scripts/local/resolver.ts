import { lookup } from "node:dns/promises";

/** An address at which the runtime looks names up as this system does. Nothing listens there. */
export const SYSTEM_RESOLVER = "http://system-resolver.internal/dns-query";

const FAMILIES: Partial<Record<string, { family: 4 | 6; type: number }>> = {
  A: { family: 4, type: 1 },
  AAAA: { family: 6, type: 28 },
};
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;

/** Answers a question of DNS over HTTPS, in its JSON form, with the addresses that this system finds. */
export async function answerLookup({ url }: { url: string }): Promise<object> {
  const { searchParams } = new URL(url);
  const asked = FAMILIES[searchParams.get("type") ?? ""];
  if (asked === undefined) return { Status: SERVER_FAILURE };
  try {
    const found = await lookup(searchParams.get("name") ?? "", { all: true, family: asked.family });
    const Answer = found.map(({ address }) => ({ type: asked.type, data: address }));
    return { Status: NO_ERROR, Answer };
  } catch (error) {
    const isUnknown = error instanceof Error && "code" in error && error.code === "ENOTFOUND";
    return { Status: isUnknown ? NAME_ERROR : SERVER_FAILURE };
  }
}
