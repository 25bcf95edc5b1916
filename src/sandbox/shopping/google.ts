// Google Shopping's results page as it has been drawn since 2024, as tiles since 2026, and as the grid before. It believes only a place that a
// right UULE names: without one no row is local. Unlike the real one, its robots.txt lets us in.
import { hash32 } from '../random.ts';
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { cityOf, dollars, escapeHtml, type Offer, offersOf, roughly } from './catalogue.ts';

export type GoogleLayout = 'grid-2024' | 'tiles-2026' | 'grid-2021';

export const google: Replica = {
  name: 'google-shopping',
  title: 'Google Shopping: products near a ZIP code in several layouts',
  hosts: ['www.google.com'],
  examples: [
    {
      url: 'https://www.google.com/search?udm=28&q=milk+near+zip+10001+nearby&hl=en&gl=us',
      note: 'results, no place named',
    },
    { url: 'https://www.google.com/search?udm=28&q=nothing+at+all', note: 'no results' },
    { url: 'https://www.google.com/search?tbm=shop&q=eggs', note: 'the layout before 2024' },
  ],
  handle(request) {
    if (request.path === '/robots.txt')
      return { status: 200, type: 'text/plain', body: 'User-agent: *\nAllow: /search\n', isStable: true };
    if (request.path !== '/search') return undefined;
    return results(request);
  },
};

function results({ query, seed, nowMs }: SandboxRequest): SandboxReply {
  const asked = query.get('q') ?? '';
  const item = asked.replace(/ near zip \d{5}(?: nearby)?$/i, '').trim();
  const zip = zipOf(query.get('uule'));
  const offers = offersOf(item, { seed, nowMs, zip });
  const layout = query.get('tbm') === 'shop' ? 'grid-2021' : layoutFor(item, seed);
  const body = offers.length === 0 ? nothingFound(asked) : DRAW[layout](offers);
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(asked)} - Google Shopping</title></head><body>
<form role="search" action="/search"><textarea name="q">${escapeHtml(asked)}</textarea></form>
<div class="yXu61c" aria-label="All filters."><span>Under $10</span><span>Nearby</span></div>
<div id="rso">${body}</div>${zip === null ? '' : `<div class="dfB0uf">Delivery to ${zip} · ${cityOf(zip, 0)}</div>`}
<div id="footcnt"><div id="fbar"><span>United States</span><a>Privacy</a><a>Terms</a><a>Cookies</a></div></div></body></html>`,
  };
}

/** Which of the two current layouts an item gets. */
export function layoutFor(item: string, seed: number): GoogleLayout {
  return hash32(`layout ${item.toLowerCase()}`, seed) % 8 === 7 ? 'tiles-2026' : 'grid-2024';
}

/** The ZIP a version 1 UULE names; null when its bytes are not right. */
export function zipOf(uule: string | null): string | null {
  if (!uule?.startsWith('w+')) return null;
  const bytes = Buffer.from(uule.slice(2), 'base64');
  const name = bytes.subarray(6).toString('utf8');
  const isRight =
    bytes.subarray(0, 5).equals(Buffer.from([0x08, 0x02, 0x10, 0x20, 0x22])) && bytes[5] === Buffer.byteLength(name);
  return isRight ? (/^(\d{5}),/.exec(name)?.[1] ?? null) : null;
}

const DRAW: Record<GoogleLayout, (offers: Offer[]) => string> = {
  'grid-2024': (offers) => `<ul class="dURPMd">${offers.map(gridCard).join('\n')}</ul>`,
  // Each offer is drawn twice, as on the real page.
  'tiles-2026': (offers) => offers.map((offer) => tile(offer, 'rwVHAc') + tile(offer, 'ropLT')).join('\n'),
  'grid-2021': (offers) => `<div class="sh-pr__product-results">${offers.map(oldCard).join('\n')}</div>`,
};

const lineOf = (offer: Offer): string => (offer.city === null ? offer.delivery : `In store, ${offer.city}`);

function gridCard(offer: Offer, index: number): string {
  const price = dollars(offer.priceMinor);
  const label = [
    `${offer.title}.  Current price: ${price}`,
    ...(offer.oldMinor === null ? [] : [`Was ${dollars(offer.oldMinor)}`]),
    offer.seller,
    ...(offer.isUsed ? ['Used'] : []),
    lineOf(offer),
    `Rated ${offer.rating} out of 5`,
    `${roughly(offer.reviews)} reviews`,
  ];
  const old =
    offer.oldMinor === null
      ? ''
      : `<span class="DoCHT" aria-label="Was ${dollars(offer.oldMinor)}">${dollars(offer.oldMinor)}</span>`;
  return `<li class="YBo8bb" role="listitem"><div class="LrTUQ" data-attrid="apg-product-result" data-cid="${offer.id}1" data-gid="${offer.id}2" data-oid="${offer.id}" data-iid="${offer.id}3" data-pid="" data-mid="${offer.sellerId}" data-rds="PC_${offer.id}2|PROD_PC_${offer.id}2" data-index="${index}">
<img class="VeBrne" id="dimg_${offer.id}" src="https://encrypted-tbn0.gstatic.com/shopping?q=${offer.id}" alt=""><div class="gkQHve SsM98d RmEs5b">${escapeHtml(offer.title)}</div>
<span class="lmQWe" aria-label="Current price: ${price}. ">${price}</span>${old}<span class="WJMUdc rw5ecc">${escapeHtml(offer.seller)}</span><span class="ybnj7e">${escapeHtml(lineOf(offer))}</span>
<span class="yi40Hd" aria-hidden="true">${offer.rating}</span><span class="z3HNkc" aria-label="Rated ${offer.rating} out of 5," role="img"></span><span class="RDApEe">(${roughly(offer.reviews)})</span>
<div jsname="ZvZkAe" class="njFjte" role="button" aria-label="${escapeHtml(label.join('. '))}."></div></div></li>`;
}

function tile(offer: Offer, name: string): string {
  const off = offer.oldMinor === null ? '' : `<span>${dollars(offer.oldMinor - offer.priceMinor)} off</span>`;
  const old = offer.oldMinor === null ? '' : `<span>${dollars(offer.oldMinor)}</span>`;
  return `<div class="${name}" aria-label="From ${escapeHtml(offer.seller)}">${off}<span>${escapeHtml(offer.title)}</span><span>${dollars(offer.priceMinor)}</span>${old}<span>${escapeHtml(offer.seller)}</span><span>${escapeHtml(lineOf(offer))}</span><span>(${roughly(offer.reviews)})</span></div>`;
}

function oldCard(offer: Offer): string {
  const old = offer.oldMinor === null ? '' : `<span class="zY3Xhe">${dollars(offer.oldMinor)}</span>`;
  const target = encodeURIComponent(`https://shop.example/p/${offer.id}?utm_source=google&ref=1`);
  return `<div class="sh-dgr__grid-result" data-docid="${offer.id}"><div class="sh-dgr__content"><a href="/shopping/product/${offer.id}?hl=en"><h3 class="tAxDx">${escapeHtml(offer.title)}</h3></a>
<span class="a8Pemb">${dollars(offer.priceMinor)}</span>${old}<a href="/url?q=${target}&sa=U&ved=0&usg=x"><div class="aULzUe">${escapeHtml(offer.seller)}</div></a><div class="vEjMR">${escapeHtml(lineOf(offer))}</div><span class="Rsc7Yb">${offer.rating}</span></div></div>`;
}

const nothingFound = (asked: string): string =>
  `<div class="mnr-c"><p>Your search - <b>${escapeHtml(asked)}</b> - did not match any shopping results.</p><p>Suggestions: Make sure that all words are spelled correctly.</p></div>`;
