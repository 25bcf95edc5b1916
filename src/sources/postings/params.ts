// What every career source takes besides the names of its board.
import { z } from 'zod';

export const COMMON_PARAMS = {
  /** Shown as the company where the vendor gives none, or only a legal entity. */
  company_name: z.string().min(1).max(300).optional(),
  /** Whose board it is, as the list of companies calls it: shown where nobody else names the company. */
  company_default: z.string().min(1).max(1_000).optional(),
  /** External ids that are known already: an incremental scrape fetches and yields the others only. */
  known: z.array(z.string()).max(100_000).optional(),
  description_format: z.enum(['markdown', 'html', 'plain']).default('markdown'),
  /** Keeps the vendor's own record with each posting. */
  include_raw: z.boolean().default(false),
};
export const CommonParams = z.object(COMMON_PARAMS);
