import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhooks } from "../test/support/webhooks.ts";
import { countersOf } from "./costs.ts";
import type { Figures } from "./figures.ts";
import { runLoad } from "./load.ts";
import type { Scale } from "./options.ts";
import { pricePerMillion } from "./price.ts";
import { type Bench, INSTRUMENTED, ONE_STEP, settled, startBench, triggerLoad } from "./service.ts";

const CLIENTS = 32;

/**
 * Measures the rate and the price of executions whose end no destination takes, one, and five, which answer
 * at once. The rate is that of ends; deliveries follow as fast as the queue has them made.
 */
export async function measureDestinations(scale: Scale): Promise<Figures> {
  const receiver = createServer((request, response) =>
    request.resume().once("end", () => response.end()),
  );
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  try {
    const none = await measured(scale, url, 0);
    const one = await measured(scale, url, 1);
    const five = await measured(scale, url, 5);
    return {
      finishedWithoutDestination: none.perSecond,
      finishedWithOneDestination: one.perSecond,
      finishedWithFiveDestinations: five.perSecond,
      usdWithoutDestination: none.usd,
      usdWithOneDestination: one.usd,
      usdWithFiveDestinations: five.usd,
      lostRequests: none.lost + one.lost + five.lost,
    };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

async function measured({ counted, warmUpMs, loadMs }: Scale, url: string, count: number) {
  const counting = await startBench({ entry: INSTRUMENTED });
  const usd = await withDestinations(counting, url, count, async () =>
    pricePerMillion(await countersOf(counting, counted, () => counting.client.trigger(ONE_STEP))),
  );
  const loaded = await startBench();
  return await withDestinations(loaded, url, count, async () => {
    await runLoad(triggerLoad(loaded, "roundtrip", CLIENTS, warmUpMs));
    await settled(loaded);
    const { perSecond, lost } = await runLoad(triggerLoad(loaded, "roundtrip", CLIENTS, loadMs));
    return { perSecond, lost, usd };
  });
}

async function withDestinations<Result>(
  { runtime, client }: Bench,
  url: string,
  count: number,
  measure: () => Promise<Result>,
): Promise<Result> {
  try {
    const account = new Webhooks(runtime, client.apiKey);
    const events = ["execution.completed"];
    for (let at = 0; at < count; at += 1) {
      const body = { name: `receiver ${at}`, url: `${url}${at}`, format: "standard", events };
      await account.call("POST", "/destinations", body);
    }
    return await measure();
  } finally {
    await runtime.close();
  }
}
