// `windrow products …`: stored products.
import { cell, itemCommand } from './item-lists.ts';

export const make = () =>
  itemCommand({
    name: 'products',
    about: 'Stored products of all carts, as last seen.',
    examples: [
      ['windrow products list --q milk --zipcode 10001 --sort price', 'the cheapest first'],
      ['windrow products list --seller walmart --csv', 'all matches as CSV'],
    ],
    sorts: ['scraped_at', 'price'],
    head: ['SEEN', 'PRICE', 'SELLER', 'ZIP CODE', 'TITLE'],
    row: (one) => [
      cell(one.scraped_at).slice(0, 10),
      one.price === null ? '' : `${cell(one.price)} ${cell(one.currency)}`,
      cell(one.seller),
      cell(one.zipcode),
      cell(one.title),
    ],
  });
