// The last pages of attempts that succeeded, for as long as there is room: two of each site, so that one busy site does not push out the others.
import type { EvidenceWish } from '../model/evidence/evidence.ts';
import type { TaskMessage } from '../model/task/messages.ts';
import type { Seen, SeenPage } from '../web/seen.ts';

export interface RecentPage {
  task: TaskMessage;
  worker: string;
  host: string;
  page: SeenPage;
  seen: Seen;
}

export interface RecentPages {
  remember(one: RecentPage): void;
  /** The page of that task, or the last of the site where any will do. It is given once. */
  take(wish: EvidenceWish): RecentPage | null;
}

const CHARS_MAX = 2_000_000;
const SITES_MAX = 100;
const OF_SITE_MAX = 2;

export function createRecentPages(): RecentPages {
  /** The site whose page came last is the last. */
  const sites = new Map<string, RecentPage[]>();
  let chars = 0;

  const drop = (site: string, one: RecentPage): void => {
    const left = (sites.get(site) ?? []).filter((other) => other !== one);
    chars -= one.page.text.length;
    if (left.length > 0) sites.set(site, left);
    else sites.delete(site);
  };
  const dropOldest = (): void => {
    const [site, pages] = sites.entries().next().value ?? [];
    if (site !== undefined && pages?.[0]) drop(site, pages[0]);
  };

  return {
    remember(one) {
      const site = siteOf(one.task.scraper_type, one.host);
      const before = sites.get(site) ?? [];
      if (before.length >= OF_SITE_MAX) chars -= before.shift()!.page.text.length;
      sites.delete(site);
      sites.set(site, [...before, one]);
      chars += one.page.text.length;
      while (sites.size > 0 && (chars > CHARS_MAX || sites.size > SITES_MAX)) dropOldest();
    },
    take({ task_id: taskId, source, host }) {
      for (const [site, pages] of sites) {
        const found = pages.findLast((one) =>
          taskId === null ? site === siteOf(source, host ?? one.host) : one.task.task_id === taskId,
        );
        if (found === undefined) continue;
        drop(site, found);
        return found;
      }
      return null;
    },
  };
}

const siteOf = (source: string, host: string): string => `${source} ${host}`;
