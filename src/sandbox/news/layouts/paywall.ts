// A paper that shows three paragraphs and then asks for money; the structured data says so (isAccessibleForFree). The truth of such an
// address is the teaser: nothing more is sent.
import {
  bodyMarkup,
  byline,
  displayDate,
  esc,
  headlineLinks,
  type Layout,
  navLinks,
  newsArticleLd,
  richHead,
} from '../markup.ts';

export const paywall: Layout = (page) => {
  const { article, origin, related } = page;
  const { chrome } = article.site.language.words;
  const locked = {
    isAccessibleForFree: false,
    hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.paywalled' },
  };
  return `${richHead(page, { ...newsArticleLd(article), ...locked }, '<meta property="article:content_tier" content="locked">\n')}
<body>
<header><a href="${origin}/">${esc(article.site.name)}</a><nav><ul>${navLinks(article, origin)}</ul></nav></header>
<main><article data-paywall="true">
<h1>${esc(article.title)}</h1>
<p class="dek">${esc(article.standfirst)}</p>
<div class="byline">${byline(article)}</div><time datetime="${article.publishedAt}">${displayDate(article)}</time>
<div class="article-content teaser">
${bodyMarkup(article.blocks, origin)}</div>
<div class="paywall-barrier paywalled" role="dialog"><h2>${chrome.paywall}</h2><p>${chrome.paywallText}.</p><a href="${origin}/subscribe">OK</a></div>
</article>
<aside><h2>${chrome.related}</h2><ul>${headlineLinks(related, origin)}</ul></aside></main>
</body>
</html>
`;
};
