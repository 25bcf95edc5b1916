// The schemas of the article API, with the examples of the documentation.
import { z } from 'zod';
import { WaitingView } from '../runs/waiting.ts';
import { nameSchemas } from '../validation/named.ts';
import { RunWebhookUrl } from '../webhooks/schemas.ts';
import { JOB_STATUSES } from './views.ts';

export const ARTICLES_MAX = 10_000;
export const URL_LENGTH_MAX = 4_096;
const LABEL_LENGTH_MAX = 200;

const label = (about: string) => z.string().max(LABEL_LENGTH_MAX).nullable().optional().meta({ description: about });

export const Submission = z.strictObject({
  articles: z
    .array(
      z.strictObject({
        url: z
          .string()
          .min(1)
          .max(URL_LENGTH_MAX)
          .meta({ format: 'uri', description: 'Absolute http or https URL without user and password.' }),
        source: label('Your own label, returned with the result.'),
        category: label('Your own label, returned with the result.'),
        priority: z.number().int().min(1).max(10).default(5).meta({ description: '1–3 high, 4–7 medium, 8–10 low.' }),
      }),
    )
    .min(1)
    .max(ARTICLES_MAX)
    .meta({
      'x-distinct-pages': true,
      description: 'Each page once; URLs are compared in canonical form.',
    }),
  max_age_seconds: z.number().int().min(0).max(2_147_483_647).nullable().optional().meta({
    description: 'Reuse an article scraped within this many seconds. Default: any age. 0: always scrape.',
  }),
  webhook_url: RunWebhookUrl,
});

export const SUBMISSION_EXAMPLE = {
  articles: [
    { url: 'https://example.com/article1', source: 'TechNews', category: 'AI', priority: 1 },
    { url: 'https://example.com/article2', source: 'TechNews', category: 'ML', priority: 2 },
  ],
  max_age_seconds: 86_400,
};

const Status = z.enum(JOB_STATUSES);

export const Submitted = z.object({
  job_id: z.string(),
  status: Status,
  total_articles: z.number().int(),
  new_articles: z.number().int(),
  cached_articles: z.number().int(),
  message: z.string(),
});

export const SUBMITTED_EXAMPLE = {
  job_id: 'job_a1b2c3d4e5f6',
  status: 'IN_PROGRESS',
  total_articles: 2,
  new_articles: 2,
  cached_articles: 0,
  message: 'Job submitted successfully',
};

export const Job = z.object({
  job_id: z.string(),
  status: Status,
  total_articles: z.number().int(),
  completed: z.number().int(),
  failed: z.number().int(),
  pending: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  completed_at: z.string().nullable(),
  message: z.string().optional().meta({ description: 'Why articles wait, while nothing moves.' }),
  waiting: WaitingView.optional(),
});

export const JOB_EXAMPLE = {
  job_id: 'job_a1b2c3d4e5f6',
  status: 'IN_PROGRESS',
  total_articles: 10,
  completed: 7,
  failed: 1,
  pending: 2,
  created_at: '2026-02-04T10:30:00.000Z',
  updated_at: '2026-02-04T10:35:00.000Z',
  completed_at: null,
};

export const JobList = z.object({
  jobs: z.array(Job),
  total: z.number().int(),
  limit: z.number().int(),
  skip: z.number().int(),
  next_cursor: z.string().nullable(),
});

export const Results = z.object({
  job_id: z.string(),
  status: Status,
  total_articles: z.number().int(),
  successful: z.number().int(),
  failed: z.number().int(),
  results: z.array(
    z.object({
      article_id: z.string(),
      url: z.string(),
      source: z.string().nullable(),
      category: z.string().nullable(),
      title: z.string().nullable(),
      content: z.string().nullable(),
      author: z.string().nullable(),
      published_at: z.string().nullable(),
      modified_at: z.string().nullable().meta({ description: 'When the page says it was last changed.' }),
      kind: z.string().nullable().meta({
        description:
          'What the page is: `article`, `documentation`, `forum`, `product`, `service`, `listing` or `collection`.',
      }),
      language: z.string().nullable(),
      image: z.string().nullable(),
      scraped_at: z.string().nullable(),
      cached: z.boolean(),
    }),
  ),
  failed_articles: z.array(
    z.object({ url: z.string(), error: z.string(), attempted_at: z.string().nullable(), attempts: z.number().int() }),
  ),
  next_cursor: z.string().nullable(),
});
nameSchemas({ Job });

export const RESULT_EXAMPLE = {
  article_id: 'art_9f86d081884c7d659a2feaa0c55ad015',
  url: 'https://example.com/article1',
  source: 'TechNews',
  category: 'AI',
  title: 'Understanding Large Language Models',
  content: 'Full scraped article content here…',
  author: 'Ada Example',
  published_at: '2026-02-04T08:00:00Z',
  modified_at: '2026-02-04T09:15:00Z',
  kind: 'article',
  language: 'en',
  image: 'https://example.com/article1.jpg',
  scraped_at: '2026-02-04T10:32:00.000Z',
  cached: false,
};

export const RESULTS_EXAMPLES = {
  'application/json': {
    job_id: 'job_a1b2c3d4e5f6',
    status: 'COMPLETED',
    total_articles: 2,
    successful: 1,
    failed: 1,
    results: [RESULT_EXAMPLE],
    failed_articles: [
      {
        url: 'https://example.com/article5',
        error: '404 Not Found',
        attempted_at: '2026-02-04T10:33:00.000Z',
        attempts: 1,
      },
    ],
    next_cursor: null,
  },
  'application/x-ndjson': `${JSON.stringify(RESULT_EXAMPLE)}\n`,
  'text/csv': `${Object.keys(RESULT_EXAMPLE).join(',')}\r\n`,
};
