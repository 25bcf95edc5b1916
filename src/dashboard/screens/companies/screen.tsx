// Companies: whose career pages are watched, what was found last, and adding one by its address.

import type { Schemas } from '../../../client/routes.generated.ts';
import { queryParam, withQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { useList } from '../../live/use-list.ts';
import { OPEN_PARAM, openHref } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ChoiceFilter, queryOf, TextFilter } from '../../parts/form/filters.tsx';
import { Icon } from '../../parts/icon.tsx';
import { List } from '../../parts/list-screen.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, plural } from '../../parts/text/words.ts';
import { attempt, toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import { AddCompany } from './add.tsx';
import { CompanyDrawer } from './company.tsx';
import './companies.css';

export type Company = Schemas['Company'];

const COLUMNS: readonly Column<Company>[] = [
  { key: 'name', title: 'Company', isWide: true, cell: ({ name }) => <span class="cut">{name}</span> },
  { key: 'system', title: 'System', cell: ({ scraping_config }) => scraping_config.scraper_type },
  {
    key: 'health',
    title: 'Health',
    cell: ({ active, health }) =>
      active ? (
        <Status status={health} label={health === 'unknown' ? 'not scraped yet' : health} />
      ) : (
        <Status status="paused" label="off" />
      ),
  },
  { key: 'positions', title: 'Open positions', isNumber: true, cell: ({ positions }) => count(positions) },
  {
    key: 'session',
    title: 'Last scrape',
    cell: ({ last_session }) =>
      last_session ? <Status status={last_session.status} /> : <span class="quiet nothing">–</span>,
  },
  {
    key: 'when',
    title: 'When',
    isNumber: true,
    cell: ({ last_session }) => <Time at={last_session?.finished_at ?? last_session?.started_at} />,
  },
  {
    key: 'error',
    title: 'Error',
    isExtra: true,
    cell: ({ last_session }) => <span class="text-bad">{last_session?.error ?? ''}</span>,
  },
  { key: 'website', title: 'Website', isExtra: true, cell: ({ website }) => website ?? null },
  { key: 'added', title: 'Added', isNumber: true, isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Screen() {
  const companies = useList(
    'GET /companies',
    { query: { ...(queryOf(['q', 'active']) as object), limit: 100 } },
    {
      every: 10,
      listOf: (reply) => reply.companies,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ id }: Company) => id,
    },
  );
  const open = queryParam(OPEN_PARAM);
  const scrapeAll = () =>
    attempt(async () => {
      const { data } = await call('POST /companies/scrape', { body: {} });
      toast(`Scraping ${plural(data.companies, 'company', 'companies')}.`, {
        href: `/ui/runs/${encodeURIComponent(data.run_id)}`,
        label: 'Open the run',
      });
    });
  return (
    <>
      <div class="page-head">
        <h1>Companies</h1>
        <span class="grow" />
        {may('submit') && (
          <>
            {companies.rows.length > 0 && (
              <button type="button" class="button" onClick={() => void scrapeAll()}>
                <Icon name="play" /> Scrape all
              </button>
            )}
            <a class="button primary" href={withQuery({ new: '1', [OPEN_PARAM]: null })}>
              <Icon name="plus" /> Add company
            </a>
          </>
        )}
      </div>
      <search class="filters">
        <TextFilter param="q" label="Search companies" placeholder="acme" isMain />
        <ChoiceFilter
          param="active"
          label="Show"
          options={[
            ['true', 'Scraped'],
            ['false', 'Switched off'],
          ]}
        />
      </search>
      <List
        label="Companies"
        list={companies}
        columns={COLUMNS}
        hrefOf={({ id }) => openHref(id)}
        openKey={open}
        empty={
          queryParam('q') || queryParam('active') ? (
            <Empty icon="filter" title="No company matches">
              <a href="/ui/companies">Show all companies</a>
            </Empty>
          ) : (
            <Empty
              icon="company"
              title="No companies yet"
              commands={[
                `curl ${location.origin}/companies -H 'content-type: application/json' \\\n  -d '{"name":"Acme","scraping_config":{"scraper_type":"greenhouse","board":"acme"}}'`,
              ]}
            >
              Add one by the address of its career page: the system behind it is recognised.
            </Empty>
          )
        }
      />
      {open !== null && <CompanyDrawer key={open} id={open} onChange={companies.reload} />}
      {queryParam('new') !== null && <AddCompany onAdded={companies.reload} />}
    </>
  );
}
