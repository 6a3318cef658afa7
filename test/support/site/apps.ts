import { layout } from "./layout.ts";

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

/** A form that asks and sends by script: a search by Enter, a list, a button. */
export function orderForm(): string {
  return layout({
    title: "Order",
    body: `      <h1>Order</h1>
      <form id="order">
        <label>Your name * <input name="name" required></label>
        <label for="tea">Tea</label>
        <select id="tea" name="tea"><option value="fog-bell">Fog Bell</option><option value="harbour">Harbour Green</option></select>
        <input name="code" placeholder="Voucher">
        <p id="discount"></p>
        <button>Place order</button>
      </form>
      <p id="answer"></p>
      <script type="module">
        const form = document.getElementById("order");
        form.code.addEventListener("keydown", (event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          document.getElementById("discount").textContent = form.code.value === "TEN" ? "10 % off" : "";
        });
        form.addEventListener("submit", async (event) => {
          event.preventDefault();
          const body = new URLSearchParams(new FormData(form));
          const {order} = await (await fetch("/orders", {method: "POST", body})).json();
          document.getElementById("answer").textContent = "Order " + order.number + ": " + order.received;
        });
      </script>`,
  });
}
