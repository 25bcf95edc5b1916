// A product as the contract shows it, for the documentation.
export const PRODUCT_EXAMPLE = {
  title: 'Whole Milk, 1 gal',
  price: 4.29,
  currency: 'USD',
  price_text: '$4.29',
  old_price: null,
  unit_price: 3.35,
  unit: 'fl oz',
  seller: 'Corner Grocery',
  link: 'https://shop.example/milk',
  image: null,
  rating: 4.6,
  reviews: 210,
  delivery: 'In store today',
  product_id: '1234567890',
  zipcode: '10001',
  scraped_at: '2024-01-01T00:00:00.000Z',
};
