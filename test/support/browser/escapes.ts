/** Where something listens that no page may reach. */
export interface Forbidden {
  /** `127.0.0.1:port`, for TCP. */
  host: string;
  /** The same for UDP. */
  udpHost: string;
}

/** Code that makes WebRTC look for ways to this machine. */
function gathering({ host, udpHost }: Forbidden): string {
  const servers = `[{urls:"stun:${udpHost}"},{urls:"turn:${host}?transport=tcp",username:"u",credential:"c"}]`;
  return `const peer = new RTCPeerConnection({iceServers:${servers}}); peer.createDataChannel("d"); peer.setLocalDescription()`;
}

/** What a frame of the page holds that tries for itself. */
export function escapeFrame(forbidden: Forbidden): string {
  const { host } = forbidden;
  return `<script>fetch("http://${host}/in-frame", {mode: "no-cors"}); new WebSocket("ws://${host}/in-frame"); new Worker("/worker.js"); ${gathering(forbidden)}</script>`;
}

/**
 * A page that tries every way that a browser knows to reach a host, and then says so: its last
 * paragraph is `All was tried.`, and before it stand the ways that came back with something. At
 * `otherSite` the page's `/frame` is served under another name.
 */
export function escapePage(forbidden: Forbidden, otherSite: string): string {
  const { host, udpHost } = forbidden;
  const bad = `http://${host}`;
  const gather = gathering(forbidden);
  const inFrame = escapeFrame(forbidden);
  return `<!doctype html>
<title>Escapes</title>
<link rel="preconnect" href="${bad}">
<link rel="dns-prefetch" href="${bad}">
<link rel="prefetch" href="${bad}/prefetch">
<link rel="preload" as="script" href="${bad}/preload">
<link rel="modulepreload" href="${bad}/modulepreload">
<link rel="stylesheet" href="${bad}/style">
<link rel="manifest" href="${bad}/manifest">
<link rel="icon" href="${bad}/icon">
<script type="speculationrules">{"prefetch": [{"urls": ["${bad}/speculation"]}], "prerender": [{"urls": ["/moved"]}]}</script>
<style>@import "${bad}/import"; @font-face {font-family: f; src: url(${bad}/font)} body {font-family: f; background: url(${bad}/background)}</style>
<img src="${bad}/image" srcset="${bad}/srcset 2x"><img src="/moved">
<video src="${bad}/video" autoplay></video><audio src="${bad}/audio" autoplay></audio>
<iframe src="${otherSite}/frame"></iframe><iframe src="${bad}/frame"></iframe><iframe src="/moved"></iframe>
<iframe src="data:text/html,${encodeURIComponent(inFrame)}"></iframe>
<iframe srcdoc='${inFrame.replaceAll("'", "&#39;")}'></iframe>
<iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe>
<object data="${bad}/object"></object><embed src="${bad}/embed">
<form id="form" action="${bad}/form" method="post" target="frame"><input name="a"></form><iframe name="frame"></iframe>
<form id="window" action="${bad}/form" target="_blank"></form>
<a id="download" href="${bad}/download" download>Download</a>
<a id="blank" href="${bad}/blank" target="_blank" ping="${bad}/ping">Blank</a>
<p id="reached"></p><p id="end"></p>
<script type="module">
const settled = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ended = (target, good, bad) => new Promise((resolve, reject) => {
  target.addEventListener(good, resolve);
  target.addEventListener(bad, () => reject(new Error(bad)));
});
const say = (worker) => new Promise((resolve, reject) => {
  (worker.port ?? worker).onmessage = ({data}) => data === "reached" ? resolve() : reject(new Error(data));
  worker.onerror = () => reject(new Error("error"));
});
const blob = (code) => URL.createObjectURL(new Blob([code]));
const ways = {
  fetch: () => fetch("${bad}/fetch", {mode: "no-cors"}),
  redirect: () => fetch("/moved", {mode: "no-cors"}),
  preflight: () => fetch("${bad}/preflight", {method: "PUT", headers: {"x-own": "1"}}),
  keepalive: () => fetch("${bad}/keepalive", {method: "POST", mode: "no-cors", keepalive: true, body: "x"}),
  xhr: () => new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.onload = resolve; xhr.onerror = reject;
    xhr.open("GET", "${bad}/xhr"); xhr.send();
  }),
  beacon: async () => { navigator.sendBeacon("${bad}/beacon", "x"); throw new Error("tells nothing"); },
  module: () => import("${bad}/module"),
  websocket: () => ended(new WebSocket("ws://${host}/websocket"), "open", "error"),
  events: () => ended(new EventSource("${bad}/events"), "open", "error"),
  transport: () => new WebTransport("https://${udpHost}/transport").ready,
  rtc: async () => { ${gather}; await settled(500); },
  rtcOfFrame: async () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    const {RTCPeerConnection} = frame.contentWindow;
    ${gather}; await settled(500);
  },
  worker: () => say(new Worker("/worker.js")),
  blobWorker: () => say(new Worker(blob('fetch("${bad}/blob", {mode: "no-cors"}).then(() => postMessage("reached"), (e) => postMessage(String(e)))'))),
  foreignWorker: () => say(new Worker("${bad}/worker")),
  sharedWorker: () => say(new SharedWorker("/shared.js")),
  serviceWorker: async () => { await navigator.serviceWorker.register("/service.js"); await settled(300); throw new Error("tells nothing"); },
  popup: async () => { if (!window.open("${bad}/popup")) throw new Error("no window"); },
  blobPopup: async () => { if (!window.open(blob("<script>fetch('${bad}/blob-popup')</" + "script>"))) throw new Error("no window"); },
  file: () => fetch("file:///etc/passwd"),
};
const results = Object.entries(ways).map(async ([name, way]) => {
  try { await Promise.race([way(), settled(4000).then(() => { throw new Error("late"); })]); return name; } catch { return null; }
});
document.getElementById("form").submit();
document.getElementById("window").submit();
for (const id of ["download", "blank"]) {
  const link = document.getElementById(id);
  link.click();
}
reached.textContent = "Reached: " + (await Promise.all(results)).filter((name) => name !== null).join(" ");
end.textContent = "All was tried.";
</script>`;
}

/** The scripts of the page's workers, by path. */
export function escapeScripts({ host, udpHost }: Forbidden): Record<string, string> {
  const ways = `
    fetch("http://${host}/from-worker", {mode: "no-cors"}),
    new Promise((resolve, reject) => { const s = new WebSocket("ws://${host}/from-worker"); s.onopen = resolve; s.onerror = reject; }),
    new WebTransport("https://${udpHost}/from-worker").ready`;
  return {
    "/worker.js": `Promise.any([${ways}]).then(() => postMessage("reached"), (e) => postMessage(String(e)));`,
    "/shared.js": `onconnect = ({ports: [port]}) => Promise.any([${ways}]).then(() => port.postMessage("reached"), (e) => port.postMessage(String(e)));`,
    "/service.js": `Promise.any([${ways}]); importScripts("http://${host}/imported");`,
  };
}
