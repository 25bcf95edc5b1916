// Every applicant-tracking system with a source and a replica: how a board of the sandbox is named, what its postings are called, and what the vendor does
// not say.
import { guidOf } from '../../../src/sandbox/careers/guid.ts';
import { uuid } from '../../../src/sandbox/careers/lever.ts';
import { breezyId } from '../../../src/sandbox/careers/recruiting/breezy.ts';
import { jazzId } from '../../../src/sandbox/careers/recruiting/jazzhr.ts';
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
}

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
];
