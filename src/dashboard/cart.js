// The page of a cart: its status and products, from the public API. Text from shops is shown as text, never as HTML.

const byId = (id) => document.getElementById(id);
/** Seconds the server may hold an answer back until another item is done. */
const WAIT_SECONDS = 5;
const RETRY_MS = 2_000;
const number = new Intl.NumberFormat('en');
const words = {
  queued: 'queued',
  processing: 'running',
  complete: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  not_found: 'not found',
};
const badges = {
  queued: '',
  processing: 'IN_PROGRESS',
  complete: 'COMPLETED',
  failed: 'FAILED',
  cancelled: '',
  not_found: 'FAILED',
};
/** What the fields of the API are called on this page. */
const FIELDS = { '/items': 'items', '/zipcode': 'ZIP code', '/max_products_per_item': 'products per item' };
let watched = null;

/** An element with text and children; never HTML. */
function make(name, { text, className, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Only http and https URLs become links. */
function titleOf({ title, link }) {
  const url = link && URL.canParse(link) ? new URL(link) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return make('span', { text: title });
  return make('a', { text: title, href: url.href, rel: 'noopener noreferrer nofollow', target: '_blank' });
}

function money(amount, currency) {
  if (amount === null || !currency) return '–';
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}

/** 75 → "about 1 min 15 s" */
function duration(seconds) {
  if (seconds < 60) return `about ${seconds} s`;
  return `about ${Math.floor(seconds / 60)} min${seconds % 60 ? ` ${seconds % 60} s` : ''}`;
}

function productRow(product) {
  const old = product.old_price === null ? [] : [make('s', { text: money(product.old_price, product.currency) })];
  const unit =
    product.unit_price === null ? '' : `${money(product.unit_price, product.currency)} / ${product.unit ?? 'each'}`;
  const rating =
    product.rating === null
      ? ''
      : `${product.rating} of 5${product.reviews ? ` (${number.format(product.reviews)})` : ''}`;
  return make(
    'tr',
    {},
    make('th', { scope: 'row' }, titleOf(product)),
    make(
      'td',
      { className: 'price' },
      make('strong', { text: product.price_text ?? money(product.price, product.currency) }),
      ...old,
    ),
    make('td', { text: unit }),
    make('td', { text: product.seller ?? '' }),
    make('td', { text: product.delivery ?? '' }),
    make('td', { text: rating }),
  );
}

function foundFor(item, products) {
  const title = make('h2', { text: item });
  if (products.length === 0)
    return make(
      'section',
      { className: 'card' },
      title,
      make('p', { className: 'empty', text: 'No offers found near this ZIP code.' }),
    );
  const columns = ['Product', 'Price', 'Unit price', 'Seller', 'Delivery', 'Rating'];
  const head = make('tr', {}, ...columns.map((text) => make('th', { text, scope: 'col' })));
  const table = make(
    'table',
    {},
    make('caption', { className: 'unseen', text: `Products for ${item}` }),
    make('thead', {}, head),
    make('tbody', {}, ...products.map(productRow)),
  );
  return make(
    'section',
    { className: 'card' },
    title,
    make('div', { className: 'wide', tabindex: '0', role: 'region', 'aria-label': `Products for ${item}` }, table),
  );
}

const failure = (item, error) =>
  make(
    'section',
    { className: 'card entry' },
    make('h2', { text: item }),
    make('p', { className: 'wrong', text: error }),
  );

/** An unfinished cart has its progress as text: "2/3 items completed". */
function countsOf(answer) {
  const [, done, total] = /^(\d+)\/(\d+)/.exec(answer.progress ?? '') ?? [];
  if (total !== undefined) return { done: Number(done), failed: 0, total: Number(total) };
  const found = Object.keys(answer.results ?? {}).length;
  const failed = Object.keys(answer.errors ?? {}).length;
  const isOver = answer.status !== 'queued' && answer.status !== 'processing';
  return {
    done: found,
    failed: answer.status === 'failed' ? 1 : failed,
    total: isOver ? Math.max(1, found + failed) : watched.total,
  };
}

function sentenceOf(answer) {
  if (answer.status === 'queued' && answer.estimated_time === null) return `Waiting: ${answer.waiting.message}`;
  if (answer.status === 'queued') {
    const ahead =
      answer.queue_position === 0
        ? 'Next in the queue'
        : `${number.format(answer.queue_position)} ${answer.queue_position === 1 ? 'cart' : 'carts'} ahead`;
    return `${ahead}, ${duration(answer.estimated_time)} (90 % of carts within ${duration(answer.estimated_time_p90).replace('about ', '')}).`;
  }
  if (answer.status === 'processing')
    return `${answer.progress}.${answer.waiting ? ` Waiting: ${answer.waiting.message}` : ''}`;
  if (answer.status === 'failed') return answer.error;
  if (answer.status === 'not_found') return 'This cart does not exist or has expired.';
  if (answer.status === 'complete')
    return `Results are kept until ${new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(new Date(answer.expires_at))}.`;
  return '';
}

function show(answer) {
  byId('state').hidden = false;
  byId('job').textContent = watched.id;
  const isPartial = answer.status === 'complete' && Object.keys(answer.errors ?? {}).length > 0;
  byId('badge').className = `badge ${badges[answer.status] ?? ''}${isPartial ? ' partial' : ''}`;
  byId('badge').textContent = isPartial ? 'partial' : (words[answer.status] ?? answer.status);
  byId('progress').textContent = sentenceOf(answer);
  const { done, failed, total } = countsOf(answer);
  const [doneBar, failedBar, restBar] = byId('bar').children;
  doneBar.style.flexGrow = done;
  failedBar.style.flexGrow = failed;
  restBar.style.flexGrow = Math.max(0, total - done - failed);
  byId('bar').setAttribute('aria-valuemax', total);
  byId('bar').setAttribute('aria-valuenow', done + failed);
  byId('products').replaceChildren(
    ...Object.entries(answer.results ?? {}).map(([item, products]) => foundFor(item, products)),
    ...Object.entries(answer.errors ?? {}).map(([item, error]) => failure(item, error)),
  );
}

async function watch(id, total) {
  const mine = { id, total };
  watched = mine;
  let tag;
  while (watched === mine) {
    try {
      const headers = tag ? { 'if-none-match': tag } : {};
      const reply = await fetch(`/results/${encodeURIComponent(id)}?wait=${tag ? WAIT_SECONDS : 0}`, { headers });
      if (watched !== mine) return;
      if (reply.status !== 304) {
        const answer = await reply.json();
        if (!answer.status || typeof answer.status === 'number') throw new Error(answer.detail ?? reply.statusText);
        tag = reply.headers.get('etag') ?? undefined;
        show(answer);
        if (answer.status !== 'queued' && answer.status !== 'processing') return;
      }
    } catch (error) {
      byId('progress').textContent = `Not connected (${error.message}). Retrying…`;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

byId('ask').addEventListener('submit', async (event) => {
  event.preventDefault();
  const says = byId('says');
  const button = event.target.querySelector('button');
  const lines = byId('items')
    .value.split('\n')
    .map((line, index) => ({ item: line.trim(), number: index + 1 }))
    .filter(({ item }) => item !== '');
  const items = lines.map(({ item }) => item);
  button.disabled = true;
  says.className = 'says';
  says.textContent = '';
  try {
    const reply = await fetch('/cart', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        items,
        zipcode: byId('zipcode').value.trim(),
        max_products_per_item: Number(byId('most').value),
      }),
    });
    const answer = await reply.json();
    if (!reply.ok) throw Object.assign(new Error(answer.detail ?? reply.statusText), { errors: answer.errors ?? [] });
    if (answer.reused.length > 0)
      says.textContent = `Already stored: ${answer.reused.map(({ item, age_seconds }) => `${item} (${age_seconds} s old)`).join(', ')}.`;
    history.replaceState(null, '', `#${answer.job_id}`);
    byId('products').replaceChildren();
    void watch(answer.job_id, items.length);
  } catch (error) {
    says.className = 'says bad';
    says.textContent = error.errors?.length ? 'Not valid:' : error.message;
    const wrong = (error.errors ?? []).slice(0, 10).map(({ pointer, detail }) => {
      const index = /^\/items\/(\d+)$/.exec(pointer)?.[1];
      const field = index === undefined ? (FIELDS[pointer] ?? pointer.slice(1)) : `line ${lines[index].number}`;
      return make('li', { text: `${field} ${detail}` });
    });
    if (wrong.length > 0) says.append(make('ul', {}, ...wrong));
  } finally {
    button.disabled = false;
  }
});

// The id of the cart is in the URL, for bookmarks and the back button.
function watchAddress() {
  if (location.hash.length > 1) void watch(location.hash.slice(1), 1);
}
addEventListener('hashchange', watchAddress);
watchAddress();
