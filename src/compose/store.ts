// The stores that the configuration asks for: the server behind DATABASE_URL, or an embedded one in the home folder; and where the files of evidence are kept.
import type { Config } from '../config.ts';
import { AppError } from '../model/errors.ts';
import { connectionError, serverAddress } from '../model/server/connection-error.ts';
import type { PartStatus } from '../observe/health.ts';
import { createCountSubmitted } from '../observe/metrics/accepted.ts';
import type { EvidenceKeepingLimits } from '../orchestrator/evidence/keep.ts';
import { createS3Files, type EvidenceFiles } from '../store/evidence/s3-files.ts';
import { limitStore } from '../store/limits.ts';
import { openStore, type Store } from '../store/store.ts';
import { refusingWhenFull } from './disk.ts';
import { awaitServer } from './process/await-server.ts';
import type { Role } from './process/role.ts';

const EMBEDDED_STOP_MS = 20_000;

export async function openConfiguredStore(role: Role): Promise<Store> {
  const { config, log, life } = role;
  const embedded = config.databaseUrl ? null : await startEmbeddedStore(role);
  const server = { server: 'PostgreSQL', setting: 'DATABASE_URL' } as const;
  const at = config.databaseUrl ? { ...server, url: config.databaseUrl } : null;
  // Once, however often opening is tried: a metric has one name.
  const onSubmitted = createCountSubmitted(role.metrics);
  const open = (): Promise<Store> =>
    openStore(
      {
        connection: config.databaseUrl ?? embedded!.connection,
        whyDown: () => embedded?.whyDown ?? null,
        max: config.databasePool,
        statementTimeoutMs: config.databaseStatementTimeoutSeconds * 1_000,
        lockTimeoutMs: config.databaseLockTimeoutSeconds * 1_000,
        onSubmitted,
        onError: (error) =>
          log.warn('store.connection_lost', { error: error.message, ...(at ? { address: serverAddress(at) } : {}) }),
      },
      (event, fields) => log.info(event, { ...fields }),
    ).catch((error: unknown) => Promise.reject(at ? connectionError(at, error) : error));
  const store = role.isPatient
    ? await awaitServer(open, {
        signal: life.signal,
        onWaiting: ({ message }) => log.warn('store.waiting', { error: message }),
      })
    : await open();
  life.own('store', () => store.close());
  return embedded ? refusingWhenFull(role, store) : store;
}

async function startEmbeddedStore({ config, log, life }: Role) {
  const { startEmbedded } = await import('../store/embedded/embedded.ts');
  const server = await startEmbedded({
    home: config.home,
    log: (event, fields) => log.info(event, { ...fields }),
    signal: life.signal,
    onLost: (error) => life.fail('embedded store', error),
  });
  life.own('embedded store', () => server.stop(), EMBEDDED_STOP_MS);
  return server;
}

/** Where the pages of failed attempts are; null: in the database. */
export function evidenceFiles(config: Config): EvidenceFiles | null {
  const place = config.evidenceStore;
  if (!place.startsWith('s3://')) return null;
  const { evidenceS3KeyId: accessKeyId, evidenceS3Secret: secretAccessKey, evidenceS3Endpoint: endpoint } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new AppError('invalid_config', `EVIDENCE_STORE=${place} needs EVIDENCE_S3_KEY_ID and EVIDENCE_S3_SECRET.`);
  const [bucket = '', ...prefix] = place.slice('s3://'.length).split('/');
  return createS3Files({
    bucket,
    prefix: prefix.join('/'),
    region: config.evidenceS3Region,
    accessKeyId,
    secretAccessKey,
    ...(endpoint ? { endpoint } : {}),
  });
}

/** How many of them are kept; null: none. */
export const evidenceLimits = (config: Config): EvidenceKeepingLimits | null =>
  config.evidenceStore === 'off'
    ? null
    : {
        days: config.evidenceRetentionDays,
        maxBytes: config.evidenceMaxBytes,
        perCause: config.evidencePerCause,
      };

/** Where the API reads what may be some seconds old: the replica behind DATABASE_READ_URL, while it can be used. */
export interface Reads {
  store: Store;
  health(): Promise<{ status: PartStatus; detail: string | null }>;
}

/** Null without a replica. */
export async function openReads(role: Role, primary: Store): Promise<Reads | null> {
  const { config, log, life } = role;
  const url = config.databaseReadUrl;
  if (!url) return null;
  const { openReplica, readingFrom } = await import('../store/replica/replica.ts');
  const address = serverAddress({ server: 'PostgreSQL', url });
  const replica = await openReplica({
    connection: url,
    max: config.databasePool,
    statementTimeoutMs: config.databaseStatementTimeoutSeconds * 1_000,
    lockTimeoutMs: config.databaseLockTimeoutSeconds * 1_000,
    maxLagMs: config.databaseReadLagSeconds * 1_000,
    primaryPosition: () => primary.walPosition(),
    onChange: ({ isUsed, detail }) =>
      isUsed ? log.info('replica.used', { address }) : log.warn('replica.not_used', { address, detail }),
  });
  life.own('replica', () => replica.close());
  const { isUsed, detail } = replica.state;
  if (!isUsed) log.warn('replica.not_used', { address, detail });
  return {
    store: readingFrom(
      primary,
      limitStore(replica.store, { limitMs: config.databaseAnswerMs }),
      () => replica.state.isUsed,
    ),
    health: async () => ({ status: replica.state.isUsed ? 'up' : 'degraded', detail: replica.state.detail }),
  };
}
