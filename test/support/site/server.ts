import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { readText, startServer } from "../server.ts";
import { catalogueApp } from "./apps.ts";
import { teas } from "./data.ts";
import { contactPage, indexPage, notFoundPage, pricesPage } from "./pages.ts";
import { supplierPage } from "./suppliers.ts";

/** A request that the site got. */
interface SiteRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** How long the answer is kept back. */
  afterMs?: number;
}

/**
 * Starts the site of a small tea shop, made for tests and demonstrations, on a free port. Besides its pages it
 * has the messy price lists of three suppliers (`/suppliers/assam`, `/suppliers/fujian`, `/suppliers/ellery`),
 * `/api/products.json`, `/teas.csv`, `/hours.txt`, `/logo.png`, `/slow?ms=`, `/old` (a redirect), `/away?to=`
 * (a redirect to anywhere) and `POST /orders`, which answers 201 and the order; `/catalogue` needs JavaScript.
 */
export async function startSite() {
  const requests: SiteRequest[] = [];
  const server = await startServer(async (request, response) => {
    const { method = "GET", url: path = "/", headers } = request;
    const seen = { method, path, headers, body: await readText(request) };
    requests.push(seen);
    send(answerTo(seen), response);
  });
  return { origin: server.origin, close: server.close, requests };
}

function send({ status, headers, body, afterMs = 0 }: Answer, response: ServerResponse): void {
  const timer = setTimeout(() => response.writeHead(status, headers).end(body), afterMs);
  response.on("close", () => clearTimeout(timer));
}

function answerTo(request: SiteRequest): Answer {
  const url = new URL(request.path, "http://site");
  const page = pageAt(url.pathname);
  if (page !== null) return html(200, page);
  switch (url.pathname) {
    case "/api/products.json":
      return answer(200, "application/json", JSON.stringify(products(), null, 2));
    case "/teas.csv":
      return answer(200, "text/csv; charset=utf-8", teasCsv());
    case "/hours.txt":
      return answer(200, "text/plain", "Tuesday to Friday 9:00 to 18:00\n");
    case "/logo.png":
      return answer(200, "image/png", "\x89PNG\r\n");
    case "/orders":
      return takeOrder(request);
    case "/old":
      return redirect(301, "/");
    case "/away":
      return redirect(302, url.searchParams.get("to") ?? "/");
    case "/slow":
      return { ...html(200, indexPage()), afterMs: Number(url.searchParams.get("ms") ?? "1000") };
    default:
      return html(404, notFoundPage());
  }
}

/** The HTML page at an address, or null when there is none. */
function pageAt(pathname: string): string | null {
  switch (pathname) {
    case "/":
      return indexPage();
    case "/prices":
      return pricesPage();
    case "/contact":
      return contactPage();
    case "/catalogue":
      return catalogueApp();
    default: {
      const supplier = /^\/suppliers\/([\w-]+)$/.exec(pathname)?.[1];
      return supplier === undefined ? null : supplierPage(supplier);
    }
  }
}

function takeOrder({ method, body }: SiteRequest): Answer {
  if (method !== "POST") return answer(405, "text/plain", "Only POST is taken.\n");
  return answer(201, "application/json", JSON.stringify({ order: { number: 1, received: body } }));
}

function products() {
  return {
    shop: { name: "Harbour Lane Tea", currency: "EUR" },
    products: teas.map(({ name, kind, origin, price, grams, stock }) => ({
      name,
      kind,
      origin: { place: origin },
      price: { amount: price, currency: "EUR" },
      grams,
      stock,
    })),
  };
}

function teasCsv(): string {
  const rows = teas.map((tea) => [tea.name, tea.kind, tea.origin, tea.price, tea.grams, tea.stock]);
  return [["name", "kind", "origin", "price", "grams", "stock"], ...rows]
    .map((row) => `${row.join(",")}\r\n`)
    .join("");
}

function html(status: number, body: string): Answer {
  return answer(status, "text/html; charset=utf-8", body);
}

function answer(status: number, type: string, body: string): Answer {
  return { status, headers: { "content-type": type }, body };
}

function redirect(status: number, location: string): Answer {
  return { status, headers: { location }, body: "" };
}
