// What is for sale in the sandbox web: the same item near the same ZIP gives the same offers in every replica, so a test can know the truth without
// asking. Prices move a little from day to day (nowMs), everything else stays.
import { hash32, Random } from '../random.ts';
import words from './words.json' with { type: 'json' };

export interface Offer {
  id: string;
  title: string;
  brand: string;
  /** As it stands in the title. */
  size: string;
  priceMinor: number;
  oldMinor: number | null;
  seller: string;
  sellerId: string;
  /** A store of the place, or null for what is only sold online. */
  city: string | null;
  delivery: string;
  rating: number;
  reviews: number;
  isUsed: boolean;
  isSponsored: boolean;
  /** 13 digits with a right check digit. */
  gtin: string;
}

export interface CatalogueContext {
  seed: number;
  nowMs: number;
  /** Null: without a location. */
  zip: string | null;
}

const DAY_MS = 86_400_000;
const MIN_OFFERS = 8;
const MAX_OFFERS = 40;

/** Offers for an item; one that begins with "nothing" is sold nowhere. */
export function offersOf(item: string, { seed, nowMs, zip }: CatalogueContext): Offer[] {
  const name = item.trim().toLowerCase();
  if (name === '' || name.startsWith('nothing')) return [];
  const random = new Random(hash32(`${name}|${zip ?? ''}`, seed));
  const count = random.between(MIN_OFFERS, MAX_OFFERS);
  return Array.from({ length: count }, (_, i) =>
    offerOf(name, i, zip, { random, seed, day: Math.floor(nowMs / DAY_MS) }),
  );
}

interface Making {
  random: Random;
  seed: number;
  day: number;
}

function offerOf(name: string, index: number, zip: string | null, { random, seed, day }: Making): Offer {
  const brand = random.pick(words.brands);
  const size = random.pick(sizesOf(name));
  const base = random.between(120, 1_900);
  const id = `${hash32(`${name}|${index}|${zip ?? ''}`, seed)}${String(index).padStart(3, '0')}`;
  const drift = (hash32(`${id}|${day}`, seed) % 11) - 5;
  const priceMinor = Math.max(49, base + Math.round((base * drift) / 100));
  const seller = random.pick(words.sellers);
  return {
    id,
    title: `${brand} ${random.pick(words.traits)} ${capitals(name)}, ${size}`,
    brand,
    size,
    priceMinor,
    oldMinor: random.chance(0.25) ? Math.round(priceMinor * 1.2) + 1 : null,
    seller,
    sellerId: String(hash32(seller)),
    city: zip !== null && random.chance(0.5) ? cityOf(zip, random.between(0, 2)) : null,
    delivery: random.pick(words.deliveries),
    rating: random.between(25, 50) / 10,
    reviews: random.chance(0.5) ? random.between(1, 999) : random.between(10, 190) * 100,
    isUsed: random.chance(0.03),
    isSponsored: random.chance(0.1),
    gtin: gtinOf(hash32(id)),
  };
}

/** Three towns a ZIP code has stores in. */
export function cityOf(zip: string, nth: number): string {
  return words.cities[(hash32(zip) + nth * 5) % words.cities.length]!;
}

function sizesOf(name: string): readonly string[] {
  const parts = name.split(' ');
  if (words.counted.some((word) => parts.includes(word))) return words.countSizes;
  return words.liquids.some((word) => parts.includes(word)) ? words.liquidSizes : words.solidSizes;
}

const capitals = (name: string): string => name.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());

function gtinOf(number: number): string {
  const digits = `20${String(number).padStart(10, '0')}`;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += Number(digits[11 - i]) * (i % 2 === 0 ? 3 : 1);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

export const dollars = (minor: number): string => `$${(minor / 100).toFixed(2)}`;

/** As pages round them: 1.8K. */
export const roughly = (count: number): string =>
  count < 1_000 ? String(count) : `${(count / 1_000).toFixed(1).replace('.0', '')}K`;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
