// What others may ask of alerts.
import type { Pool } from 'pg';
import type { Notice } from '../../model/posting/notice.ts';
import { bindAll } from '../postgres/bind.ts';
import type { PostingFilter } from '../postings/posting-list.ts';
import { type AlertFile, type FileWriter, filesDue, writeFile } from './alert-files.ts';
import {
  type Alert,
  type AlertInput,
  type AlertSearch,
  alertMatches,
  countMatches,
  createAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  type Match,
  previewSearch,
  updateAlert,
} from './alerts.ts';
import { type Announced, announcePostings } from './announce.ts';

/** Alerts as people keep them, and what they have matched. */
export interface AlertStore {
  /** Null: there are as many as there may be. */
  createAlert(input: AlertInput, options: { max: number }): Promise<Alert | null>;
  /** Null when there is no such alert. What it has matched stays; another file begins with what comes from now on. */
  updateAlert(name: string, input: AlertInput, options: { newToken: boolean }): Promise<Alert | null>;
  /** Null when there is no such alert. */
  getAlert(name: string): Promise<Alert | null>;
  /** In the order they were made. `after`: the id of the last one of the page before. */
  listAlerts(options: { after: string | null; limit: number }): Promise<{ alerts: Alert[]; total: number }>;
  /** False when there was none. */
  deleteAlert(name: string): Promise<boolean>;
  /** What an alert has matched, newest first; postings that are not kept any more are left out. */
  alertMatches(name: string, options: { before: string | null; limit: number }): Promise<Match[]>;
  /** How many it has matched, of those that are kept. */
  countMatches(name: string): Promise<number>;
  /** What a search would have found: how many of the postings that are known, counted up to `max`, and the newest of them. */
  previewSearch(
    search: AlertSearch,
    filter: PostingFilter,
    options: { max: number; shown: number },
  ): Promise<{ count: number; newest: Notice[] }>;
}

/** Files that matches are written to. */
export interface AlertFileStore {
  /** Files of this folder that lack a match. Those that no folder has yet become this one's. */
  alertFilesDue(folder: string, limit: number): Promise<AlertFile[]>;
  /**
   * Writes the next matches; returns how many. Where the last writer died between writing and saying so, the file knows better than the store how far it is;
   * where the file was taken away, the store does.
   */
  writeAlertFile(options: AlertFile, writer: FileWriter, limit: number): Promise<number>;
}

/** New postings that nobody has heard of. */
export interface AnnouncementStore {
  /** Takes up to `batch` new postings and writes what alerts and webhooks hear of them, all in one transaction. */
  announcePostings(options: { batch: number }): Promise<Announced>;
}

export const alertStore = (pool: Pool): AlertStore & AlertFileStore & AnnouncementStore =>
  bindAll(pool, {
    createAlert,
    updateAlert,
    getAlert,
    listAlerts,
    deleteAlert,
    alertMatches,
    countMatches,
    previewSearch,
    alertFilesDue: filesDue,
    writeAlertFile: writeFile,
    announcePostings,
  });
