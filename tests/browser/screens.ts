// Every screen of the dashboard, for the checks that hold for all of them (screens.test.ts) and for the screenshots. A new screen is a row here.

export interface Example {
  name: string;
  path(known: Known): string;
  /** A CSS selector of what shows that it is complete. */
  ready: string;
}

/** What was made before, to have something to show. */
export interface Known {
  articles: string;
  search: string;
  cart: string;
}

export const EXAMPLES: readonly Example[] = [
  { name: 'overview', path: () => '/', ready: '.figures' },
  { name: 'new-search', path: () => '/ui/new', ready: '#field-search_term' },
  { name: 'new-articles', path: ({ articles }) => `/ui/new?from=${articles}`, ready: '#urls' },
  { name: 'new-company', path: () => '/ui/new?kind=company', ready: '#company-url' },
  { name: 'new-cart', path: () => '/ui/new?kind=cart', ready: '#zipcode' },
  { name: 'runs', path: () => '/ui/runs', ready: 'tbody tr' },
  { name: 'runs-empty', path: () => '/ui/runs?q=nothing-is-called-this', ready: '.empty' },
  { name: 'run-articles', path: ({ articles }) => `/ui/runs/${articles}`, ready: '.card' },
  { name: 'run-search', path: ({ search }) => `/ui/runs/${search}`, ready: '.card' },
  { name: 'run-cart', path: ({ cart }) => `/ui/runs/${cart}`, ready: '.card' },
  { name: 'run-tasks', path: ({ search }) => `/ui/runs/${search}?tab=tasks`, ready: 'tbody tr' },
  { name: 'run-request', path: ({ search }) => `/ui/runs/${search}?tab=request`, ready: '.copyable' },
  { name: 'run-unknown', path: () => '/ui/runs/job_000000000000', ready: '.problem' },
  { name: 'reference', path: () => '/docs', ready: '.reference-list a' },
  { name: 'reference-operation', path: () => '/docs?op=submitJob', ready: '.example' },
  { name: 'nowhere', path: () => '/ui/nowhere', ready: '.empty' },
];
