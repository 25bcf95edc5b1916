// What the page states about itself for machines, read once: JSON-LD of the article, meta tags, head links.
import { firstString, type JsonLdNode, jsonLdNodes, typesOf } from '../../html/structured.ts';
import { bounded } from '../../limits.ts';
import type { Page } from './tree.ts';
import type { Stated } from './view.ts';
import { foldText } from './words.ts';

export interface Facts {
  ld: JsonLdNode[];
  /** The JSON-LD object that describes this page's article, if one does. */
  article: JsonLdNode | null;
  /** First value of the first of these meta names that is there, with the name it came from. */
  meta(...names: string[]): { value: string; name: string } | null;
  metas(...names: string[]): string[];
}

const ARTICLE_TYPE = /(?:Article|Posting|Report|Review|Recipe|Story|ScholarlyArticle|LiveBlogPosting)$/;
const NOT_ARTICLE = /^(?:JobPosting|AggregateReview|UserReview|ClaimReview)$/;

export function factsOf(page: Page): Facts {
  const ld = jsonLdNodes(page.jsonLd);
  const byName = new Map<string, string[]>();
  for (const { name, content } of page.metas) {
    const read = bounded(content, 'meta');
    const list = byName.get(name);
    if (list) list.push(read);
    else byName.set(name, [read]);
  }
  return {
    ld,
    article: articleNode(ld),
    meta(...names) {
      for (const name of names) {
        const value = byName.get(name)?.[0];
        if (value) return { value, name };
      }
      return null;
    },
    metas: (...names) => names.flatMap((name) => byName.get(name) ?? []),
  };
}

/** Of several (comments and teasers are described too), the one that says most. */
function articleNode(ld: JsonLdNode[]): JsonLdNode | null {
  let best: JsonLdNode | null = null;
  let bestScore = 0;
  for (const node of ld) {
    const types = typesOf(node);
    const isArticle = types.some((t) => ARTICLE_TYPE.test(t) && !NOT_ARTICLE.test(t));
    const isPage = types.some((t) => /^(?:WebPage|Product|NewsMediaPage|Blog)$/.test(t)) && Boolean(node.datePublished);
    if (!isArticle && !isPage) continue;
    const score =
      (isArticle ? 4 : 0) +
      (node.headline ? 2 : 0) +
      (node.datePublished ? 2 : 0) +
      (node.author ? 2 : 0) +
      (node.articleBody ? 2 : 0) -
      (types.includes('Review') ? 2 : 0);
    if (score > bestScore) {
      best = node;
      bestScore = score;
    }
  }
  return best;
}

export function statedOf(page: Page, facts: Facts): Stated {
  return {
    title: foldText(
      firstString(facts.article?.headline) ?? facts.meta('og:title', 'twitter:title')?.value ?? page.title,
    ),
  };
}
