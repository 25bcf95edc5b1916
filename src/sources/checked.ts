// A source whose items are checked as they come. Those of this repository are checked by the compiler; one from outside may be plain JavaScript, and an
// item that is not of its kind would otherwise be refused together with everything else that its worker reports.
import { z } from 'zod';
import { AppError } from '../model/errors.ts';
import { Article } from '../model/item/article.ts';
import type { ItemOf, Kind } from '../model/item/item.ts';
import { Posting } from '../model/posting/posting.ts';
import { Product } from '../model/product/product.ts';
import { issueErrors } from '../model/zod-messages.ts';
import type { Source } from './define.ts';

const SCHEMAS: { [K in Kind]: z.ZodType<ItemOf[K]> } = { article: Article, posting: Posting, product: Product };

export function checkedSource<P, K extends Kind>(source: Source<P, K>): Source<P, K> {
  const { detect } = source;
  return {
    ...source,
    ...(detect && { detect: (address: URL) => checkedSettings(source, address) }),
    async *scrape(params, web, notes) {
      for await (const item of source.scrape(params, web, notes)) {
        checkItem(source, item);
        yield item;
      }
    },
  };
}

/** A rule that fails is one source's mistake: the address may be another's. */
function checkedSettings(source: Pick<Source, 'name' | 'detect'>, address: URL): Record<string, string> | null {
  try {
    return Settings.parse(source.detect?.(address) ?? null);
  } catch (error) {
    process.emitWarning(`source ${source.name}: detect(${address.href}) failed: ${String(error)}`);
    return null;
  }
}

const Settings = z.record(z.string(), z.string()).nullable();

function checkItem({ name, kind }: Pick<Source, 'name' | 'kind'>, item: unknown): void {
  const checked = SCHEMAS[kind].safeParse(item);
  if (!checked.success) {
    const wrong = issueErrors(checked.error.issues)
      .slice(0, 5)
      .map(({ pointer, detail }) => `${pointer.slice(1).replaceAll('/', '.') || 'the item'} ${detail}`);
    throw new AppError('invalid_item', `${name} gave something that is no ${kind}: ${wrong.join('; ')}`);
  }
  // Where items are stored under the name of their source, another name would mix them up with those of the other.
  const said = (item as { source?: unknown }).source;
  if (said !== undefined && said !== name)
    throw new AppError('invalid_item', `${name} gave a ${kind} that names "${String(said)}" as its source`);
}
