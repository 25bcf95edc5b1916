// A portal in Japanese: no spaces between words, the date only as written there, paragraphs that begin with a full-width space, and a
// ranking beside the story. Structured data names an organisation as publisher and the writer as author.
import {
  byline,
  displayDate,
  esc,
  figure,
  headlineLinks,
  type Layout,
  navLinks,
  newsArticleLd,
  richHead,
} from '../markup.ts';

export const portal: Layout = (page) => {
  const { article, origin, related } = page;
  const { chrome } = article.site.language.words;
  const body = article.blocks.map((block) => {
    if (block.kind === 'paragraph') return `<p>　${esc(block.text)}</p>\n`;
    if (block.kind === 'heading') return `<h3 class="midashi">${esc(block.text)}</h3>\n`;
    if (block.kind === 'quote') return `<blockquote>${esc(block.text)}</blockquote>\n`;
    if (block.kind === 'list') return `<ul>${block.items.map((item) => `<li>${esc(item)}</li>`).join('')}</ul>\n`;
    return `${figure(block, origin)}\n`;
  });
  return `${richHead(page, newsArticleLd(article))}
<body>
<div id="header"><a href="${origin}/">${esc(article.site.name)}</a><ul id="gnav">${navLinks(article, origin)}</ul></div>
<div id="contents">
<div id="main">
<h1>${esc(article.title)}</h1>
<p class="date">${displayDate(article)}</p>
<p class="writer">${byline(article)}</p>
<div class="article_body">
${body.join('')}</div>
<p class="copy">${chrome.rights}</p>
</div>
<div id="side"><h2>${chrome.related}</h2><ol class="ranking">${headlineLinks(related, origin)}</ol></div>
</div>
</body>
</html>
`;
};
