// Articles: one row per URL, the newest scrape wins. The key of an article is the key of its task.
import type { Article } from '../../model/item/article.ts';
import type { ItemBatch } from '../items/items.ts';
import { NO_ORIGINS, type OriginIds } from '../items/origins.ts';
import type { Client } from '../postgres/pool.ts';
import { pgJson, pgText, plainArray, textArray } from '../postgres/text.ts';

export async function saveArticles(
  client: Client,
  itemBatches: ItemBatch<Article>[],
  originIds: OriginIds = NO_ORIGINS,
): Promise<void> {
  // One statement may not touch a row twice; the last one scraped wins. Sorted so that two recorders lock in one order.
  const byKey = new Map(
    itemBatches.flatMap((one) =>
      one.items.map((article, place) => [one.key, { ...one, article, origins: originIds(one, place) }] as const),
    ),
  );
  const rows = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  if (rows.length === 0) return;
  const column = (pick: (article: Article) => string | null): string =>
    textArray(rows.map((row) => pgText(pick(row.article))));
  await client.query({
    name: 'save-articles',
    text: `insert into articles (key, url, title, content, author, published_at, language, image, task_id, details, origins_id, attempt, scraped_at)
           select key, url, title, content, author, published_at, language, image, task_id, nullif(details, 'null'), origins_id, attempt, now()
           from rows from (
             unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[], $11::bigint[], $12::smallint[]),
             json_array_elements_text($9::json), jsonb_array_elements($10::jsonb)
           ) as a(key, url, title, author, published_at, language, image, task_id, origins_id, attempt, content, details)
           on conflict (key) do update set url = excluded.url, title = excluded.title, content = excluded.content,
             author = excluded.author, published_at = excluded.published_at, language = excluded.language,
             image = excluded.image, details = excluded.details, task_id = excluded.task_id,
             origins_id = excluded.origins_id, attempt = excluded.attempt, scraped_at = excluded.scraped_at, search_due = true`,
    values: [
      plainArray(rows.map((row) => row.key)),
      column((article) => article.url),
      column((article) => article.title),
      column((article) => article.author),
      column((article) => article.published_at),
      column((article) => article.language),
      column((article) => article.image),
      plainArray(rows.map((row) => row.taskId)),
      // Long texts: as JSON they are escaped by the engine itself, all of them in one go.
      pgJson(rows.map((row) => row.article.content)),
      pgJson(rows.map((row) => row.article.details ?? null)),
      plainArray(rows.map((row) => row.origins)),
      plainArray(rows.map((row) => row.attempt)),
    ],
  });
}
