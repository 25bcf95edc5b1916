// What a failed attempt saw last: the page, and for a page in a browser a picture of it. A worker sends it beside its report; whoever loses it loses no work.
// What a reader would get wrong: everything in it comes from a site, and a worker in any language may have sent it. It is shown, never run.
import { z } from 'zod';

/** Compressed; a larger one is not sent, and `left_out` says so. */
export const PAGE_MAX_BYTES = 256 * 1024;
export const SCREENSHOT_MAX_BYTES = 512 * 1024;
/** Of a page that is shown. More than any page of `PAGE_MAX_BYTES` should have: past it, it was made to fill memory. */
export const PAGE_MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** In place of the code of an error: the attempt succeeded, and its items look wrong. */
export const SUSPECT = 'suspect';

/** Base64 has four characters for three bytes. */
const base64 = (bytes: number) => z.base64().max(4 * Math.ceil(bytes / 3));

export const EvidenceReport = z.object({
  type: z.literal('evidence').default('evidence'),
  id: z.guid(),
  task_id: z.guid(),
  run_id: z.string().max(100),
  attempt: z.int32().nonnegative(),
  scraper_type: z.string().max(64),
  worker: z.string().max(200),
  /** Of the error that the attempt ended with; `suspect` if it succeeded with items that look wrong. */
  code: z.string().max(64),
  /** Address after redirects, without secrets. */
  url: z.string().max(4_000),
  status: z.int().min(0).max(999),
  media_type: z.string().max(100),
  captured_at: z.iso.datetime(),
  /** UTF-8, compressed with gzip, in base64. */
  page: base64(PAGE_MAX_BYTES).nullable(),
  /** Of the page before it was cut and compressed. */
  page_chars: z.int().nonnegative(),
  is_cut: z.boolean().default(false),
  /** PNG or JPEG in base64. */
  screenshot: base64(SCREENSHOT_MAX_BYTES).nullable().default(null),
  /** What is not in it, and why: sentences for people. */
  left_out: z.array(z.string().max(300)).max(5).default([]),
});
export type EvidenceReport = z.infer<typeof EvidenceReport>;

/** What workers are asked for after the items of a task turned out to look wrong: the page, if they still have it. */
export const EvidenceWish = z.object({
  run_id: z.string(),
  /** Null: any page of the site will do. */
  task_id: z.guid().nullable(),
  source: z.string(),
  host: z.string().nullable(),
});
export type EvidenceWish = z.infer<typeof EvidenceWish>;

export const PICTURES = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
} as const;
export type PictureType = keyof typeof PICTURES;

/** By its first bytes: what a worker says of it counts for nothing. */
export function pictureType(bytes: Uint8Array): PictureType | null {
  for (const [type, magic] of Object.entries(PICTURES))
    if (magic.every((byte, index) => bytes[index] === byte)) return type as PictureType;
  return null;
}
