import type { Hono } from "hono";
import * as z from "zod";
import type { CloudflareAccount } from "./account.ts";
import { fault, ok } from "./answers.ts";

const DOMAINS = "/workers/scripts/:name/domains";
const origin = z.object({ hostname: z.string() });
const wanted = z.object({
  override_existing_origin: z.boolean(),
  override_existing_dns_record: z.boolean(),
  origins: z.array(origin),
});

/** Serves the zone `example.com` and its DNS records, which are outside of accounts. */
export function serveZones(api: Hono, { dnsRecords }: CloudflareAccount) {
  const zone = { id: "zone", name: "example.com" };
  api.get("/zones", (http) => ok(http, http.req.query("name") === zone.name ? [zone] : []));
  api.get("/zones/:id/dns_records", (http) => {
    const name = http.req.query("name.exact");
    const isOwn = http.req.param("id") === zone.id && name !== undefined && dnsRecords.has(name);
    return ok(http, isOwn ? ["MX", "CNAME"].map((type) => ({ name, type })) : []);
  });
}

/**
 * Serves custom domains: what would change, and the change. The calls are wrangler's, in
 * https://github.com/cloudflare/workers-sdk/blob/main/packages/deploy-helpers/src/triggers/publish-routes.ts
 */
export function serveDomains(api: Hono, { domains, dnsRecords, workers }: CloudflareAccount) {
  api.get("/workers/domains", (http) =>
    ok(
      http,
      Array.from(domains, ([hostname, service]) => ({ id: hostname, hostname, service })),
    ),
  );
  api.post(`${DOMAINS}/changeset`, async (http) => {
    const { name } = http.req.param();
    if (!workers.has(name)) return fault(http, 404, 10_007, "This Worker does not exist.");
    const origins = z.array(origin).parse(await http.req.json());
    const known = origins.filter(({ hostname }) => domains.has(hostname));
    return ok(http, {
      added: origins.filter((each) => !known.includes(each)),
      removed: [],
      updated: known.map((each) => ({ ...each, modified: domains.get(each.hostname) !== name })),
      conflicting: origins.filter(({ hostname }) => dnsRecords.has(hostname)),
    });
  });
  api.put(`${DOMAINS}/records`, async (http) => {
    const { name } = http.req.param();
    const asked = wanted.parse(await http.req.json());
    for (const { hostname } of asked.origins) {
      const isTaken = (domains.get(hostname) ?? name) !== name;
      // 100116 and 100117, as wrangler 2.0 knew them (packages/wrangler/src/publish.ts).
      if (isTaken && !asked.override_existing_origin) {
        return fault(http, 409, 100_116, `Hostname '${hostname}' is already in use.`);
      }
      if (dnsRecords.has(hostname) && !asked.override_existing_dns_record) {
        const message = `Hostname '${hostname}' already has externally managed DNS records (A, CNAME, etc). Either delete them, try a different hostname, or use the option 'override_existing_dns_record' to override.`;
        return fault(http, 409, 100_117, message);
      }
    }
    for (const { hostname } of asked.origins) {
      domains.set(hostname, name);
      dnsRecords.delete(hostname);
    }
    return ok(http, asked.origins);
  });
}
