// From HTML to what everything else looks at. A page whose text only scripts would show is searched for it in the two places where it still is:
// in noscript, and in the data a forum sends along.

import { escapeHtml } from '../../../model/article/escape.ts';
import { withoutEntities } from '../../html/entities.ts';
import { type Facts, factsOf, statedOf } from './facts.ts';
import { type Page, readPage } from './tree.ts';
import { type View, viewOf } from './view.ts';

export interface Reading {
  page: Page;
  facts: Facts;
  view: View;
}

/** Fewer characters of prose than these are no text of a page that has scripts. */
const LITTLE_PROSE = 300;

export function readView(html: string): Reading {
  const reading = viewed(readPage(html));
  if (reading.view.m.totalProse >= LITTLE_PROSE) return reading;
  const other = postsOfDiscourse(html) ?? (html.includes('<noscript') ? html : null);
  if (other === null) return reading;
  const more = viewed(readPage(other, { noscript: true }));
  return more.view.m.totalProse > 2 * reading.view.m.totalProse ? more : reading;
}

function viewed(page: Page): Reading {
  const facts = factsOf(page);
  return { page, facts, view: viewOf(page, statedOf(page, facts)) };
}

interface Post {
  cooked?: unknown;
  username?: unknown;
  name?: unknown;
  created_at?: unknown;
}

const MAX_PRELOADED_CHARS = 4_000_000;
const ATTRIBUTE = ' data-preloaded="';

/** The first posts of a Discourse topic, as the page carries them for its script; made into a page of plain markup. */
function postsOfDiscourse(html: string): string | null {
  const at = html.indexOf(ATTRIBUTE);
  const from = at + ATTRIBUTE.length;
  const to = at < 0 ? -1 : html.indexOf('"', from);
  if (to < 0 || to - from > MAX_PRELOADED_CHARS) return null;
  const topic = topicIn(withoutEntities(html.slice(from, to)));
  const posts = topic?.post_stream?.posts;
  if (!Array.isArray(posts)) return null;
  const text = (value: unknown): string => (typeof value === 'string' ? escapeHtml(value) : '');
  const articles = (posts as Post[]).map(
    (post) =>
      `<article class="topic-post"><div class="author"><span class="name">${text(post.name) || text(post.username)}</span></div><time class="date" datetime="${text(post.created_at)}">${text(post.created_at)}</time><div class="post-content">${typeof post.cooked === 'string' ? post.cooked : ''}</div></article>`,
  );
  const head = html.slice(0, Math.max(0, html.indexOf('<body')));
  return `${head}<body><main><h1>${text(topic?.title)}</h1>${articles.join('')}</main></body></html>`;
}

interface Topic {
  title?: unknown;
  post_stream?: { posts?: unknown };
}

/** The data is JSON whose values are JSON again; what is neither is no topic. */
function topicIn(data: string): Topic | null {
  try {
    const preloaded = JSON.parse(data) as Record<string, unknown>;
    const name = Object.keys(preloaded).find((key) => key.startsWith('topic_') && key !== 'topic_tracking_states');
    const value = name === undefined ? null : preloaded[name];
    return typeof value === 'string' ? (JSON.parse(value) as Topic) : null;
  } catch {
    return null;
  }
}
