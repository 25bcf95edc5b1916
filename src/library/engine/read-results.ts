// The results of a run so far, read from the store page by page, so that memory stays flat.
import { ERRORS, type ErrorCode } from '../../model/errors.ts';
import type { TaskError } from '../../model/task/messages.ts';
import type { Store } from '../../store/store.ts';
import { toArticle } from '../items/article.ts';
import { toJob } from '../items/job.ts';
import { toProduct } from '../items/product.ts';
import type { RunKind } from './requests.ts';
import type { ItemOfRun, RunError, RunResults } from './results.ts';

export interface ResultsDeps {
  store: Pick<Store, 'articleEntries' | 'runPostings' | 'siteTasks' | 'getCart' | 'getSearchResults'>;
  /** How long carts are kept after their end. */
  cartSeconds: number;
}

const PAGE = 200;

export function runResults<K extends RunKind>(
  id: string,
  kindOf: () => Promise<RunKind>,
  deps: ResultsDeps,
): RunResults<ItemOfRun[K]> {
  async function* read(): AsyncGenerator<ItemOfRun[K], void, undefined> {
    yield* READERS[await kindOf()].items(id, deps) as AsyncIterable<ItemOfRun[K]>;
  }
  return {
    [Symbol.asyncIterator]: read,
    async toArray() {
      const items: ItemOfRun[K][] = [];
      for await (const item of read()) items.push(item);
      return items;
    },
    async errors() {
      return READERS[await kindOf()].errors(id, deps);
    },
  };
}

interface Reader<K extends RunKind> {
  items(id: string, deps: ResultsDeps): AsyncIterable<ItemOfRun[K]>;
  errors(id: string, deps: ResultsDeps): Promise<RunError[]>;
}

const READERS: { [K in RunKind]: Reader<K> } = {
  articles: {
    async *items(id, deps) {
      for await (const { ref, article } of articleEntries(id, deps)) {
        if (article !== null) yield toArticle(article, ref.url);
      }
    },
    async errors(id, deps) {
      const errors: RunError[] = [];
      for await (const { ref, error } of articleEntries(id, deps)) {
        if (error !== null) errors.push(runError('article', ref.url, error));
      }
      return errors;
    },
  },
  jobs: {
    async *items(runId, { store }) {
      for (let after: [number, number] = [-1, -1]; ; ) {
        const page = await store.runPostings({ runId, after, limit: PAGE });
        for (const { posting } of page) yield toJob(posting);
        if (page.length < PAGE) return;
        after = page.at(-1)!.at;
      }
    },
    async errors(id, { store }) {
      const sites = await store.siteTasks(id);
      return sites.flatMap(({ site, error }) => (error === null ? [] : [runError(site, null, error)]));
    },
  },
  products: {
    async *items(id, { store, cartSeconds }) {
      const cart = await store.getCart({ id, ttlSeconds: cartSeconds });
      for (const { item, key, version } of cart?.entries ?? []) {
        const [found] = version === null ? [] : await store.getSearchResults([key]);
        for (const product of found?.products.slice(0, cart?.maxProducts) ?? []) yield toProduct(product, item);
      }
    },
    async errors(id, { store, cartSeconds }) {
      const cart = await store.getCart({ id, ttlSeconds: cartSeconds });
      return (cart?.entries ?? []).flatMap(({ item, error }) =>
        error === null ? [] : [runError('products', item, error)],
      );
    },
  },
};

async function* articleEntries(runId: string, { store }: ResultsDeps) {
  for (let after = -1; ; ) {
    const page = await store.articleEntries({ runId, after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.pos;
  }
}

/** Workers of another make may report codes of their own. */
const runError = (site: string, target: string | null, { code, message, retryable }: TaskError): RunError => ({
  site,
  target,
  code: code !== undefined && code in ERRORS ? (code as ErrorCode) : 'internal',
  message,
  isRetryable: retryable,
});
