import type { Resource, Site } from "../site.ts";

const page = (body: string, title: string): Resource => ({
  body: `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`,
});

const hotel = (n: string, price: string, stars: number, city: string, pool: string) =>
  `<section class="hotel"><h2>${n}</h2><p><b>City:</b> ${city}</p><p><b>Stars:</b> ${stars}</p><p><b>Price per night:</b> ${price}</p><p><b>Pool:</b> ${pool}</p><a href="/h/${n.replace(/ .*/, "").toLowerCase()}">Details</a></section>`;

const product = (n: string, price: string, was: string, stock: string) =>
  `<div class="product"><a class="name" href="/item/${n.replace(/ .*/, "").toLowerCase()}">${n}</a><span class="price">${price}</span><del>${was}</del><span>${stock}</span></div>`;

/** Hotels and goods as blocks without a table, a conference and a gym with lists and plain tables. */
export const LEISURE: Site = {
  "http://stay.test/": page(
    `<header><ul><li><a href="/">Home</a></li><li><a href="/team">Team</a></li><li><a href="/steam">Steam bath</a></li></ul></header><h1>Hotels</h1>${hotel("Alpha Inn", "$120", 4, "Oslo", "yes")}${hotel("Beta Lodge", "$80", 3, "Bergen", "no")}${hotel("Gamma Palace", "$310", 5, "Oslo", "yes")}${hotel("Delta Hostel", "$35", 2, "Oslo", "no")}<footer>Contact <a href="mailto:book@stay.test">book@stay.test</a> or call +47 22 12 34 56</footer>`,
    "Stay",
  ),
  "http://stay.test/h/alpha": page(
    `<h1>Alpha Inn</h1><dl><dt>Rooms</dt><dd>42</dd><dt>Check-in</dt><dd>15:00</dd><dt>Pets</dt><dd>allowed</dd></dl>`,
    "Alpha Inn",
  ),
  "http://stay.test/h/beta": page(
    `<h1>Beta Lodge</h1><dl><dt>Rooms</dt><dd>18</dd><dt>Check-in</dt><dd>14:00</dd><dt>Pets</dt><dd>not allowed</dd></dl>`,
    "Beta Lodge",
  ),
  "http://stay.test/h/gamma": page(
    `<h1>Gamma Palace</h1><dl><dt>Rooms</dt><dd>160</dd><dt>Check-in</dt><dd>16:00</dd><dt>Pets</dt><dd>not allowed</dd></dl>`,
    "Gamma Palace",
  ),
  "http://stay.test/h/delta": page(
    `<h1>Delta Hostel</h1><dl><dt>Rooms</dt><dd>25</dd><dt>Check-in</dt><dd>13:00</dd><dt>Pets</dt><dd>allowed</dd></dl>`,
    "Delta Hostel",
  ),
  "http://conf.test/": page(
    `<h1>DevConf 2026</h1><p>Two days of talks in Lyon.</p><h2>Day 1</h2><ol><li>09:00 – Opening (Ana Ruiz)</li><li>10:00 – Types everywhere (Bo Chen)</li><li>11:30 – Queues in practice (Kim Lee)</li></ol><h2>Day 2</h2><ol><li>09:30 – Edge agents (Tom Roy)</li><li>13:00 – Panel (everyone)</li></ol><h2>Tickets</h2><table><tr><th>Type</th><th>Price</th><th>Left</th></tr><tr><td>Early bird</td><td>€150</td><td>0</td></tr><tr><td>Regular</td><td>€220</td><td>40</td></tr><tr><td>Student</td><td>€60</td><td>12</td></tr></table><h2>Sponsors</h2><ul><li><a href="https://big.example/">Big Corp</a></li><li><a href="https://small.example/">Small Ltd</a></li></ul><p>Questions? <a href="mailto:hi@conf.test">Mail us</a></p>`,
    "DevConf 2026",
  ),
  "http://gear.test/shop": page(
    `<h1>Outdoor gear</h1><p>Free shipping over €50. Returns within 14 days.</p><div class="grid">${product("Trail Tent", "€189.00", "€229.00", "In stock")}${product("Camp Stove", "€49.90", "", "Only 3 left")}${product("Down Bag", "€139.50", "", "Out of stock")}</div><div class="pager"><a href="/shop?p=1">1</a> <a href="/shop?p=2">2</a> <a href="/shop?p=2">Next ›</a></div>`,
    "Gear",
  ),
  "http://gear.test/shop?p=2": page(
    `<h1>Outdoor gear</h1><div class="grid">${product("Head Lamp", "€29.00", "", "In stock")}${product("Rain Jacket", "€99.00", "€120.00", "In stock")}</div><div class="pager"><a href="/shop">1</a> <a href="/shop?p=2">2</a></div>`,
    "Gear 2",
  ),
  "http://gear.test/item/trail": page(
    `<h1>Trail Tent</h1><table><tr><th>Weight</th><td>2.4 kg</td></tr><tr><th>Sleeps</th><td>2</td></tr><tr><th>Colour</th><td>Green</td></tr></table>`,
    "Trail Tent",
  ),
  "http://gear.test/item/camp": page(
    `<h1>Camp Stove</h1><table><tr><th>Weight</th><td>0.9 kg</td></tr><tr><th>Fuel</th><td>Gas</td></tr></table>`,
    "Camp Stove",
  ),
  "http://gear.test/item/down": page(
    `<h1>Down Bag</h1><table><tr><th>Weight</th><td>1.1 kg</td></tr><tr><th>Colour</th><td>Blue</td></tr></table>`,
    "Down Bag",
  ),
  "http://gym.test/": page(
    `<h1>City Gym</h1><h2>Classes</h2><table><tr><td>Class</td><td>Day</td><td>Start</td><td>Trainer</td><td>Places</td></tr><tr><td>Yoga</td><td>Monday</td><td>18:00</td><td>Nora</td><td>12</td></tr><tr><td>Spin</td><td>Tuesday</td><td>07:00</td><td>Jon</td><td>20</td></tr><tr><td>Boxing</td><td>Monday</td><td>20:00</td><td>Jon</td><td>8</td></tr></table><h2>Prices</h2><ul><li>Day pass: £9</li><li>Monthly: £35</li><li>Yearly: £300</li></ul><h2>Opening hours</h2><dl><dt>Weekdays</dt><dd>06:00–22:00</dd><dt>Weekend</dt><dd>08:00–18:00</dd></dl><p>Manager: Lea Fox, <a href="mailto:lea@gym.test">write to her</a>, tel. 020 7946 0999</p>`,
    "City Gym",
  ),
};
