// wrangler.toml's rules bundle these as text.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.svg" {
  const text: string;
  export default text;
}
declare module "*.min.js" {
  const text: string;
  export default text;
}
declare module "*/islands/page.js" {
  const text: string;
  export default text;
}
declare module "*/islands/docs.js" {
  const text: string;
  export default text;
}
