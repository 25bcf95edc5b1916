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
  { name: 'run-unknown', path: () => '/ui/runs/job_000000000000', ready: '.empty' },
  { name: 'postings', path: () => '/ui/data/postings?q=nurse', ready: 'tbody tr' },
  { name: 'postings-charts', path: () => '/ui/data/postings?view=charts', ready: '.ranking li' },
  { name: 'products', path: () => '/ui/data/products', ready: 'tbody tr' },
  { name: 'articles', path: () => '/ui/data/articles', ready: 'tbody tr' },
  { name: 'articles-none', path: () => '/ui/data/articles?q=nothing-is-called-this', ready: '.empty' },
  { name: 'sources', path: () => '/ui/sources', ready: 'tbody tr' },
  { name: 'source', path: () => '/ui/sources?open=article', ready: '.drawer .facts' },
  { name: 'schedules', path: () => '/ui/schedules', ready: 'tbody tr' },
  { name: 'schedule-new', path: () => '/ui/schedules?new=1', ready: 'dialog .next-times' },
  { name: 'companies', path: () => '/ui/companies', ready: 'tbody tr, .empty' },
  { name: 'company-new', path: () => '/ui/companies?new=1', ready: 'dialog' },
  { name: 'workers', path: () => '/ui/workers', ready: 'tbody tr' },
  { name: 'worker', path: () => '/ui/workers?open=nobody', ready: '.drawer .empty' },
  { name: 'dead-letters', path: () => '/ui/dead-letters', ready: '.letter-groups li' },
  { name: 'dead-letters-list', path: () => '/ui/dead-letters?source=article', ready: 'tbody tr' },
  { name: 'alerts', path: () => '/ui/alerts', ready: 'tbody tr, .empty' },
  { name: 'alert-new', path: () => '/ui/alerts?new=1', ready: 'dialog' },
  { name: 'webhooks', path: () => '/ui/webhooks', ready: 'tbody tr, .empty' },
  { name: 'webhook-new', path: () => '/ui/webhooks?new=1', ready: 'dialog' },
  { name: 'keys', path: () => '/ui/keys', ready: 'tbody tr, .empty' },
  { name: 'key-new', path: () => '/ui/keys?new=1', ready: 'dialog' },
  { name: 'settings', path: () => '/ui/settings', ready: '.settings' },
  { name: 'cart-form', path: () => '/cart', ready: '.cart-form' },
  { name: 'cart', path: ({ cart }) => `/cart/${cart}`, ready: '.products li' },
  { name: 'reference', path: () => '/docs', ready: '.reference-list a' },
  { name: 'reference-operation', path: () => '/docs?op=submitJob', ready: '.example' },
  { name: 'nowhere', path: () => '/ui/nowhere', ready: '.empty' },
];
