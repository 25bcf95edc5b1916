// A regional paper in French that still sends windows-1252 and calls it iso-8859-1, and only inside the document: the header names no
// charset. Layout by tables, as in the years it was made.
import { byline, displayDate, esc, headlineLinks, type Layout, navLinks } from '../markup.ts';

export const gazette: Layout = ({ article, origin, related }) => {
  const { chrome } = article.site.language.words;
  const body = article.blocks.map((block) => {
    if (block.kind === 'paragraph') return `<p class="texte">${esc(block.text)}</p>\n`;
    if (block.kind === 'heading') return `<h4>${esc(block.text)}</h4>\n`;
    if (block.kind === 'quote') return `<blockquote>${esc(block.text)}</blockquote>\n`;
    if (block.kind === 'list') return `<ul>${block.items.map((item) => `<li>${esc(item)}</li>`).join('')}</ul>\n`;
    return `<table class="photo"><tr><td><img src="${origin}${block.src}" alt=""></td></tr><tr><td class="legende">${esc(block.caption)} ${esc(block.credit)}</td></tr></table>\n`;
  });
  return `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<html lang="${article.language}">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">
<title>${esc(article.title)} - ${esc(article.site.name)}</title>
<meta name="author" content="${esc(article.author)}">
<meta name="description" content="${esc(article.standfirst)}">
<meta name="DC.date.issued" content="${article.publishedAt}">
<link rel="canonical" href="${origin}${esc(article.path)}">
</head>
<body>
<table width="100%"><tr><td colspan="2"><a href="${origin}/">${esc(article.site.name)}</a></td></tr>
<tr><td valign="top" width="20%" class="menu"><ul>${navLinks(article, origin)}</ul></td>
<td valign="top" id="article">
<h1>${esc(article.title)}</h1>
<p class="signature">${byline(article)} &mdash; ${displayDate(article)}</p>
<div id="texte">
${body.join('')}</div>
<h4>${chrome.related}</h4><ul class="voir-aussi">${headlineLinks(related, origin)}</ul>
</td></tr></table>
<p align="center">&copy; ${esc(article.site.name)}. ${chrome.rights}.</p>
</body>
</html>
`;
};
