import { expect, test } from 'vitest';
import { shopMoney } from './shop-money.ts';

test('an amount has the decimals of its currency', () => {
  expect(shopMoney(4.5, 'USD')).toEqual({ amount_minor: 450, currency: 'USD', text: '$4.50' });
  expect(shopMoney('500', 'JPY')).toMatchObject({ amount_minor: 500, currency: 'JPY' });
});

test.each(['', 'usd', 'US dollars', 'U$D', 'A'.repeat(100_000)])(
  '%.10s is no currency, so there is no price',
  (said) => {
    expect(shopMoney(4.5, said)).toBeNull();
    expect(shopMoney('4.5', said)).toBeNull();
  },
);
