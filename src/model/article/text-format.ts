// An article's text as it was asked for: plain, as Markdown or as HTML.
import { toHtml } from './html.ts';
import { linesFrom, Markup } from './lines.ts';
import { toMarkdown } from './markdown.ts';

export const TEXT_FORMATS = ['text', 'markdown', 'html'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** `details` is what is stored beside the text. An article from before marks were stored has none, and is printed as paragraphs. */
export function textAs(format: TextFormat, text: string, details: Record<string, unknown> | null | undefined): string {
  if (format === 'text') return text;
  const markup = Markup.safeParse(details?.markup);
  const lines = linesFrom(text, markup.success ? markup.data : []);
  return format === 'markdown' ? toMarkdown(lines) : toHtml(lines);
}
