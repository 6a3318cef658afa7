/**
 * The Worker between the service and the network. It looks names up as this system does, and refuses the ports of the local runtime itself
 * (its control server, its entry, the debugging ports of its browsers), which `ALLOW_LOOPBACK` would
 * otherwise open to agents. The runtime's own are fixed once it has started; browsers come and go.
 */
const PUBLIC_PORTS = new Set(["", "80", "443", "8080", "8443"]);
let runtimePorts;

export default {
  async fetch(request, env) {
    const { origin, port } = new URL(request.url);
    if (origin === env.RESOLVER_ORIGIN) return env.RESOLVER.fetch(request);
    if (!PUBLIC_PORTS.has(port)) {
      runtimePorts ??= await portsFrom(env.RUNTIME_PORTS);
      const browserPorts = env.BROWSER_PORTS ? await portsFrom(env.BROWSER_PORTS) : [];
      if ([...runtimePorts, ...browserPorts].includes(Number(port))) {
        throw new Error("This address is the service itself.");
      }
    }
    return fetch(request);
  },
};

async function portsFrom(binding) {
  return (await binding.fetch("http://runtime/ports")).json();
}
