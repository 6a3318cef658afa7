import { euros, teas } from "./data.ts";
import { layout } from "./layout.ts";

/** The entrance. */
export function indexPage(): string {
  const favourites = teas
    .slice(0, 3)
    .map(({ name, price }) => `        <li>${name}, ${euros(price)}</li>`);
  return layout({
    title: "Harbour Lane Tea",
    description: "A small tea shop in Port Ellery, with loose leaves from nine gardens.",
    body: `      <h1>Harbour Lane Tea</h1>
      <p>We sell loose tea from a narrow shop by the water. Come in, smell, taste, take some home.</p>
      <h2>Favourites</h2>
      <ul>
${favourites.join("\n")}
      </ul>
      <h2>Opening hours</h2>
      <dl>
        <dt>Tuesday to Friday</dt><dd>9:00 to 18:00</dd>
        <dt>Saturday</dt><dd>10:00 to 16:00</dd>
      </dl>
      <h2>News</h2>
      <p>Our old address, <a href="/old">/old</a>, still leads here.</p>`,
  });
}

/** The price list, as one table. */
export function pricesPage(): string {
  const rows = teas.map(
    ({ name, kind, origin, price, grams, stock }) =>
      `          <tr><td>${name}</td><td>${kind}</td><td>${origin}</td><td>${euros(price)}</td>` +
      `<td>${grams} g</td><td>${stock}</td></tr>`,
  );
  return layout({
    title: "Price list",
    body: `      <h1>Price list</h1>
      <p>All prices include tax. The list is also there as a <a href="/teas.csv">CSV file</a>.</p>
      <table>
        <caption>Loose tea</caption>
        <thead>
          <tr><th>Tea</th><th>Kind</th><th>Origin</th><th>Price</th><th>Weight</th><th>Stock</th></tr>
        </thead>
        <tbody>
${rows.join("\n")}
        </tbody>
      </table>`,
  });
}

/** Whom to write to. */
export function contactPage(): string {
  return layout({
    title: "Contact",
    body: `      <h1>Contact</h1>
      <p>Write to <a href="mailto:hello@harbourlane.example">hello@harbourlane.example</a>, or come by.</p>
      <ul>
        <li>Orders: <a href="mailto:orders@harbourlane.example">orders@harbourlane.example</a></li>
        <li>Wholesale: mara.lind@harbourlane.example</li>
        <li>Press: <a href="mailto:press@harbourlane.example?subject=Press">press@harbourlane.example</a></li>
      </ul>
      <address>4 Harbour Lane, Port Ellery</address>`,
  });
}

export function notFoundPage(): string {
  return layout({
    title: "Not found",
    body: "      <h1>Not found</h1>\n      <p>No such page.</p>",
  });
}
