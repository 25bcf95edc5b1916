// Tries dead letters again. Each is deleted in the transaction that queues its new task: a crash in between leaves all of it or nothing, and of two requests
// for the same letter one gets it.
import { isCrawlPage, retryProblem } from '../../model/crawl/letters.ts';
import { AppError } from '../../model/errors.ts';
import { articleKey } from '../../model/item/article.ts';
import type { Kind } from '../../model/item/item.ts';
import { repeatSessions } from '../../store/companies/sessions.ts';
import { type DeadLetter, takeDeadLetters } from '../../store/queue/dead-letters.ts';
import type { Accepted, NewTask } from '../../store/submissions/submit.ts';
import { cartKey } from './carts.ts';
import { askedBy, type IntakeContext, type IntakeOptions } from './intake.ts';
import { paramsKey, scrapeRunId } from './searches.ts';

/** Another input for one letter; `from`: the one before, as it may be shown. */
export interface LetterEdit {
  params: Record<string, unknown>;
  from: Record<string, unknown>;
}

/** `left`: letters of another kind than the first, which are not part of the run and stay, as do those that cannot be tried again. */
export type RetryDeadLetters = (
  taskIds: string[],
  context: IntakeContext,
  edit?: LetterEdit,
) => Promise<(Accepted & { left: number }) | null>;

/** Somebody else took some of the letters first. */
class LettersGone extends Error {}

const MAX_TRIES = 5;
const RUN_KIND: Record<Kind, string> = { article: 'article', posting: 'posting', product: 'cart' };

/** Each dead letter becomes a task of one new run; ids that are not dead letters are left out. Throws `not_retryable` when none of them can be tried again. */
export function createRetryIntake(
  options: IntakeOptions,
  { runId: articleRunId, task: articleTask }: { runId(): string; task(article: { url: string }): NewTask },
): RetryDeadLetters {
  const { store, wire } = options;
  const kindOf = ({ runKind, source }: DeadLetter): string =>
    isCrawlPage({ source }) ? 'article' : (runKind ?? RUN_KIND[options.kindOf?.(source) ?? 'article']);

  return async (taskIds, context, edit) => {
    // The same key again: the letters are gone because the first request worked, and newer ones are not meant.
    const earlier = context.idempotency ? await store.earlierAnswer(context.idempotency) : null;
    if (earlier) return { ...earlier, left: 0 };
    for (let tries = 1; ; tries++) {
      const known = await store.getDeadLetters(taskIds, context.sees ?? null);
      if (known.length === 0) return null;
      const found = known.filter((letter) => retryProblem(letter) === null);
      if (found.length === 0) throw new AppError('not_retryable', retryProblem(known[0]!)!);
      const kind = kindOf(found[0]!);
      const letters = found.filter((letter) => kindOf(letter) === kind);
      try {
        const accepted = await submit(kind, letters, context, edit);
        wire.wake();
        return { ...accepted, left: found.length - letters.length };
      } catch (error) {
        if (!(error instanceof LettersGone) || tries === MAX_TRIES) throw error;
      }
    }
  };

  function submit(kind: string, letters: DeadLetter[], context: IntakeContext, edit?: LetterEdit): Promise<Accepted> {
    const ids = letters.map((letter) => letter.taskId);
    return store.submit({
      runId: kind === 'article' ? articleRunId() : scrapeRunId('manual'),
      kind,
      itemKind: 'article',
      trigger: 'retry',
      ...askedBy(context),
      options: { retry_of: ids, ...(edit && { edited_from: edit.from }) },
      tasks: letters.map((letter) => {
        const params = edit?.params ?? letter.params;
        if (isCrawlPage(letter)) return articleTask({ url: String(params.url) });
        return {
          key: edit ? keyOfEdited(kind, letter.source, params) : letter.key,
          source: letter.source,
          lane: letter.lane,
          params,
          priority: letter.priority,
          maxRetries: letter.maxRetries,
          timeoutSeconds: letter.timeoutSeconds,
          ...(letter.backoff ? { backoff: letter.backoff } : {}),
          ref: { url: String(params.url ?? ''), site: letter.source, item: params.item ?? null },
        };
      }),
      maxAgeSeconds: 0,
      links: letters.flatMap(({ traceparent }) => traceparent ?? []),
      async along(client, run) {
        // A retried company scrape is a scrape of that company, with a session.
        await repeatSessions(client, run, ids);
        if ((await takeDeadLetters(client, ids)) < ids.length) throw new LettersGone();
      },
    });
  }
}

/** Work that is equal to other work has its key, also after an edit. */
function keyOfEdited(kind: string, source: string, params: Record<string, unknown>): string {
  if (kind === 'article') return articleKey(String(params.url));
  return kind === 'cart' ? cartKey(source, params) : paramsKey(source, params);
}
