// Nothing but div and span with meaningless class names, no structured data, the date as words and double line breaks for paragraphs:
// an extractor has only the text itself to go by.
import { byline, displayDate, esc, headlineLinks, type Layout, navLinks, paragraphInner } from '../markup.ts';

export const soup: Layout = ({ article, origin, related }) => {
  const body = article.blocks.map((block, index) => {
    if (block.kind === 'paragraph') return `${paragraphInner(block.text, index, origin)}<br><br>\n`;
    if (block.kind === 'heading') return `<b>${esc(block.text)}</b><br><br>\n`;
    if (block.kind === 'quote') return `<i>${esc(block.text)}</i><br><br>\n`;
    if (block.kind === 'list')
      return `${block.items.map((item) => `<div class="x9">${esc(item)}</div>`).join('')}<br>\n`;
    return `<div class="x7"><img src="${origin}${block.src}"><span>${esc(block.caption)}</span> <span>${esc(block.credit)}</span></div>\n`;
  });
  return `<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>${esc(article.title)} - ${esc(article.site.name)}</title>
</head>
<body>
<div class="x1"><div class="x2">${esc(article.site.name)}</div><div class="x3">${navLinks(article, origin).replaceAll('<li>', '<span>').replaceAll('</li>', '</span> ')}</div></div>
<div class="x4">
<div class="x5"><span class="x6">${esc(article.title)}</span></div>
<div class="x8">${byline(article)}, ${displayDate(article)}</div>
<div class="xa">
${body.join('')}</div>
<div class="xb">${headlineLinks(related, origin).replaceAll('<li>', '<div>').replaceAll('</li>', '</div>')}</div>
</div>
<div class="xc">© ${esc(article.site.name)}</div>
</body>
</html>
`;
};
