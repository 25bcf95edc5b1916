// Real pages broken at random: reading one may not throw, and leaves no markup in the text. How long it takes is measured where the texts are hostile on purpose (main.ts).
import { extractArticle } from '../../src/extract/article/index.ts';
import { MARKUP, mutate } from '../../tests/support/mutate-html.ts';
import { loadPages } from '../../tools/article-model/pages.ts';

/** What went wrong, a line each. */
export function brokenPages(count: number): string[] {
  // Pages that print markup as text on purpose would hide real leaks.
  const pages = loadPages().filter(
    ({ html }) => !/&lt;|&#60;|&#x3c;|\\u003c/i.test(html.replace(/<script[\s\S]*?<\/script>/gi, '')),
  );
  const wrong: string[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const page = pages[seed % pages.length]!;
    const about = `seed ${seed} of page ${page.id}`;
    try {
      const { content } = extractArticle(mutate(page.html, seed), page.url);
      const left = MARKUP.exec(content)?.[0];
      if (left !== undefined) wrong.push(`${about}: markup in the text: ${left.slice(0, 80)}`);
    } catch (error) {
      wrong.push(`${about}: ${error}`);
    }
  }
  return wrong;
}
