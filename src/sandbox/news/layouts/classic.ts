// A newspaper that does everything right: semantic tags, JSON-LD, OpenGraph.
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

export const classic: Layout = (page) => {
  const { article, origin, related } = page;
  const { chrome } = article.site.language.words;
  return `${richHead(page, newsArticleLd(article))}
<body>
<header class="masthead"><a class="brand" href="${origin}/">${esc(article.site.name)}</a><nav><ul>${navLinks(article, origin)}</ul></nav></header>
<main>
<article>
<header>
<h1>${esc(article.title)}</h1>
<p class="standfirst">${esc(article.standfirst)}</p>
<p class="byline">${byline(article)}</p>
<time datetime="${article.publishedAt}">${displayDate(article)}</time>
</header>
<div class="article-body">
${bodyMarkup(article.blocks, origin)}</div>
</article>
<aside class="related"><h2>${chrome.related}</h2><ul>${headlineLinks(related, origin)}</ul></aside>
</main>
<footer><p>© 2026 ${esc(article.site.name)}. ${chrome.rights}.</p><ul><li><a href="${origin}/about">${chrome.about}</a></li><li><a href="${origin}/contact">${chrome.contact}</a></li></ul></footer>
</body>
</html>
`;
};
