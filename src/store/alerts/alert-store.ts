// Interfaces of the store for alerts.
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

/** Alerts and their matches. */
export interface AlertStore {
  /** Null: the maximum number is reached. */
  createAlert(input: AlertInput, options: { max: number; owner: string | null }): Promise<Alert | null>;
  /** Null when there is no such alert. Its matches stay; a new file begins with the next match. */
  updateAlert(name: string, input: AlertInput, options: { newToken: boolean }): Promise<Alert | null>;
  /** Null when there is no such alert. */
  getAlert(name: string): Promise<Alert | null>;
  /** In the order they were made. `after`: the id of the last one of the page before. */
  listAlerts(options: {
    after: string | null;
    limit: number;
    owner: string | null;
  }): Promise<{ alerts: Alert[]; total: number }>;
  /** False when there was none. */
  deleteAlert(name: string): Promise<boolean>;
  /** Matches of an alert, newest first; deleted postings are left out. */
  alertMatches(name: string, options: { before: string | null; limit: number }): Promise<Match[]>;
  /** Number of its matches whose postings still exist. */
  countMatches(name: string): Promise<number>;
  /** Preview of a search: the number of stored postings it matches, counted up to `max`, and the newest of them. */
  previewSearch(
    search: AlertSearch,
    filter: PostingFilter,
    options: { max: number; shown: number },
  ): Promise<{ count: number; newest: Notice[] }>;
}

/** Files that matches are written to. */
export interface AlertFileStore {
  /** Files of this folder with matches to write. Files without a folder get this one. */
  alertFilesDue(folder: string, limit: number): Promise<AlertFile[]>;
  /**
   * Writes the next matches; returns how many. If the last writer crashed after writing, the file is further than the store says; if the file was deleted,
   * the store decides.
   */
  writeAlertFile(options: AlertFile, writer: FileWriter, limit: number): Promise<number>;
}

/** New postings that are not announced yet. */
export interface AnnouncementStore {
  /** Takes up to `batch` new postings and writes their alert matches and webhook events, all in one transaction. */
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
