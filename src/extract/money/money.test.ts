import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minorDigits } from '../../model/product/money.ts';
import { moneyFrom, parsePrice, toMinor } from './money.ts';

const read = (text: string | null, hint?: string, decimalSeparator?: string) => {
  const { amount, currency } = parsePrice(text, hint, { decimalSeparator });
  return [amount, currency];
};

test.each([
  ['$1,299.00', '1299.00', '$'],
  ['1.299,00 €', '1299.00', '€'],
  ["CHF 2'049,95", '2049.95', 'CHF'],
  ['12 345 Kč', '12345', 'Kč'],
  ['240.000 ₫', '240000', '₫'],
  ['₹1,23,456.50', '123456.50', '₹'],
  ['R$\u00a02.184,05', '2184.05', 'R$'],
  ['1.299.00 лв.', '1299.00', 'лв.'],
  ['0.125 €', '0.125', '€'],
  ['.75 €', '0.75', '€'],
  ['$219. 95', '219.95', '$'],
  ['$24 99', '24.99', '$'],
  ['240€33', '240.33', '€'],
  ['129 KR', '129', 'KR'],
  ['50,- €', '50', '€'],
  ['٣٬٤٣٩٫٥٠ درهم', '3439.50', 'درهم'],
  ['４，５００円', '4500', '円'],
  ['2150 рублей', '2150', 'руб'],
  ['R 499', '499', 'R'],
  ['From $159.00', '159.00', '$'],
  ['$15.95/mo', '15.95', '$'],
])('%s is %s in %s', (text, amount, currency) => {
  expect(read(text)).toEqual([amount, currency]);
});

test('the first of two prices counts, and a number beside a currency before one that only counts things', () => {
  expect(read('$281.40 $265.70')).toEqual(['281.40', '$']);
  expect(read('3 pieces for only 14,85 EUR')).toEqual(['14,85'.replace(',', '.'), 'EUR']);
  expect(read('12x de R$ 44,00 sem juros')).toEqual(['44.00', 'R$']);
  expect(read('50 - $2.00 100 - $2.75')).toEqual(['2.00', '$']);
});

test('percentages, dates, codes and thresholds of free shipping are no prices', () => {
  for (const text of [
    '40% OFF',
    '15.08.2027',
    '25-09',
    'Free shipping on orders over $49',
    'Price on request (min. 1)',
    '',
    null,
  ])
    expect(parsePrice(text).amount, String(text)).toBeNull();
});

test('free is nothing to pay', () => {
  expect(read('Free!')).toEqual(['0', null]);
  expect(read('Freezer')).toEqual([null, null]);
});

test('three digits behind one separator are thousands, unless the currency has three decimals or the caller knows', () => {
  expect(read('140.000')).toEqual(['140000', null]);
  expect(read('12.500 KD')).toEqual(['12.500', 'KD']);
  expect(read('12,500 KD')).toEqual(['12500', 'KD']);
  expect(read('45,000 DT')).toEqual(['45.000', 'DT']);
  expect(read('423.923', undefined, '.')).toEqual(['423.923', null]);
});

test('the hint names a currency the text does not, but does not overrule it', () => {
  expect(read('28', '$')).toEqual(['28', '$']);
  expect(read('899,00', 'Pris NOK 1 999,00')).toEqual(['899.00', 'NOK']);
  expect(read('3,20 €', '$')).toEqual(['3.20', '€']);
  expect(read('99.99', 'SKU: R ALL')).toEqual(['99.99', null]);
  expect(read(null, 'EUR')).toEqual([null, 'EUR']);
});

test('a code makes an ambiguous sign precise', () => {
  expect(parsePrice('$ 20.00', 'all prices in CAD').codes).toEqual(['CAD']);
  expect(parsePrice('SGD$4.90').codes).toEqual(['SGD']);
  expect(parsePrice('£54.17', 'USD').codes[0]).toBe('GBP');
});

test('letters are currencies only beside an amount', () => {
  expect(read('a partire da 7,32 € *')).toEqual(['7.32', '€']);
  expect(read('19.90', 'Direct TOP quality, try it all')).toEqual(['19.90', null]);
  expect(read('129 kr')).toEqual(['129', 'kr']);
});

test('what Intl writes is read back, whatever the language', () => {
  const locales = [
    'en-US',
    'de-DE',
    'fr-FR',
    'fr-CH',
    'pt-BR',
    'en-IN',
    'sv-SE',
    'pl-PL',
    'ru-RU',
    'ja-JP',
    'vi-VN',
    'ar-EG',
    'es-MX',
    'nb-NO',
    'hu-HU',
  ];
  const currencies = ['USD', 'EUR', 'GBP', 'JPY', 'INR', 'SEK', 'PLN', 'RUB', 'BRL', 'CHF', 'VND', 'HUF'];
  fc.assert(
    fc.property(
      fc.constantFrom(...locales),
      fc.constantFrom(...currencies),
      fc.integer({ min: 0, max: 2_000_000_000 }),
      (locale, currency, minor) => {
        const value = minor / 10 ** minorDigits(currency);
        const text = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value);
        const found = parsePrice(text);
        expect(found.codes, text).toContain(currency);
        expect(toMinor(found.amount, currency), text).toBe(minor);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ maxLength: 20 }),
      (text, hint) => void parsePrice(text, hint),
    ),
  );
});

test('minor units are exact where binary fractions are not', () => {
  expect(toMinor('0.29', 'USD')).toBe(29);
  expect(toMinor('1.005', 'USD')).toBe(101);
  expect(toMinor('1200', 'JPY')).toBe(1200);
  expect(toMinor('1.5', 'KWD')).toBe(1500);
  expect(toMinor('99999999999999999', 'USD')).toBeNull();
  expect(toMinor('-3', 'USD')).toBeNull();
});

test('money keeps the text as shown and takes the usual currency for an ambiguous sign', () => {
  expect(moneyFrom('Now  $3.97', { usual: 'USD' })).toEqual({ amount_minor: 397, currency: 'USD', text: 'Now $3.97' });
  expect(moneyFrom('$3.97', { usual: 'CAD' })?.currency).toBe('CAD');
  expect(moneyFrom('£3.97', { usual: 'USD' })?.currency).toBe('GBP');
  expect(moneyFrom('3.97', { usual: 'USD' })?.currency).toBe('USD');
  expect(moneyFrom('3.97')).toBeNull();
  expect(moneyFrom('see price in cart', { usual: 'USD' })).toBeNull();
});

test('cents are a hundredth', () => {
  expect(moneyFrom('22.1 ¢', { usual: 'USD' })).toEqual({ amount_minor: 22, currency: 'USD', text: '22.1 ¢' });
  expect(moneyFrom('79¢', { usual: 'USD' })?.amount_minor).toBe(79);
  expect(moneyFrom('85p', { usual: 'GBP' })?.amount_minor).toBe(85);
});

test('a page of numbers instead of a price costs no time', () => {
  // CPU, not the clock: the machine may be busy.
  const began = process.cpuUsage();
  parsePrice('1 $ 2 kr 3,4 '.repeat(50_000), '5 € '.repeat(50_000));
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
});
