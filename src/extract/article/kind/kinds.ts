// The kinds of pages that are told apart.

/** What a page is for. `collection` is a page of products, `listing` one of anything else. */
export const PAGE_KINDS = ['article', 'documentation', 'forum', 'product', 'service', 'listing', 'collection'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];
