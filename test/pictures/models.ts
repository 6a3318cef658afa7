import {
  type Behaviour,
  byStep,
  call,
  callsTools,
  fails,
  finishes,
  hangs,
} from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { readText, startServer, type TestServer } from "../support/server.ts";

/** What the executions of the pictures reach outside: models that follow a script, a shop and receivers. */
export interface Outside {
  models: ModelServer;
  site: TestServer;
  close(): Promise<void>;
}

/** Starts them on these ports, or on free ones. */
export async function startOutside({
  models: modelPort = 0,
  site: sitePort = 0,
}): Promise<Outside> {
  const models = await startModelServer({ record: false, port: modelPort });
  const site = await startSite(sitePort);
  for (const [name, steps] of Object.entries(scriptsFor(site.origin)))
    models.script(name, byStep(...steps));
  return {
    models,
    site,
    close: async () => {
      await models.close();
      await site.close();
    },
  };
}

/** A shop with prices and orders, a page that never answers, and receivers of callbacks. */
const startSite = (port: number) =>
  startServer(
    async (request, response) => {
      const body = await readText(request);
      const json = { "content-type": "application/json" };
      if (request.url?.startsWith("/slow")) return;
      if (request.url?.startsWith("/refuses")) response.writeHead(500).end("no");
      else if (request.url?.startsWith("/accepts")) response.writeHead(200).end("ok");
      else if (request.url?.startsWith("/orders"))
        response
          .writeHead(201, json)
          .end(JSON.stringify({ id: 81_723, status: "created", received: body }));
      else response.writeHead(200, { "content-type": "text/html" }).end(PRICES);
    },
    undefined,
    port,
  );

const teas = Array.from({ length: 40 }, (_, at) => ({
  name: `Tea ${at + 1}`,
  price: (at + 1) * 3.5,
}));
const PRICES = `<title>Prices</title><h1>Harbour Lane Tea</h1><table><tr><th>name<th>price</tr>${teas
  .map(({ name, price }) => `<tr><td>${name}<td>${price.toFixed(2)}</tr>`)
  .join("")}</table>`;

const used = (inputTokens: number, outputTokens: number) => ({
  usage: { inputTokens, outputTokens, cachedTokens: Math.floor(inputTokens / 3) },
});

type Steps = [Behaviour, ...Behaviour[]];

/** What each model does, step by step. */
function scriptsFor(origin: string): Record<string, Steps> {
  const order = (body: object) =>
    call("http_request", { method: "POST", url: `${origin}/orders`, body });
  const browse = (path: string) => callsTools(call("browse", { url: origin + path }));
  const ask = (question: string) => callsTools(call("ask_user", { question }));
  return {
    large: [
      {
        ...callsTools(call("browse", { url: `${origin}/prices` }, "look")),
        text: "I look at the price list first.",
        ...used(4_120, 180),
      },
      { ...callsTools(order({ sku: "TEA-14", quantity: 3 })), ...used(7_220, 240) },
      { ...callsTools(...outputs()), ...used(9_300, 640) },
      {
        ...finishes(
          "Ordered three tins of **TEA-14** for Ada and wrote to her.\n\n- order 81723\n- delivery on Tuesday",
          { order: 81_723, priority: "high" },
        ),
        ...used(11_020, 210),
      },
    ],
    quick: [
      {
        ...finishes("Labelled the issue as a bug of high priority.", {
          label: "bug",
          priority: "high",
        }),
        ...used(1_300, 60),
      },
    ],
    unpriced: [{ ...finishes("Summarised the ticket in three sentences."), ...used(2_100, 90) }],
    failing: [fails(400, "This model is not available to your organisation.")],
    "wrong-data": [{ ...finishes("Done.", { total: "not a number" }), ...used(900, 30) }],
    asks: [
      {
        ...ask(
          "Refund of **EUR 249.00** for order 1007: is it within the policy?\n\n- Ordered on 3 October\n- Returned unopened",
        ),
        ...used(1_300, 60),
      },
      finishes("Refunded.", { refunded: true }),
    ],
    orders: [
      {
        ...callsTools(
          order({ sku: "TEA-14", quantity: 300, note: "express, to the warehouse in Hamburg" }),
        ),
        ...used(1_300, 60),
      },
      finishes("Ordered.", { ordered: 300 }),
    ],
    slow: [browse("/slow")],
    hangs: [hangs()],
    "many-steps": [browse("/1"), browse("/2"), browse("/3"), browse("/4")],
  };
}

/** Calls that hand over an output of each kind. */
const outputs = () => [
  call("emit_output", {
    label: "Prices",
    type: "table",
    value: {
      columns: ["name", "price", "stock"],
      rows: teas.map(({ name, price }, at) => [name, price, 900 - 7 * at]),
    },
    sources: ["look"],
  }),
  call("emit_output", {
    label: "Reply to the customer",
    type: "text",
    value: "Dear Ada,\n\nyour order is on its way.",
  }),
  call("emit_output", {
    label: "order.json",
    type: "json",
    value: { order: 81_723, lines: [{ sku: "TEA-14", quantity: 3 }] },
  }),
  call("emit_output", {
    label: "list.csv",
    type: "file",
    value: "name,price\nTea 1,3.5\n",
    filename: "list.csv",
  }),
  call("write_spreadsheet", {
    format: "xlsx",
    filename: "prices.xlsx",
    sheets: [
      {
        name: "Prices",
        columns: [{ name: "name" }, { name: "price" }],
        rows: teas.map(({ name, price }) => [name, price]),
      },
    ],
  }),
];
