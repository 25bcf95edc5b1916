// `windrow articles …`: stored articles.
import { cell, itemCommand } from './item-lists.ts';

export const make = () =>
  itemCommand({
    name: 'articles',
    about: 'Stored articles of all runs.',
    examples: [
      ['windrow articles list --q "election -poll" --site bbc.com', 'newest first'],
      ['windrow articles list --published-after 2026-01-01 --ndjson', 'all matches, one JSON object per line'],
    ],
    sorts: ['scraped_at', 'published_at'],
    head: ['PUBLISHED', 'AUTHOR', 'TITLE', 'URL'],
    row: (one) => [cell(one.published_at).slice(0, 10), cell(one.author), cell(one.title), cell(one.url)],
  });
