// Eightfold's two generations: companies called `locked-…` have the newer one, which lists ten at a time under other names.
import type { Replica, SandboxRequest } from '../../replica.ts';
import { json, numberIn, pageOf, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import { quirksOf, type TruePosition } from '../truth.ts';

const PCSX_ROWS = 10;

export const eightfold: Replica = {
  name: 'eightfold',
  title: 'Eightfold career sites of made-up companies',
  hosts: ['*.eightfold.ai'],
  examples: [
    {
      url: 'https://aldermoor.eightfold.ai/api/apply/v2/jobs?domain=aldermoor.com&start=0&num=10',
      note: 'a page of one board',
    },
  ],
  handle(request) {
    const company = request.host.split('.')[0]!;
    const isNew = quirksOf(company).locked;
    const refused = isNew ? undefined : refusal(company, 'eightfold');
    if (refused) return refused;
    const positions = positionsFor(request, 'eightfold', company);
    const id = /^\/api\/apply\/v2\/jobs\/(\d+)$/.exec(request.path)?.[1];
    if (id !== undefined) {
      const position = positions.find((one) => String(one.number) === id);
      return position
        ? json({ ...row(position, company), job_description: textHtml(position) })
        : json({ message: 'Not found' }, 404);
    }
    if (request.path === '/api/apply/v2/jobs')
      return isNew ? json({ message: 'Not authorized for PCSX' }, 403) : older(request, company, positions);
    if (request.path !== '/api/pcsx/search' || !isNew) return undefined;
    if (request.query.get('domain') !== `${company}.com`)
      return json({ status: 403, message: 'PCSX is not enabled for this user.' }, 403);
    const start = numberIn(request.query.get('start'), 0);
    const page = positions.slice(start, start + PCSX_ROWS).map((one) => newer(one));
    return json({ status: 200, data: { positions: page, count: positions.length } });
  },
};

function older({ query }: SandboxRequest, company: string, positions: TruePosition[]) {
  const rows = withBadRows(
    company,
    positions.map((one) => row(one, company)),
    {
      untitled: { id: 1, name: null },
      nameless: { name: 'No id' },
    },
  );
  const page = pageOf(company, rows, {
    offset: numberIn(query.get('start'), 0),
    limit: Math.min(20, numberIn(query.get('num'), 10)),
  });
  return json({ domain: `${company}.com`, positions: page.rows, count: page.total });
}

const placeOf = ({ place }: TruePosition) => `${place.city}, ${place.region}, ${place.country}`;

const row = (position: TruePosition, company: string) => ({
  id: position.number,
  name: position.title,
  location: placeOf(position),
  locations: [placeOf(position)],
  department: position.department,
  t_create: Math.floor(position.bornMs / 1_000),
  t_update: Math.floor(position.changedMs / 1_000),
  work_location_option: position.remote,
  canonicalPositionUrl: `https://${company}.eightfold.ai/careers/job/${position.number}`,
});

const newer = (position: TruePosition) => ({
  id: position.number,
  displayJobId: `R${position.number}`,
  name: position.title,
  locations: [placeOf(position)],
  department: position.department,
  postedTs: Math.floor(position.bornMs / 1_000),
  workLocationOption: position.remote,
  positionUrl: `/careers/job/${position.number}`,
});
