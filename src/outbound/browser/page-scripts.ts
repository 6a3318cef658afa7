/**
 * Run in every document before its own scripts. WebRTC is the one way out that no proxy covers: its
 * constructors are taken away. A link or form for another window opens in this one, since there is
 * no other.
 */
export const BEFORE_SCRIPTS = `
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (/^(webkit)?RTC/.test(name)) delete globalThis[name];
}
const stay = (event) => {
  for (const node of [...event.composedPath(), event.submitter]) {
    if (node instanceof Element && node.hasAttribute("target")) node.setAttribute("target", "_self");
    if (node instanceof Element && node.hasAttribute("formtarget")) node.removeAttribute("formtarget");
  }
};
addEventListener("click", stay, true);
addEventListener("submit", stay, true);
`;

/** The document as it is now, up to a length. */
export function documentScript(maxLength: number): string {
  return `(document.documentElement?.outerHTML ?? "").slice(0, ${maxLength})`;
}

/** How high the whole document is, in pixels. */
export const HEIGHT_SCRIPT = "document.documentElement.scrollHeight";

/** What a person could use on the page now, as short lines: \`button "Save"\`. */
export const CONTROLS_SCRIPT = `
[...document.querySelectorAll("a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab],[role=menuitem]")]
  .filter((element) => element.type !== "hidden" && element.checkVisibility())
  .slice(0, 200)
  .map((element) => {
    const tag = element.localName;
    const isButton = tag === "button" || tag === "summary" || /^(submit|button|reset|image)$/.test(tag === "input" ? element.type : "");
    const kind = element.getAttribute("role") ?? (isButton ? "button" : tag === "a" ? "link" : "field");
    const label = kind === "field" ? element.labels?.[0]?.innerText : element.innerText;
    const name = [element.getAttribute("aria-label"), label, isButton ? element.value : null, element.placeholder, element.name]
      .map((text) => (text ?? "").replace(/\\s+/g, " ").trim().slice(0, 60))
      .find((text) => text !== "");
    return name === undefined ? "" : kind + " " + JSON.stringify(name);
  })
  .filter((line) => line !== "")
  .slice(0, 20)
`;
