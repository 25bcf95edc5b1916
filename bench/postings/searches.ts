// The searches both peers make: a hundred at once, so that a hundred requests are in flight.

export const PAGES_PER_SEARCH = 12;
const TERMS = [
  'engineer',
  'senior engineer',
  'manager',
  'senior',
  'lead',
  'principal engineer',
  'staff',
  'junior',
  'python',
  'excel',
];
const PLACES = [
  'Austin, TX',
  'Dallas, TX',
  'Seattle, WA',
  'Chicago, IL',
  'Boston, MA',
  'Denver, CO',
  'Atlanta, GA',
  'Miami, FL',
  'Phoenix, AZ',
  'Houston, TX',
];

export const searches = (): { search_term: string; location: string }[] =>
  TERMS.flatMap((search_term) => PLACES.map((location) => ({ search_term, location })));
