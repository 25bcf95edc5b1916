// A tabloid: the story drowns in menus, promos between paragraphs, newsletter boxes, related stories and a comment thread that may be
// longer than the story. A copy of the first paragraphs is hidden for another screen size; the JSON-LD body is cut short.
import { hash32, Random } from '../../random.ts';
import type { Block } from '../article.ts';
import {
  bodyMarkup,
  byline,
  displayDate,
  esc,
  headlineLinks,
  type Layout,
  navLinks,
  newsArticleLd,
  type Page,
  richHead,
  scriptJson,
} from '../markup.ts';
import { makeCast, Writer } from '../prose.ts';

export const crowded: Layout = (page) => {
  const { article, origin, related } = page;
  const { chrome } = article.site.language.words;
  const ld = { ...newsArticleLd(article), author: article.author, articleBody: `${article.content.slice(0, 400)}…` };
  const extra = `<script>window.dataLayer = window.dataLayer || []; window.dataLayer.push({ pageType: 'article', section: ${scriptJson(article.section)} });</script>
<style>.mobile-copy{display:none}</style>
`;
  const shares = ['Facebook', 'X', 'WhatsApp', 'Email'].map((name) => `<li><a href="#share">${name}</a></li>`).join('');
  return `${richHead(page, [{ '@context': 'http://schema.org', '@type': 'BreadcrumbList', itemListElement: [] }, ld], extra)}
<body>
<div class="cookie-banner" role="dialog"><p>${chrome.cookies}.</p><button>OK</button></div>
<div class="topbar"><ul class="mega-menu">${navLinks(article, origin)}${navLinks(article, origin)}</ul><form class="search"><input placeholder="${chrome.search}"></form></div>
<ol class="breadcrumb"><li><a href="${origin}/">${chrome.home}</a></li><li><a href="${origin}/${article.section.toLowerCase()}/">${article.section}</a></li><li>${esc(article.title)}</li></ol>
<div class="layout">
<div class="story-wrap">
<h1 class="headline">${esc(article.title)}</h1>
<ul class="standfirst-bullets"><li>${esc(article.standfirst)}</li></ul>
<div class="author-line">${byline(article)} for ${esc(article.site.name)}</div>
<div class="published">Published: ${displayDate(article)} | ${chrome.updated}: <time datetime="${article.modifiedAt}">${article.modifiedAt.slice(11, 16)}</time></div>
<div class="share-bar"><span>${chrome.share}</span><ul>${shares}</ul></div>
<div class="mobile-copy" aria-hidden="true" hidden>
${bodyMarkup(article.blocks.slice(0, 3), origin)}</div>
<div class="story-body">
${bodyWithPromos(page)}</div>
<div class="share-bar"><ul>${shares}</ul></div>
<section class="comments" id="comments"><h3>${chrome.comments}</h3>
${comments(page)}</section>
</div>
<aside class="rail"><h3>${chrome.more.replace('{site}', esc(article.site.name))}</h3><ul>${headlineLinks(related, origin)}</ul><div class="advert">Advertisement</div><ul class="most-read">${headlineLinks([...related].reverse(), origin)}</ul></aside>
</div>
<div class="footer"><ul>${navLinks(article, origin)}</ul><p>© ${esc(article.site.name)}. ${chrome.rights}.</p></div>
</body>
</html>
`;
};

/** After every fifth block something that is not the story. */
function bodyWithPromos({ article, origin, related }: Page): string {
  const { chrome } = article.site.language.words;
  const promos = [
    `<p class="read-more"><strong>${chrome.read}: <a href="${origin}${related[0]?.path}">${esc(related[0]?.title ?? '')}</a></strong></p>\n`,
    `<div class="newsletter-signup"><h4>${chrome.subscribe}</h4><form><input type="email"><button>OK</button></form></div>\n`,
    '<div class="ad-slot" data-ad="inline"><span>Advertisement</span></div>\n',
  ];
  let html = '';
  for (let i = 0; i < article.blocks.length; i += 5) {
    const part: readonly Block[] = article.blocks.slice(i, i + 5);
    html += bodyMarkup(part, origin) + (i + 5 < article.blocks.length ? promos[(i / 5) % promos.length] : '');
  }
  return html;
}

function comments({ article }: Page): string {
  const { language } = article.site;
  const random = new Random(hash32(article.url) ^ 0x5eed);
  let html = '';
  for (let i = random.between(0, 14); i > 0; i--) {
    const cast = makeCast(language, random);
    const writer = new Writer(language, random, cast);
    html += `<div class="comment"><b class="comment-author">${esc(cast.reporter)}</b><p>${esc(writer.paragraph(random.between(1, 4)))}</p><a href="#reply">Reply</a></div>\n`;
  }
  return html;
}
