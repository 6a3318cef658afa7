/** The AI binding's own code, which workerd carries and gives a service to call. */
declare module "cloudflare:ai" {
  const Binding: new (service: { fetch: typeof fetch }) => Ai;

  export { Binding as Ai };
}
