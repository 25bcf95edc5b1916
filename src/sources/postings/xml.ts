// XML feeds as a tree: element names are kept as written, prefix included, because vendors put what matters into elements of their own.
import { Parser } from 'htmlparser2';
import { AppError } from '../../model/errors.ts';

export interface XmlElement {
  /** As written, with its prefix: `tt:city`. */
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Text and CDATA directly inside. */
  text: string;
}

const MAX_DEPTH = 64;
/** The parser's own stack costs more with every level: a deeper feed is refused. */
const MAX_OPEN = 1_000;
const MAX_ELEMENTS = 500_000;

export function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open: XmlElement[] = [root];
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > MAX_OPEN)
          throw new AppError('layout_changed', `The XML is nested more than ${MAX_OPEN} levels deep`);
        const element: XmlElement = { name, attributes, children: [], text: '' };
        elements += 1;
        if (open.length <= MAX_DEPTH && elements <= MAX_ELEMENTS) open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        const element = open.at(-1) as XmlElement;
        element.text += text;
      },
      onclosetag() {
        if (open.length > 1) open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return root;
}

/** Every element of this name, at any depth, in order. */
export function elements(root: XmlElement, name: string): XmlElement[] {
  return root.children.flatMap((child) => (child.name === name ? [child] : elements(child, name)));
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((one) => one.name === name);
}

/** Trimmed text of the first child of this name; null where it is absent or empty. */
export function childText(element: XmlElement | undefined, name: string): string | null {
  return child(element, name)?.text.trim() || null;
}
