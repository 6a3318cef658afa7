/**
 * The Worker between the service and the network. It refuses the ports of the local runtime itself
 * (its control server, its entry, the debugging ports of its browsers), which `ALLOW_LOOPBACK` would
 * otherwise open to agents. They are known only after the start, so each request asks for them.
 */
const PUBLIC_PORTS = new Set(["", "80", "443", "8080", "8443"]);

export default {
  async fetch(request, env) {
    const { port } = new URL(request.url);
    if (!PUBLIC_PORTS.has(port)) {
      const answer = await env.RUNTIME_PORTS.fetch("http://runtime/ports");
      const ports = await answer.json();
      if (ports.includes(Number(port))) throw new Error("This address is the service itself.");
    }
    return fetch(request);
  },
};
