// A weblog engine's output: blocks with long class names, a JSON-LD graph whose article names its author by reference, author box and
// tags after the text.
import { bodyMarkup, displayDate, esc, headlineLinks, type Layout, navLinks, richHead } from '../markup.ts';

export const blog: Layout = (page) => {
  const { article, origin, related } = page;
  const { chrome } = article.site.language.words;
  const url = origin + article.path;
  const person = `${origin}/#/person/1`;
  const graph = [
    { '@type': 'WebSite', '@id': `${origin}/#website`, url: `${origin}/`, name: article.site.name },
    {
      '@type': 'Article',
      '@id': `${url}#article`,
      isPartOf: { '@id': url },
      author: { name: article.author, '@id': person },
      headline: article.title,
      datePublished: article.publishedAt,
      dateModified: article.modifiedAt,
      wordCount: article.content.split(/\s+/).length,
      articleSection: [article.section],
      inLanguage: article.language,
      image: { '@id': `${url}#primaryimage` },
    },
    {
      '@type': 'WebPage',
      '@id': url,
      url,
      name: `${article.title} - ${article.site.name}`,
      isPartOf: { '@id': `${origin}/#website` },
    },
    { '@type': 'ImageObject', '@id': `${url}#primaryimage`, url: article.image },
    { '@type': 'Person', '@id': person, name: article.author },
  ];
  const body = bodyMarkup(article.blocks, origin)
    .replaceAll('<h2>', '<h2 class="wp-block-heading">')
    .replaceAll('<ul>', '<ul class="wp-block-list">')
    .replaceAll('<figure>', '<figure class="wp-block-image size-large">')
    .replaceAll('<blockquote>', '<blockquote class="wp-block-quote is-layout-flow">');
  return `${richHead(page, { '@context': 'https://schema.org', '@graph': graph }, `<meta name="author" content="${esc(article.author)}">\n`)}
<body class="post-template-default single single-post postid-1 single-format-standard wp-embed-responsive tag-news sidebar-right">
<div id="page" class="site">
<header id="masthead" class="site-header"><p class="site-title"><a href="${origin}/" rel="home">${esc(article.site.name)}</a></p><nav id="site-navigation" class="main-navigation"><ul class="menu">${navLinks(article, origin)}</ul></nav></header>
<main id="primary" class="site-main">
<article id="post-1" class="post type-post status-publish format-standard hentry category-${article.section.toLowerCase()} tag-news">
<header class="entry-header"><h1 class="entry-title">${esc(article.title)}</h1><div class="entry-meta"><span class="posted-on"><a href="${url}" rel="bookmark"><time class="entry-date published" datetime="${article.publishedAt}">${displayDate(article)}</time><time class="updated" datetime="${article.modifiedAt}"></time></a></span> <span class="byline"><span class="author vcard"><a class="url fn n" href="${origin}/author/1/">${esc(article.author)}</a></span></span></div></header>
<div class="entry-content">
${body}</div>
<footer class="entry-footer"><span class="tags-links">${article.tags.map((tag) => `<a href="${origin}/tag/${encodeURIComponent(tag)}" rel="tag">${esc(tag)}</a>`).join(', ')}</span></footer>
</article>
<div class="author-box"><h3>${esc(article.author)}</h3><p>${esc(article.author)} writes for ${esc(article.site.name)} and lives near the coast.</p></div>
<nav class="navigation post-navigation"><ul>${headlineLinks(related.slice(0, 2), origin)}</ul></nav>
</main>
<aside id="secondary" class="widget-area"><section class="widget widget_recent_entries"><h2 class="widget-title">${chrome.latest}</h2><ul>${headlineLinks(related, origin)}</ul></section><section class="widget"><p>${chrome.subscribe}</p><form><input type="email"><button>OK</button></form></section></aside>
</div>
</body>
</html>
`;
};
