// The same product in other shops, the cheapest first: offers with the same name near the same place.
import type { Schemas } from '../../../client/routes.generated.ts';
import { useAnswer } from '../../live/answers.ts';
import { Bar } from '../../parts/chart/bar.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { money, unitPriceText } from '../../parts/text/money.ts';
import { shorten } from '../../parts/text/words.ts';

type Row = Schemas['ListedProduct'];

const OFFERS_MAX = 50;
const plain = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export function Offers({ row }: { row: Row }) {
  const answer = useAnswer(
    'GET /products',
    {
      query: {
        q: `"${plain(row.title).slice(0, 200)}"`,
        sort: 'price',
        limit: OFFERS_MAX,
        ...(row.zipcode ? { zipcode: row.zipcode } : {}),
        ...(row.currency ? { currency: row.currency } : {}),
      },
    },
    { every: 0 },
  );
  const found = (answer.data as { products: Row[] } | null)?.products ?? [];
  const offers = found.filter(({ title, price }) => price !== null && plain(title) === plain(row.title));
  const highest = Math.max(...offers.map(({ price }) => price ?? 0));
  if (offers.length < 2) return null;
  return (
    <section>
      <h3>The same in {offers.length} offers</h3>
      <p class="quiet small">Offers with this name{row.zipcode && ` near ${row.zipcode}`}, the cheapest first.</p>
      <ul class="offers">
        {offers.map((offer) => (
          <li key={`${offer.source} ${offer.product}`} class={offer.product === row.product ? 'here' : ''}>
            <span class="cut">
              {offer.link ? (
                <WebLink href={offer.link}>{shorten(offer.seller ?? offer.source, 40)}</WebLink>
              ) : (
                shorten(offer.seller ?? offer.source, 40)
              )}
            </span>
            <Bar
              label={money(offer.price, offer.currency) ?? ''}
              total={highest}
              parts={[{ value: offer.price ?? 0, tone: offer.product === row.product ? 'active' : 'quiet' }]}
            />
            <span>
              <b>{money(offer.price, offer.currency)}</b> <span class="quiet small">{unitPriceText(offer)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
