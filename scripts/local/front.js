/**
 * The entry of the Worker on this machine. It sets `CF-Connecting-IP` to the peer of the socket, as
 * Cloudflare does, so that a client cannot choose the address that it comes from.
 */
import worker from "./index.js";

export * from "./index.js";

export default {
  ...worker,
  fetch(request, env, context) {
    const headers = new Headers(request.headers);
    // workerd writes an address with its port: `127.0.0.1:51234`, `[::1]:51234`.
    const [, address] = /^\[?(.+?)\]?:\d+$/.exec(request.cf?.clientIp ?? "") ?? [];
    if (address === undefined) headers.delete("CF-Connecting-IP");
    else headers.set("CF-Connecting-IP", address);
    return worker.fetch(new Request(request, { headers }), env, context);
  },
};
