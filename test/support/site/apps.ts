/** The shop's catalogue as an app: without JavaScript there is nothing on the page. */
export function catalogueApp(): string {
  return `<!doctype html>
<title>Catalogue</title>
<noscript>You need to enable JavaScript to run this app.</noscript>
<div id="root"></div>
<script type="module">
const {products} = await (await fetch("/api/products.json")).json();
const rows = products.map(({name, kind, stock}) => "<tr><td>" + name + "<td>" + kind + "<td>" + stock);
document.getElementById("root").innerHTML =
  "<h1>Catalogue</h1><table><tr><th>Tea<th>Kind<th>Stock" + rows.join("") + "</table>";
</script>
`;
}
