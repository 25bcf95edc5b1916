// Cards without stable names: read from the order of their pieces of text. The title is what stands before the first bare price, the next bare
// price is the old one. Overlays ("£18 off") and coupons are neither.
import { all, attr, cleanText, type Element } from '../../../extract/html/html.ts';
import { moneyFrom } from '../../../extract/money/money.ts';
import { fulfilmentFrom, type ProductDraft } from '../../../extract/product/product-draft.ts';
import { parseReviewCount } from '../../../extract/product/rating.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import { unwrapLink } from './google-links.ts';

export interface LeafOptions {
  url: string;
  usual?: string;
  rule: string;
  isSponsored: boolean;
}

const BARE_PRICE = /^(?:from |now )?[^\p{L}\d\s+-]{1,3}\s?\d[\d.,\u00a0 ]*$/iu;
const OVERLAY = /\boff\b|\bwith code\b|^(?:sale|low price|price drop|best price|sponsored|new|used|refurbished)$/i;
const REVIEWS = /^\(?[\d.,]+\s?[km]?\+?\)?$/i;
const MIN_TITLE_CHARS = 6;

const ORIGINS = prefixed('rule', {
  title: 'texts-before-the-price',
  seller: '=selector:card@aria-label',
  price: 'first-price-of-the-card',
  old_price: 'second-price-of-the-card',
  condition: 'words-of-the-card',
  fulfilment: 'words-of-the-card',
  review_count: 'count-in-brackets',
  merchant_link: '=selector:card@href',
  sponsored: '=selector:sponsored',
});

export function readLeaves(card: Element, { url, usual, rule, isSponsored }: LeafOptions): ProductDraft | null {
  const money = (shown: string) => moneyFrom(shown, usual === undefined ? {} : { usual });
  const pieces = leavesOf(card);
  const priceAt = pieces.findIndex((piece) => BARE_PRICE.test(piece) && money(piece) !== null);
  if (priceAt < 0) return null;
  const title = cleanText(
    pieces
      .slice(0, priceAt)
      .filter((piece) => !OVERLAY.test(piece))
      .join(' '),
  );
  const price = money(pieces[priceAt]!);
  if (title.length < MIN_TITLE_CHARS || !price) return null;
  const seller = /^From (.+)$/.exec(attr(card, 'aria-label') ?? '')?.[1] ?? null;
  const rest = pieces.slice(priceAt + 1);
  const old = rest.find((piece) => BARE_PRICE.test(piece));
  const reviews = parseReviewCount(rest.find((piece) => /\(/.test(piece) && REVIEWS.test(piece)));
  return {
    title,
    seller: { name: seller, id: null, domain: null },
    price,
    old_price: old === undefined ? null : money(old),
    condition: pieces.some((piece) => /^used$/i.test(piece))
      ? 'used'
      : pieces.some((piece) => /^refurbished$/i.test(piece))
        ? 'refurbished'
        : null,
    fulfilment: rest
      .filter((piece) => !OVERLAY.test(piece))
      .map((piece) => fulfilmentFrom(piece, price.currency))
      .filter((found) => found !== null),
    review_count: reviews?.count ?? null,
    review_count_is_rounded: reviews?.isRounded ?? false,
    merchant_link: unwrapLink(attr(card, 'href'), url),
    sponsored: isSponsored,
    origins: ORIGINS,
    parse: { rule, confidence: 0.6 },
  };
}

/** Texts of the elements that hold no other elements, in order. */
function leavesOf(card: Element): string[] {
  const leaves = all(card.children, '*').filter((element) => element.children.every((child) => child.type === 'text'));
  return leaves
    .map((leaf) => cleanText(leaf.children.map((child) => ('data' in child ? child.data : '')).join('')))
    .filter(Boolean);
}
