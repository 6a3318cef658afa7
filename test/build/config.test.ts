import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { SECRETS } from "../../scripts/deploy/secrets.ts";
import { CONFIG } from "../../scripts/local/project.ts";

const config = unstable_readConfig({ config: CONFIG }, { hideWarnings: true });

test("the log keeps the service's own lines, and not the platform's with their whole addresses", () => {
  expect(config.observability).toEqual({
    enabled: true,
    logs: { enabled: true, invocation_logs: false },
  });
});

test("no version is deployed that would run without its secrets", () => {
  expect(config.secrets?.required).toEqual(SECRETS);
});

test("every queue has a producer, so that wrangler creates it, and every dead letter a consumer", () => {
  const { producers = [], consumers = [] } = config.queues;
  const names = (consumers ?? []).map(({ queue }: { queue: string }) => queue);
  const dead = (consumers ?? []).flatMap(
    ({ dead_letter_queue }: { dead_letter_queue?: string }) => dead_letter_queue ?? [],
  );
  expect(dead).toHaveLength(2);
  expect(names).toEqual(expect.arrayContaining(dead));
  expect((producers ?? []).map(({ queue }: { queue?: string }) => queue).sort()).toEqual(
    names.sort(),
  );
});

test("loopback is never allowed where it is deployed", () => {
  expect(config.vars).not.toHaveProperty("ALLOW_LOOPBACK");
});
