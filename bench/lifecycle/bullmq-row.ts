import pg from 'pg';
import { measure } from './bullmq-peer.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 10 });
await pool.query('create table results (id text primary key, url text not null, finished_at timestamptz not null)');
await measure(async (job) => {
  await pool.query('insert into results values ($1, $2, now()) on conflict (id) do nothing', [job.id, job.data.url]);
});
await pool.end();
