// A magazine from the years of microdata: itemprop everywhere, no JSON-LD, the date only in a content attribute.
import { bodyMarkup, displayDate, esc, headlineLinks, headOpening, type Layout, navLinks } from '../markup.ts';

export const microdata: Layout = (page) => {
  const { article, origin, related } = page;
  const { chrome } = article.site.language.words;
  const authorSlug = article.author.toLowerCase().replace(/[^a-z]+/g, '-');
  return `<!DOCTYPE html>
<html lang="${article.language}" prefix="og: http://ogp.me/ns#">
<head>
${headOpening(page)}
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="${esc(article.title)}">
<meta property="og:image" content="${article.image}">
</head>
<body class="single">
<div id="top"><a href="${origin}/">${esc(article.site.name)}</a><ul class="menu">${navLinks(article, origin)}</ul></div>
<div id="page" itemscope itemtype="http://schema.org/Article">
<meta itemprop="mainEntityOfPage" content="${origin}${esc(article.path)}">
<h1 itemprop="headline">${esc(article.title)}</h1>
<h2 class="deck" itemprop="alternativeHeadline">${esc(article.standfirst)}</h2>
<div class="meta">
<span itemprop="author" itemscope itemtype="http://schema.org/Person"><a rel="author" href="${origin}/authors/${authorSlug}"><span itemprop="name">${esc(article.author)}</span></a></span>
<meta itemprop="datePublished" content="${article.publishedAt}"><span class="when">${displayDate(article)}</span>
<meta itemprop="dateModified" content="${article.modifiedAt}">
</div>
<img itemprop="image" src="${article.image}" alt="">
<section itemprop="articleBody">
${bodyMarkup(article.blocks, origin)}</section>
<p class="tags">${article.tags.map((tag) => `<a rel="tag" href="${origin}/tags/${encodeURIComponent(tag)}">${esc(tag)}</a>`).join(', ')}</p>
</div>
<div id="sidebar"><h3>${chrome.related}</h3><ul>${headlineLinks(related, origin)}</ul></div>
<div id="footer">© ${esc(article.site.name)}</div>
</body>
</html>
`;
};
