// How keys look outside. The key itself is only in the replies that make one.
import { z } from 'zod';
import { type ApiKey, DEFAULT_OWNER, keyStatus, OWNER, SCOPES } from '../../model/key/key.ts';
import { nameSchemas } from '../validation/named.ts';

const Name = z.string().min(1).max(100).meta({ description: 'What it is for.' });
const RequestsPerMinute = z.int().min(1).max(1_000_000).nullable().meta({
  description: 'Requests per minute; null: API_RATE_LIMIT.',
});
const MaxOpenTasks = z.int().min(1).max(100_000_000).nullable().meta({
  description:
    'Tasks of its owner that may wait or run at the same time; null: OWNER_MAX_OPEN_TASKS. If several keys of an owner have one, the largest counts.',
});
const MaxTasksPerDay = z.int().min(1).max(1_000_000_000).nullable().meta({
  description:
    'Tasks that its owner may ask for in a day (UTC); null: OWNER_MAX_TASKS_PER_DAY. If several keys of an owner have one, the largest counts.',
});
const ExpiresAt = z.string().max(40).nullable().meta({ description: 'When it stops working; null: never.' });

export const KeyBody = z.strictObject({
  name: Name,
  owner: z.string().regex(OWNER).default(DEFAULT_OWNER).meta({
    description: 'Whose it is: runs, schedules, webhooks and alerts belong to the owner of the key that made them.',
  }),
  scope: z.enum(SCOPES).meta({
    description: '`submit` includes `read`, `admin` includes both and sees the data of all owners.',
  }),
  expires_at: ExpiresAt.optional(),
  requests_per_minute: RequestsPerMinute.optional(),
  max_open_tasks: MaxOpenTasks.optional(),
  max_tasks_per_day: MaxTasksPerDay.optional(),
});

export const KeyPatch = z.strictObject({
  name: Name.optional(),
  expires_at: ExpiresAt.optional(),
  requests_per_minute: RequestsPerMinute.optional(),
  max_open_tasks: MaxOpenTasks.optional(),
  max_tasks_per_day: MaxTasksPerDay.optional(),
});

/** How long the old key works after a rotation, unless said. */
export const GRACE_SECONDS = 86_400;
export const RotateKeyBody = z
  .strictObject({
    grace_seconds: z
      .int()
      .min(0)
      .max(30 * 86_400)
      .optional()
      .meta({ description: 'How long the old key still works. Default: a day.' }),
  })
  .nullable();

export const KeyView = z.object({
  id: z.string(),
  prefix: z.string().meta({ description: 'How the key begins.' }),
  name: z.string(),
  owner: z.string(),
  scope: z.enum(SCOPES),
  status: z.enum(['active', 'expired', 'revoked']),
  requests_per_minute: z.number().int().nullable(),
  max_open_tasks: z.number().int().nullable(),
  max_tasks_per_day: z.number().int().nullable(),
  replaces: z.string().nullable().meta({ description: 'The id of the key that it was rotated from.' }),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable().meta({ description: 'Up to a minute late.' }),
});

export const KeyList = z.object({ keys: z.array(KeyView), next_cursor: z.string().nullable() });
export const MadeKey = KeyView.extend({ key: z.string().meta({ description: 'Shown only here.' }) });
export const RotatedKey = MadeKey.extend({ replaced: KeyView });

nameSchemas({ Key: KeyView, CreatedKey: MadeKey });

export const keyView = (key: ApiKey): z.infer<typeof KeyView> => ({
  id: key.id,
  prefix: key.prefix,
  name: key.name,
  owner: key.owner,
  scope: key.scope,
  status: keyStatus(key, Date.now()),
  requests_per_minute: key.requestsPerMinute,
  max_open_tasks: key.maxOpenTasks,
  max_tasks_per_day: key.maxTasksPerDay,
  replaces: key.replaces,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
});

export const KEY_BODY_EXAMPLE = { name: 'Nightly import', owner: 'data-team', scope: 'submit' };
export const KEY_EXAMPLE = {
  id: 'key_a1b2c3d4e5f6',
  prefix: 'wdr_9f86d081',
  ...KEY_BODY_EXAMPLE,
  status: 'active',
  requests_per_minute: null,
  max_open_tasks: null,
  max_tasks_per_day: null,
  replaces: null,
  created_at: '2026-02-04T10:33:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: '2026-02-05T08:00:12.000Z',
};
export const MADE_EXAMPLE = {
  ...KEY_EXAMPLE,
  last_used_at: null,
  key: 'wdr_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c',
};
