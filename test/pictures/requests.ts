import { createHmac } from "node:crypto";
import { mapConcurrently } from "../../src/lib/async.ts";
import { type Endpoints, SECRETS } from "./account.ts";

const AT_ONCE = 12;

/** Requests in one batch of the endpoint that splits them. */
const ITEMS = 920;

/** Sends 10,000 requests: accepted, rejected, held, of cases, without a route, and duplicates. */
export async function seedRequests(endpoints: Endpoints): Promise<void> {
  const { github, stripe, shop, scanner, crm, telemetry } = endpoints;
  const sends = (count: number, send: (at: number) => Sent) =>
    mapConcurrently(
      AT_ONCE,
      Array.from({ length: count }, (_, at) => at),
      (at) => post(send(at)),
    );
  const repository = (at: number) => ({ full_name: at % 3 ? "acme/shop" : "acme/api" });
  await sends(140, (at) =>
    githubEvent(github.url, "issues", `issue-${at}`, {
      action: "opened",
      issue: {
        title: `${TITLES[at % TITLES.length]} (${at})`,
        number: 400 + at,
        body: "Steps to reproduce",
      },
      repository: repository(at),
    }),
  );
  await sends(24, (at) =>
    githubEvent(github.url, "pull_request", `pull-${at}`, {
      action: at % 2 ? "synchronize" : "opened",
      number: 70 + (at % 8),
      pull_request: { title: `Mend the cart (${at % 8})` },
      repository: { full_name: "acme/shop" },
    }),
  );
  await sends(300, (at) =>
    githubEvent(github.url, ["push", "star", "check_run"][at % 3] ?? "", `other-${at}`, {
      action: "created",
      ref: "refs/heads/main",
      repository: repository(at),
    }),
  );
  await sends(35, (at) =>
    githubEvent(github.url, "push", `wrong-${at}`, { ref: "refs/heads/main" }, "another secret"),
  );
  await sends(130, (at) => stripeEvent(stripe.url, at, { id: `ch_3Nx${at}` }));
  await sends(20, (at) => stripeEvent(stripe.url, at, { id: `ch_3Nx${at}` }));
  await sends(12, (at) => stripeEvent(stripe.url, 5_000 + at, {}));
  await sends(30, (at) => ({
    url: shop.url,
    headers: { "X-Webhook-Token": shop.secrets?.token ?? "" },
    body: {
      id: `order-${at}`,
      line: { sku: `TEA-${10 + (at % 7)}`, quantity: 1 + (at % 9) },
      customer: { name: "Ada", email: "ada@example.com" },
    },
  }));
  await sends(30, (at) => ({
    url: scanner.url,
    body: { id: `inv-${at}`, file: `invoice-${at}.pdf` },
  }));
  await sends(80, (at) => ({
    url: crm.url,
    body: { id: `contact-${at}`, type: "contact.created", email: `p${at}@example.com` },
  }));
  for (let batch = 0; batch < 10; batch += 1) await post(readings(telemetry.url, batch));
}

const TITLES = [
  "Crash when the cart is empty",
  "Prices are shown without tax",
  "Login fails on Safari 18",
  "Export of orders times out",
  "Dark mode: unreadable buttons",
];

interface Sent {
  url: string;
  headers?: Record<string, string>;
  body: object | string;
}

async function post({ url, headers = {}, body }: Sent): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  await response.arrayBuffer();
}

const signed = (secret: string, text: string) =>
  createHmac("sha256", secret).update(text).digest("hex");

function githubEvent(
  url: string,
  event: string,
  delivery: string,
  payload: object,
  secret = SECRETS.github,
): Sent {
  const body = JSON.stringify(payload);
  const headers = {
    "X-GitHub-Event": event,
    "X-GitHub-Delivery": delivery,
    "X-Hub-Signature-256": `sha256=${signed(secret, body)}`,
  };
  return { url, headers, body };
}

function stripeEvent(url: string, at: number, object: { id?: string }): Sent {
  const type = at % 4 ? "charge.refunded" : "invoice.paid";
  const charge = { ...object, amount: 24_900 + at, currency: "usd", customer: `cus_${at}` };
  const body = JSON.stringify({ id: `evt_${at}`, type, data: { object: charge } });
  const time = Math.floor(Date.now() / 1_000);
  const signature = `t=${time},v1=${signed(SECRETS.stripe, `${time}.${body}`)}`;
  return { url, headers: { "Stripe-Signature": signature }, body };
}

/** A batch of a sender that collects readings. */
const readings = (url: string, batch: number): Sent => ({
  url,
  body: {
    events: Array.from({ length: ITEMS }, (_, at) => ({
      id: `reading-${batch * ITEMS + at}`,
      type: ["door.opened", "door.closed", "temperature.reading"][at % 3],
      value: 20 + (at % 9),
    })),
  },
});
