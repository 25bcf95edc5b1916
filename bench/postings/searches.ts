// The searches of this bench. `searches` are those that both peers make: a hundred at once, so that a hundred requests are in flight.

export const PAGES_PER_SEARCH = 8;
const list = (text: string): string[] => text.split('; ');
const TERMS = list(
  'engineer; senior engineer; manager; senior; lead; principal engineer; staff; junior; python; excel',
);
const MORE_TERMS = list(
  'developer; data; analyst; software; backend; frontend; designer; nurse; accountant; sales; warehouse; driver; support; teacher; product',
);
const PLACES = list(
  'Austin, TX; Dallas, TX; Seattle, WA; Chicago, IL; Boston, MA; Denver, CO; Atlanta, GA; Miami, FL; Phoenix, AZ; Houston, TX',
);
const MORE_PLACES = list(
  'San Francisco, CA; New York, NY; Portland, OR; Minneapolis, MN; Los Angeles, CA; Nashville, TN',
);

export interface Search {
  search_term: string;
  location: string;
}

const cross = (terms: string[], places: string[]): Search[] =>
  terms.flatMap((search_term) => places.map((location) => ({ search_term, location })));

export const searches = (): Search[] => cross(TERMS, PLACES);

/** Four hundred different ones. */
export const manySearches = (): Search[] => cross([...TERMS, ...MORE_TERMS], [...PLACES, ...MORE_PLACES]);
