// Articles as a folder of Markdown files with front matter, as an index for retrieval (RAG) or a notebook wants them. Run it with:
// node examples/articles-to-markdown.ts notes https://www.bbc.com/news/technology … (in a clone after npm run build)
// `sandbox: true` keeps it off the real web; take it out to read real pages.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Article, scrapeArticles } from 'windrow';

const [folder, ...urls] = process.argv.slice(2);
if (!folder || urls.length === 0) throw new Error('Usage: articles-to-markdown.ts <folder> <url>…');

await mkdir(folder, { recursive: true });
const articles = scrapeArticles({ urls, format: 'markdown', sandbox: true, signal: AbortSignal.timeout(600_000) });
for await (const article of articles) {
  const file = join(folder, fileName(article));
  await writeFile(file, `${frontMatter(article)}\n# ${article.title ?? article.url}\n\n${article.content}\n`);
  console.log(file);
}
for (const { target, code, message } of articles.errors) console.error(`${target} failed (${code}): ${message}`);
process.exitCode = articles.errors.length > 0 ? 1 : 0;

/** The same page has the same name in every run, and no title leads out of the folder. */
function fileName({ title, canonicalUrl, url }: Article): string {
  const words = (title ?? '').toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? ['untitled'];
  const id = createHash('sha256')
    .update(canonicalUrl ?? url)
    .digest('hex')
    .slice(0, 8);
  return `${words.slice(0, 8).join('-').slice(0, 60)}-${id}.md`;
}

/** JSON is YAML, so no text of a page can break out of its line. */
function frontMatter({ url, title, author, publishedAt, language, tags }: Article): string {
  const fields = { url, title, author, published_at: publishedAt, language, tags };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', ''].join('\n');
}
