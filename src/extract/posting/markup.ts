// The HTML inside an element, as text: for handing a part of a page on to `describe`.
import { isComment, isTag, isText } from 'domhandler';
import type { AnyNode, Element } from '../html/html.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (raw: string) => raw.replace(/[&<>"]/g, (mark) => ENTITIES[mark]!);
const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr']);

export function markup(element: Element): string {
  return element.children.map(write).join('');
}

function write(node: AnyNode): string {
  if (isText(node)) return escapeHtml(node.data);
  if (isComment(node) || !isTag(node)) return '';
  const attributes = Object.entries(node.attribs)
    .filter(([name]) => name === 'href')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');
  return VOID.has(node.name)
    ? `<${node.name}>`
    : `<${node.name}${attributes}>${node.children.map(write).join('')}</${node.name}>`;
}
