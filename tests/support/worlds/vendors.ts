// Every applicant-tracking system with a source and a replica: how a board of the sandbox is named, what its postings are called, and what the vendor does
// not say.
import { guidOf } from '../../../src/sandbox/careers/guid.ts';
import { uuid } from '../../../src/sandbox/careers/lever.ts';
import { jobviteId } from '../../../src/sandbox/careers/pages/jobvite.ts';
import { breezyId } from '../../../src/sandbox/careers/recruiting/breezy.ts';
import { jazzId } from '../../../src/sandbox/careers/recruiting/jazzhr.ts';
import { adpId } from '../../../src/sandbox/careers/suites/adp.ts';
import { phenomSeq } from '../../../src/sandbox/careers/suites/phenom.ts';
import type { TruePosition } from '../../../src/sandbox/careers/truth.ts';

export interface Vendor {
  source: string;
  /** The parameters that name a board. */
  board(token: string): Record<string, unknown>;
  idOf(position: TruePosition, token: string): string;
  /** What the vendor does not say, or says in its own way. */
  pay?: 'none' | 'with';
  department?: false;
  /** How a place is known by the vendor. */
  region?: false;
  type?: false;
  onsite?: 'unknown';
  /** Remote work shows nowhere, or only where it is for all days. */
  remote?: false;
  hybrid?: false;
  posted?: false;
  /** Rows have no way to lack an id. */
  nameless?: false;
}

const number = (position: TruePosition): string => String(position.number);
const hex = (n: number) => n.toString(16).toUpperCase();
export const VENDORS: readonly Vendor[] = [
  { source: 'greenhouse', board: (board) => ({ board }), idOf: (p) => String(4_000_000_000 + p.number), pay: 'none' },
  { source: 'greenhouse', board: (board) => ({ board, pay: true }), idOf: (p) => String(4_000_000_000 + p.number) },
  { source: 'lever', board: (site) => ({ site }), idOf: uuid },
  { source: 'ashby', board: (board) => ({ board }), idOf: uuid },
  {
    source: 'smartrecruiters',
    board: (company) => ({ company }),
    idOf: (p) => `7440${String(p.number).padStart(11, '0')}`,
    department: false,
  },
  {
    source: 'workday',
    board: (t) => ({ host: `${t}.wd5.myworkdayjobs.com`, site: 'External' }),
    nameless: false,
    idOf: (p) => `R-${p.number}`,
    pay: 'none',
    department: false,
    type: false,
  },
  {
    source: 'workable',
    board: (account) => ({ account }),
    idOf: (p) => hex(p.number).padStart(10, 'A'),
    pay: 'none',
    onsite: 'unknown',
    hybrid: false,
  },
  { source: 'recruitee', board: (company) => ({ company }), idOf: (p) => String(p.number) },
  { source: 'personio', board: (company) => ({ company }), idOf: (p) => String(p.number), remote: false },
  {
    source: 'teamtailor',
    board: (company) => ({ company }),
    idOf: (p) => String(p.number),
    pay: 'none',
    type: false,
    onsite: 'unknown',
  },
  { source: 'bamboohr', board: (company) => ({ company }), idOf: (p) => String(p.number) },
  { source: 'pinpoint', board: (company) => ({ company }), idOf: (p) => String(p.number), posted: false },
  { source: 'breezy', board: (company) => ({ company }), idOf: breezyId, onsite: 'unknown', hybrid: false },
  { source: 'gem', board: (board) => ({ board }), idOf: uuid },
  { source: 'rippling', board: (board) => ({ board }), idOf: uuid, onsite: 'unknown' },
  { source: 'jazzhr', board: (company) => ({ company }), idOf: jazzId, pay: 'none', remote: false },
  {
    source: 'paylocity',
    board: (token) => ({ board: guidOf(token) }),
    idOf: (p) => String(p.number),
    onsite: 'unknown',
    hybrid: false,
  },
  {
    source: 'oracle',
    board: (t) => ({ host: `${t}.fa.us2.oraclecloud.com`, site: 'CX_1' }),
    idOf: number,
    pay: 'none',
  },
  { source: 'phenom', board: (t) => ({ host: `${t}.phenom.example` }), idOf: phenomSeq, pay: 'none' },
  { source: 'eightfold', board: (t) => ({ host: `${t}.eightfold.ai` }), idOf: number, pay: 'none', type: false },
  {
    source: 'ukg',
    board: (t) => ({ host: 'recruiting.ultipro.com', tenant: 'ACM1000ACME', board: guidOf(t) }),
    idOf: uuid,
    type: false,
    pay: 'none',
  },
  { source: 'adp', board: (t) => ({ cid: guidOf(t) }), idOf: adpId, department: false, remote: false },
  {
    source: 'taleo',
    board: (t) => ({ host: `${t}.taleo.net`, section: 'ex' }),
    idOf: number,
    pay: 'none',
    department: false,
    type: false,
    remote: false,
  },
  {
    source: 'icims',
    board: (t) => ({ host: `careers-${t}.icims.com` }),
    idOf: number,
    department: false,
    onsite: 'unknown',
    hybrid: false,
    nameless: false,
  },
  {
    source: 'successfactors',
    board: (t) => ({ host: `${t}.successfactors.example` }),
    idOf: number,
    pay: 'none',
    department: false,
    type: false,
    remote: false,
  },
  {
    source: 'jobvite',
    board: (company) => ({ company }),
    idOf: jobviteId,
    department: false,
    onsite: 'unknown',
    hybrid: false,
  },
  {
    source: 'avature',
    board: (t) => ({ url: `https://${t}.avature.net/careers/SearchJobs` }),
    idOf: number,
    pay: 'none',
    department: false,
    type: false,
    remote: false,
  },
  { source: 'join', board: (company) => ({ company }), idOf: number },
  { source: 'gupy', board: (company) => ({ company }), idOf: number },
  { source: 'jobylon', board: (t) => ({ feed: guidOf(t) }), idOf: number, pay: 'none' },
  { source: 'jibe', board: (t) => ({ host: `${t}.jibe.example` }), idOf: number, pay: 'none', remote: false },
];
