import { DomUtils, parseDocument } from "htmlparser2";

type Element = NonNullable<ReturnType<typeof DomUtils.findOne>>;

/** A form as a browser would send it if its reader changed nothing. */
export interface ShownForm {
  action: string;
  fields: Record<string, string>;
}

/** The first form of a page whose action, without the revision in its query, ends like this. */
export function formOn(html: string, end: string): ShownForm {
  const form = DomUtils.findOne(
    ({ name, attribs }) =>
      name === "form" &&
      (attribs.action ?? "")
        .split("#")[0]
        ?.replace(/[?&]revision=\d+/, "")
        .endsWith(end) === true,
    parseDocument(html).children,
  );
  if (form === null) throw new Error(`no form goes to ${end}: ${html}`);
  const controls = DomUtils.findAll(
    ({ name, attribs }) => ["input", "select", "textarea"].includes(name) && "name" in attribs,
    form.children,
  );
  const fields = controls.flatMap((control) => {
    const value = sentBy(control);
    return value === null ? [] : [[control.attribs.name, value]];
  });
  return { action: form.attribs.action ?? "", fields: Object.fromEntries(fields) };
}

/** What a control sends; null for a box that is not ticked. */
function sentBy(control: Element): string | null {
  const { value, type, checked } = control.attribs;
  if (control.name === "textarea") return DomUtils.textContent(control).replace(/^\n/, "");
  if (control.name === "select") return selected(control);
  if (type === "radio" && checked === undefined) return null;
  if (type === "checkbox") return checked === undefined ? null : (value ?? "on");
  return value ?? "";
}

function selected(select: Element): string {
  const options = DomUtils.findAll(({ name }) => name === "option", select.children);
  const chosen = options.find(({ attribs }) => "selected" in attribs) ?? options[0];
  return chosen?.attribs.value ?? "";
}

/** The text of a page's element with this id; null for none. */
export function textOf(html: string, id: string): string | null {
  const found = DomUtils.findOne(({ attribs }) => attribs.id === id, parseDocument(html).children);
  return found === null ? null : DomUtils.textContent(found);
}
