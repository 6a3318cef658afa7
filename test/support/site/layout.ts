/** What a page is made of. */
export interface PageParts {
  title: string;
  description?: string;
  body: string;
}

/** A whole page of the shop, with its navigation and its footer. */
export function layout({ title, description, body }: PageParts): string {
  const meta = description ? `\n    <meta name="description" content="${description}">` : "";
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>${meta}
    <style>body { font: 16px/1.5 sans-serif; max-width: 45rem; margin: auto }</style>
    <script>document.documentElement.classList.add("js");</script>
  </head>
  <body>
    <header>
      <a href="/">Harbour Lane Tea</a>
      <nav aria-label="Main">
        <a href="/prices">Prices</a>
        <a href="/contact">Contact</a>
      </nav>
    </header>
    <main>
${body}
    </main>
    <footer><p>Harbour Lane Tea, Port Ellery. Open Tuesday to Saturday.</p></footer>
  </body>
</html>
`;
}
