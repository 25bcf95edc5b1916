// An advertisement as a source words it: fields picked out of its row, nothing concluded yet. Every job board and every career source ends here, and
// to-posting.ts draws the conclusions once for all of them.
import type { Posting, RemoteType } from '../../model/posting/posting.ts';

export interface PlaceSaid {
  /** As the source shows it; the rest is what it says in fields of their own. */
  text?: string | null | undefined;
  city?: string | null | undefined;
  region?: string | null | undefined;
  /** Name or code, as given. */
  country?: string | null | undefined;
  lat?: number | string | null | undefined;
  lon?: number | string | null | undefined;
}

export interface PaySaid {
  min: number | string | null | undefined;
  max: number | string | null | undefined;
  currency?: string | null | undefined;
  /** ISO code of where it is paid, for a source that knows it better than from the places. */
  country?: string;
  /** The source's own word: `per-year-salary`, `HOURLY`, `1 YEAR`, `month`. */
  interval?: string | null | undefined;
  raw?: string | null | undefined;
  isOte?: boolean;
  zones?: { label: string | null; min: number | null; max: number | null }[];
}

/** By field of the advertisement, or of `more`. */
export type AdvertOrigins = Readonly<
  Partial<Record<Exclude<keyof Advert, 'raw' | 'origins' | 'more'> | keyof NonNullable<Advert['more']>, string>>
>;

type Text = string | null | undefined;

export interface Advert {
  id: string;
  title: Text;
  url: Text;
  applyUrl?: Text;
  company?: Text;
  companyUrl?: Text;
  companyLogo?: Text;
  industry?: Text;
  places?: (PlaceSaid | null)[];
  /** What a field of the source says about remote work; absent where it says nothing and the words have to. */
  remote?: RemoteType | null;
  /** Where one may live, as given. */
  remoteRegions?: Text[];
  types?: Text[];
  pay?: PaySaid | null;
  /** Pay as a label; read only where there are no fields. */
  payText?: Text;
  /** The source's guess, used only where neither fields nor text say anything. */
  estimate?: PaySaid | null;
  html?: Text;
  posted?: string | number | null | undefined;
  /** When this source first showed it, where it tells the two apart. */
  listed?: string | number | null | undefined;
  updated?: string | number | null | undefined;
  validThrough?: string | number | null | undefined;
  isClosed?: boolean;
  department?: Text;
  team?: Text;
  jobFunction?: Text;
  /** The source's own word for the level: `mid_senior_level`, `experienced`. */
  level?: Text;
  experienceYears?: { min: number | null; max: number | null } | null;
  skills?: Text[];
  language?: Text;
  vacancies?: number | null | undefined;
  raw: unknown;
  /** Where its fields came from; one object for all that were read in the same way. */
  origins?: AdvertOrigins;
  /** What only some sources know, as postings call it. */
  more?: Partial<
    Pick<
      Posting,
      | 'company_size'
      | 'company_revenue'
      | 'company_description'
      | 'company_rating'
      | 'company_reviews_count'
      | 'company_addresses'
      | 'listing_type'
    >
  >;
}
