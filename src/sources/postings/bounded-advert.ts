// An advertisement with every field as long as it may be, before anything is read in it.
import { bounded, type FieldKind, MAX_ENTRIES } from '../../extract/limits.ts';
import type { Advert, PaySaid, PlaceSaid } from './advert.ts';

const KINDS = {
  id: 'name',
  title: 'title',
  url: 'url',
  applyUrl: 'url',
  company: 'name',
  companyUrl: 'url',
  companyLogo: 'url',
  industry: 'name',
  payText: 'pay',
  html: 'description',
  posted: 'date',
  listed: 'date',
  updated: 'date',
  validThrough: 'date',
  department: 'name',
  team: 'name',
  jobFunction: 'name',
  level: 'name',
  language: 'name',
} as const satisfies Partial<Record<keyof Advert, FieldKind>>;

export function boundedAdvert(advert: Advert): Advert {
  const own: Advert = { ...advert };
  for (const [name, kind] of Object.entries(KINDS))
    if (name in own) Object.assign(own, { [name]: bounded(own[name as keyof Advert], kind) });
  if (own.places) own.places = own.places.slice(0, MAX_ENTRIES).map((place) => place && everyText(place, 'place'));
  for (const name of ['remoteRegions', 'types', 'skills'] as const) {
    const list = own[name];
    if (list) own[name] = list.slice(0, MAX_ENTRIES).map((text) => bounded(text, 'name'));
  }
  if (own.pay) own.pay = payOf(own.pay);
  if (own.estimate) own.estimate = payOf(own.estimate);
  return own;
}

const payOf = (pay: PaySaid): PaySaid => ({
  ...everyText(pay, 'pay'),
  ...(pay.zones && { zones: pay.zones.slice(0, MAX_ENTRIES) }),
});

const everyText = <T extends PlaceSaid | PaySaid>(fields: T, kind: FieldKind): T =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, bounded(value, kind)])) as T;
