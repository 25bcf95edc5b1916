// Processes new postings on request: what orchestrators do by themselves after every scrape, here once and with counts.
import { z } from 'zod';
import { within } from '../../observe/cached.ts';
import { createAnnounce } from '../../orchestrator/alerts/announce.ts';
import { createGroup } from '../../orchestrator/grouping/group-postings.ts';
import type { AnnouncementStore } from '../../store/alerts/alert-store.ts';
import type { PostingGroupStore } from '../../store/postings/posting-store.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';

const LIMIT_MS = 25_000;

export const newPostings = ({ store }: Needs<PostingGroupStore & AnnouncementStore>): Route[] => [
  route({
    method: 'POST',
    path: '/postings/process',
    operationId: 'processNewPostings',
    scope: 'admin',
    tag: 'Data',
    summary: 'Process new postings now: group duplicates, match alerts, notify webhooks',
    description:
      'Orchestrators also do this within seconds of every scrape. Work that one of them is doing now is not counted here.',
    replies: {
      200: json(
        'Counts of what was processed.',
        z.object({
          status: z.literal('success'),
          data: z.object({ grouped: z.number().int(), announced: z.number().int(), matches: z.number().int() }),
        }),
        { status: 'success', data: { grouped: 12, announced: 10, matches: 3 } },
      ),
    },
    async handle() {
      const done = { grouped: 0, announced: 0, matches: 0 };
      const signal = AbortSignal.timeout(LIMIT_MS - 5_000);
      const group = createGroup({
        store,
        onGrouped({ looked }) {
          done.grouped += looked;
        },
      });
      const announce = createAnnounce({
        store,
        onAnnounced({ news, matches }) {
          done.announced += news;
          done.matches += matches;
        },
      });
      // The files of alerts are written by orchestrators, at their next step.
      const wakeNobody = () => {};
      await within(
        group(signal, wakeNobody).then(() => announce(signal, wakeNobody)),
        LIMIT_MS,
        'The database',
      );
      return { status: 'success', data: done };
    },
  }),
];
