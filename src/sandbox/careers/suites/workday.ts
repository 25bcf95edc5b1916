// Workday's CXS endpoints: POST lists of 20, never more than 2,000 of a query, totals on the first page only, rows without a title, facets
// one inside another.
import { z } from 'zod';
import type { Replica, SandboxReply, SandboxRequest } from '../../replica.ts';
import { day, iso, json, positionsFor, refusal, textHtml } from '../replies.ts';
import { companyName, exists, quirksOf, type TruePosition } from '../truth.ts';

const CAP = 2_000;
const PAGE_ROWS = 20;
const DAY_MS = 86_400_000;

const Query = z.object({
  appliedFacets: z.record(z.string(), z.array(z.string())).default({}),
  limit: z.number().int(),
  offset: z.number().int().min(0),
  searchText: z.string().default(''),
});

const FACETS: Record<string, (position: TruePosition) => string> = {
  jobFamilyGroup: (position) => position.department,
  locations: (position) => position.place.city,
};

export const workday: Replica = {
  name: 'workday',
  title: 'Workday career sites of made-up companies',
  hosts: ['*.myworkdayjobs.com', '*.myworkdaysite.com'],
  examples: [
    {
      url: 'https://fennimore.wd5.myworkdayjobs.com/External',
      note: 'POST /wday/cxs/fennimore/External/jobs lists it',
    },
  ],
  async handle(request) {
    const isShared = request.host.endsWith('.myworkdaysite.com');
    const named = /^\/wday\/cxs\/([\w-]+)\//.exec(request.path)?.[1];
    const tenant = isShared ? (named ?? '') : request.host.split('.')[0]!;
    // A name with underscores is served from one with hyphens, and answers to its own.
    const own = tenant.startsWith('under-') ? tenant.replaceAll('-', '_') : tenant;
    if (request.path === '/robots.txt')
      return {
        status: 200,
        type: 'text/plain',
        body: `User-agent: *\nSitemap: https://${request.host}/External/siteMap.xml\n`,
      };
    const [, site, rest = ''] = new RegExp(`^/wday/cxs/${own}/([\\w-]+)(/.*)$`).exec(request.path) ?? [];
    if (site === undefined)
      return named === undefined ? undefined : json({ errorCode: 'HTTP_422', message: 'invalid tenant' }, 422);
    // Tenants name their sites as they like, and so may whoever tries the sandbox.
    if (!exists(tenant) || !exists(site)) return json({ errorCode: 'HTTP_422', message: 'invalid site' }, 422);
    const refused = refusal(tenant, 'workday');
    if (refused) return refused;
    const positions = positionsFor(request, 'workday', tenant);
    return rest === '/jobs'
      ? list(request, tenant, positions)
      : detail(request, { tenant, site, path: rest }, positions);
  },
};

async function list(request: SandboxRequest, tenant: string, positions: TruePosition[]): Promise<SandboxReply> {
  if (request.method !== 'POST') return { ...json({}, 303), headers: {} };
  const query = Query.safeParse(JSON.parse(await request.readBody()));
  if (!query.success || query.data.limit > PAGE_ROWS) return json({ errorCode: 'HTTP_400' }, 400);
  const { appliedFacets, offset, limit } = query.data;
  const chosen = positions.filter((position) =>
    Object.entries(appliedFacets).every(([name, ids]) => ids.includes(idOf(FACETS[name]?.(position) ?? ''))),
  );
  const capped = chosen.slice(0, CAP);
  const rows: unknown[] = capped.slice(offset, offset + limit).map((position) => row(position, request.nowMs));
  if (offset === 0 && quirksOf(tenant).untitledRow) rows.push({ bulletFields: ['R-99999999'] });
  return json({
    total: offset === 0 ? capped.length + (quirksOf(tenant).untitledRow ? 1 : 0) : 0,
    jobPostings: rows,
    facets: [
      { facetParameter: 'jobFamilyGroup', descriptor: 'Job Category', values: counts(chosen, 'jobFamilyGroup') },
      {
        facetParameter: 'locationMainGroup',
        values: [{ facetParameter: 'locations', descriptor: 'Location', values: counts(chosen, 'locations') }],
      },
    ],
    userAuthenticated: false,
  });
}

const idOf = (value: string) => Buffer.from(value).toString('hex').padEnd(12, '0');

function counts(positions: readonly TruePosition[], facet: string) {
  const groups = Map.groupBy(positions, (position) => FACETS[facet]?.(position) ?? '');
  return [...groups].map(([descriptor, of]) => ({ descriptor, id: idOf(descriptor), count: of.length }));
}

const slug = (text: string) => text.replace(/[^A-Za-z0-9]/g, '-');
const requisition = (position: TruePosition) => `R-${position.number}`;
const pathOf = (position: TruePosition) =>
  `/job/${slug(position.place.city)}/${slug(position.title)}_${requisition(position)}`;

function row(position: TruePosition, nowMs: number) {
  return {
    title: position.title,
    externalPath: pathOf(position),
    locationsText: position.number % 7 === 0 ? '2 Locations' : position.place.city,
    postedOn: postedOn(nowMs - position.bornMs),
    bulletFields: [requisition(position)],
  };
}

function postedOn(ageMs: number): string {
  const days = Math.floor(ageMs / DAY_MS);
  if (days === 0) return 'Posted Today';
  if (days === 1) return 'Posted Yesterday';
  return days >= 30 ? 'Posted 30+ Days Ago' : `Posted ${days} Days Ago`;
}

function detail(
  request: SandboxRequest,
  { tenant, site, path }: { tenant: string; site: string; path: string },
  positions: TruePosition[],
): SandboxReply {
  const position = positions.find((one) => pathOf(one) === path);
  if (position === undefined) return json({ errorCode: 'S22', message: 'not available' }, 403);
  const { place } = position;
  return json({
    jobPostingInfo: {
      id: iso(position.bornMs),
      title: position.title,
      jobDescription: textHtml(position),
      location: place.city,
      additionalLocations: position.number % 7 === 0 ? ['Dublin'] : [],
      postedOn: postedOn(request.nowMs - position.bornMs),
      startDate: day(position.bornMs),
      timeType: position.type === 'part_time' ? 'Part time' : 'Full time',
      remoteType: { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On-Site' }[position.remote],
      jobReqId: requisition(position),
      jobPostingSiteId: site,
      country: { descriptor: place.country, id: '1' },
      jobRequisitionLocation: {
        descriptor: place.city,
        country: { descriptor: place.country, alpha2Code: place.countryCode },
      },
      canApply: true,
      posted: true,
      externalUrl: `https://${request.host}/${site}${path}`,
    },
    hiringOrganization: { name: `${companyName(tenant)} Holdings Ltd`, url: '' },
    similarJobs: [],
  });
}
