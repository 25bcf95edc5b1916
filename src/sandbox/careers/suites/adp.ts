// ADP's career centers: a list in pages of 20 whatever is asked for, and a call per posting.
import type { Replica } from '../../replica.ts';
import { tokenOf } from '../guid.ts';
import { iso, json, numberIn, placeText, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import type { TruePosition } from '../truth.ts';

const PATH = '/mascsr/default/careercenter/public/events/staffing/v1/job-requisitions';
const PAGE_ROWS = 20;

export const adpId = (position: TruePosition): string => `9200${position.number}_1`;

export const adp: Replica = {
  name: 'adp',
  title: 'ADP Workforce Now career centers of made-up companies',
  hosts: ['workforcenow.adp.com'],
  examples: [
    {
      url: `https://workforcenow.adp.com${PATH}?cid=00000000-0000-0000-0000-000000000001&ccId=19000101_000001`,
      note: 'its name is spelled as a GUID',
    },
  ],
  handle(request) {
    if (!request.path.startsWith(PATH)) return undefined;
    const company = tokenOf(request.query.get('cid') ?? '');
    const refused = refusal(company, 'adp');
    if (refused) return refused;
    const positions = positionsFor(request, 'adp', company);
    const id = request.path.slice(PATH.length + 1);
    if (id !== '') {
      const position = positions.find((one) => adpId(one) === id);
      return position ? json({ ...row(position), ...rest(position) }) : json({ error: 'not found' }, 404);
    }
    const rows = withBadRows(company, positions.map(row), {
      untitled: { itemID: '1_1', requisitionTitle: null },
      nameless: { requisitionTitle: 'No id' },
    });
    const skip = numberIn(request.query.get('$skip'), 0);
    return json({
      jobRequisitions: rows.slice(skip, skip + PAGE_ROWS),
      meta: { startSequence: skip, totalNumber: rows.length },
    });
  },
};

const row = (position: TruePosition) => ({
  itemID: adpId(position),
  clientRequisitionID: String(position.number),
  requisitionTitle: position.title,
  postDate: iso(position.bornMs).replace('Z', '+00:00'),
  workLevelCode: {
    shortName: { full_time: 'Full Time', part_time: 'Part Time', contract: 'Contract', internship: 'Intern' }[
      position.type
    ],
  },
  requisitionLocations: [{ nameCode: { shortName: placeText(position.place).replace(',', ' ,') } }],
});

const rest = ({ pay, ...position }: TruePosition) => ({
  requisitionDescription: textHtml({ pay, ...position }),
  payGradeRange: pay && {
    minimumRate: { amountValue: pay.min, currencyCode: pay.currency },
    maximumRate: { amountValue: pay.max, currencyCode: pay.currency },
  },
  customFieldGroup: { codeFields: [{ nameCode: { codeValue: 'SalaryType' }, shortName: 'Yearly' }] },
});
