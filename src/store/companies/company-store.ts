// Interfaces of the store for companies, their positions and sessions.
import type { Pool } from 'pg';
import type { CompanyFilter } from '../../model/company/company.ts';
import { bindAll } from '../postgres/bind.ts';
import {
  activeCompanies,
  type Company,
  type CompanyInput,
  type CompanyState,
  companyStates,
  createCompany,
  deleteCompany,
  getCompany,
  listCompanies,
  saveCompanies,
  updateCompany,
} from './companies.ts';
import { progressSession, unfinishedSessions } from './large-boards.ts';
import {
  closeStale,
  getPosition,
  listPositions,
  openExternalIds,
  type Position,
  type PositionEvent,
  type PositionQuery,
  readPositions,
} from './positions.ts';
import {
  type Ended,
  endedSessions,
  failOrphanSessions,
  failSession,
  listSessions,
  type Session,
  type SettledSession,
  settleSession,
} from './sessions.ts';

/** Companies. */
export interface CompanyStore {
  /** Those that are active, by name; all without a filter. */
  activeCompanies(filter?: CompanyFilter): Promise<Company[]>;
  /** Open positions, last session and health, by id. */
  companyStates(ids: readonly string[]): Promise<Map<string, CompanyState>>;
  /** By id or, in any case, by name. */
  getCompany(idOrName: string): Promise<Company | null>;
  /** By name, whatever its case. `after`: the place of the last one of the page before. */
  listCompanies(options: {
    active: boolean | null;
    q: string | null;
    after: string | null;
    limit: number;
  }): Promise<{ companies: Company[]; total: number }>;
  /** Rejects with `name_taken` when there is one of that name. */
  createCompany(input: CompanyInput): Promise<Company>;
  /** Null when there is no such company. */
  updateCompany(id: string, input: CompanyInput): Promise<Company | null>;
  /** Creates companies, or changes those of the same name, all in one statement; says which by name. Names have to differ. */
  saveCompanies(inputs: CompanyInput[]): Promise<Map<string, 'created' | 'updated' | 'unchanged'>>;
  /** With its positions and sessions. False when there was none. */
  deleteCompany(id: string): Promise<boolean>;
}

/** Positions over time. */
export interface PositionStore {
  /** A page, and how many there are. */
  listPositions(listQuery: PositionQuery): Promise<{ positions: Position[]; total: number }>;
  /** Newest first. */
  readPositions(listQuery: PositionQuery): Promise<Position[]>;
  /** One position with its history, oldest first. */
  getPosition(id: string): Promise<{ position: Position; events: PositionEvent[] } | null>;
  /** External ids of open positions, which an incremental scrape need not fetch. Closed ones are left out, or they could never reopen. */
  openExternalIds(companyIds: string[]): Promise<Map<string, string[]>>;
  /** Closes up to `limit` positions that no scrape has seen for so many days; returns how many. Age is told by the database's clock. */
  closeStale(options: { days: number; limit: number }): Promise<number>;
}

/** Scrapes of companies. */
export interface SessionStore {
  /** Newest first. */
  listSessions(options: {
    companyId: string | null;
    runId: string | null;
    after: [place: string, id: string] | null;
    limit: number;
    owner: string | null;
  }): Promise<{ sessions: Session[]; total: number }>;
  /** Sessions whose task has ended, oldest first. One query for many: a query for each of thousands would cost more than settling them. */
  endedSessions(limit: number): Promise<Ended[]>;
  /** Null when someone else has settled it, or is about to. */
  settleSession(session: Ended): Promise<SettledSession | null>;
  /** Running sessions of which parts of the result are stored. */
  unfinishedSessions(limit: number): Promise<string[]>;
  /** Makes positions of what a running session has found until now, some hundred at a time; answers with where the next step begins, null when nothing is left. */
  progressSession(id: string, from: number | null): Promise<number | null>;
  /** A session that cannot be settled ends as failed: it must neither stay forever nor be tried every second. */
  failSession(id: string, reason: string): Promise<void>;
  /** Ends sessions whose run was cancelled while another run continues the task: they will get no outcome. */
  failOrphanSessions(): Promise<number>;
}

export const companyStore = (pool: Pool): CompanyStore & PositionStore & SessionStore =>
  bindAll(pool, {
    activeCompanies,
    companyStates,
    getCompany,
    listCompanies,
    createCompany,
    updateCompany,
    saveCompanies,
    deleteCompany,
    listPositions,
    readPositions,
    getPosition,
    openExternalIds,
    closeStale,
    listSessions,
    endedSessions,
    settleSession,
    failSession,
    failOrphanSessions,
    unfinishedSessions,
    progressSession,
  });
