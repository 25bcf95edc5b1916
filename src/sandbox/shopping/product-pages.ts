// Pages of single products: /p/<item>/<nth> under shop.example, stated as JSON-LD, microdata or OpenGraph by the shop's name.
import type { Replica, SandboxRequest } from '../replica.ts';
import { escapeHtml, type Offer, offersOf } from './catalogue.ts';
import { html } from './replies.ts';

export const productPages: Replica = {
  name: 'product-pages',
  title: 'Product pages of shops, stated in three ways',
  hosts: ['shop.example', '*.shop.example'],
  examples: [
    { url: 'https://shop.example/p/milk/0', note: 'JSON-LD' },
    { url: 'https://micro.shop.example/p/milk/0', note: 'microdata' },
    { url: 'https://graph.shop.example/p/milk/0', note: 'OpenGraph' },
  ],
  handle(request) {
    const offer = offerAt(request.path, request);
    if (!offer)
      return request.path === '/about'
        ? html('<title>About us</title><h1>About us</h1><p>We sell things.</p>')
        : undefined;
    const draw = request.host.startsWith('micro.') ? microdata : request.host.startsWith('graph.') ? openGraph : jsonLd;
    return html(draw(offer, `${request.origin}${request.path}`));
  },
};

export function offerAt(path: string, { seed, nowMs }: Pick<SandboxRequest, 'seed' | 'nowMs'>): Offer | undefined {
  const [, item, nth] = /^\/p\/([\w-]+)\/(\d{1,3})$/.exec(path) ?? [];
  return item === undefined ? undefined : offersOf(item.replaceAll('-', ' '), { seed, nowMs, zip: null })[Number(nth)];
}

const price = (offer: Offer): string => (offer.priceMinor / 100).toFixed(2);

function jsonLd(offer: Offer, url: string): string {
  const related = { '@type': 'Product', name: 'Seen by others', offers: { price: '1.00', priceCurrency: 'USD' } };
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: offer.title,
    url,
    brand: { '@type': 'Brand', name: offer.brand },
    gtin13: offer.gtin,
    aggregateRating: { ratingValue: offer.rating, reviewCount: offer.reviews },
    offers: {
      '@type': 'Offer',
      price: price(offer),
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      seller: { name: offer.seller },
    },
  };
  const script = (value: unknown) =>
    `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
  return `<!doctype html><html><head><title>${escapeHtml(offer.title)}</title><link rel="canonical" href="${url}">${script(related)}${script(product)}</head><body><h1>${escapeHtml(offer.title)}</h1></body></html>`;
}

function microdata(offer: Offer): string {
  return `<!doctype html><html><head><title>Shop</title></head><body><div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">${escapeHtml(offer.title)}</h1><span itemprop="brand">${escapeHtml(offer.brand)}</span>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="USD">$<span itemprop="price">${price(offer)}</span><link itemprop="availability" href="https://schema.org/InStock"></div></div></body></html>`;
}

function openGraph(offer: Offer, url: string): string {
  const meta = (name: string, value: string) => `<meta property="${name}" content="${escapeHtml(value)}">`;
  return `<!doctype html><html><head><title>Shop</title>${meta('og:type', 'product')}${meta('og:title', offer.title)}${meta('og:url', url)}${meta('product:price:amount', price(offer))}${meta('product:price:currency', 'USD')}${meta('product:availability', 'in stock')}</head><body></body></html>`;
}
