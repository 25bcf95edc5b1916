// What a site repeats: a block that stood on other pages of the host is its boilerplate, however much it reads like an article.
// What a reader would get wrong: it is optional and forgets. Hosts and blocks are bounded, the longest unused go first, and
// an extraction without it is complete; with it, company texts, disclaimers and promotions under every article go away.
import type { BlockFeatures } from './page/view.ts';
import { foldText } from './page/words.ts';

export interface SiteMemory {
  /** For each block: whether it stood on another page of this host. Then remembers this page. */
  recognise(host: string, pageKey: string, blockFeatures: BlockFeatures[]): boolean[];
}

export interface SiteMemoryOptions {
  maxHosts: number;
  maxBlocksPerHost: number;
}

export const SITE_MEMORY_DEFAULTS: SiteMemoryOptions = { maxHosts: 300, maxBlocksPerHost: 3_000 };

interface Site {
  /** The page a block was last seen on, by the block's hash; in order of use. */
  lastPage: Map<number, string>;
  /** Blocks seen on two pages or more. */
  repeated: Set<number>;
}

// Shorter texts repeat in honest ways: "Conclusion", "Ingredients", "By the numbers".
const LEAST_WORDS = 4;

export function createSiteMemory(given: Partial<SiteMemoryOptions> = {}): SiteMemory {
  const limits = { ...SITE_MEMORY_DEFAULTS, ...given };
  const sites = new Map<string, Site>();

  const siteOf = (host: string): Site => {
    const site = sites.get(host) ?? { lastPage: new Map(), repeated: new Set() };
    sites.delete(host);
    sites.set(host, site);
    dropFirst(sites, limits.maxHosts);
    return site;
  };

  return {
    recognise(host, pageKey, blockFeatures) {
      const site = siteOf(host);
      const known = blockFeatures.map((features) => {
        if (features.words < LEAST_WORDS) return false;
        const hash = hashOf(features.block.text);
        const last = site.lastPage.get(hash);
        if (last !== undefined && last !== pageKey) site.repeated.add(hash);
        site.lastPage.delete(hash);
        site.lastPage.set(hash, pageKey);
        return site.repeated.has(hash);
      });
      dropFirst(site.lastPage, limits.maxBlocksPerHost);
      dropFirst(site.repeated, limits.maxBlocksPerHost);
      return known;
    },
  };
}

function dropFirst(list: Map<unknown, unknown> | Set<unknown>, max: number): void {
  for (const key of list.keys()) {
    if (list.size <= max) return;
    list.delete(key);
  }
}

/** FNV-1a of the bare words, with the length: 43 bits, so that two blocks of a site hardly ever meet. */
function hashOf(text: string): number {
  const folded = foldText(text);
  let hash = 0x811c9dc5;
  for (let i = 0; i < folded.length; i++) hash = Math.imul(hash ^ folded.charCodeAt(i), 0x01000193);
  return (hash >>> 0) * 2_048 + (folded.length % 2_048);
}
