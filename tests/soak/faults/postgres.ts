// Everything that can happen to PostgreSQL and to the way there.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { SoakWorld } from '../world.ts';
import { between, type FaultGroup } from './fault.ts';

const TABLES = ['tasks', 'queue', 'leases', 'runs', 'outcomes', 'run_tasks', 'articles'];

async function connection(world: SoakWorld): Promise<Client> {
  const client = new Client({ connectionString: world.fleet.databaseUrl, connectionTimeoutMillis: 30_000 });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const LINK = (world: SoakWorld) => world.fleet.links!.postgres;

export const postgresFaults: FaultGroup = [
  { name: 'PostgreSQL restarted (fast)', strike: (world) => world.postgres.restart('fast') },
  { name: 'PostgreSQL restarted (immediate)', strike: (world) => world.postgres.restart('immediate') },
  {
    name: 'PostgreSQL down',
    async strike(world, random) {
      const ms = between(random, 1, 20);
      await world.postgres.halt(random.chance(0.5) ? 'fast' : 'immediate');
      await sleep(ms);
      await world.postgres.start();
    },
  },
  {
    name: 'PostgreSQL frozen',
    async strike(world, random) {
      const ms = between(random, 1, 20);
      await world.postgres.freeze();
      await sleep(ms);
      await world.postgres.thaw();
    },
  },
  {
    name: 'a table locked',
    async strike(world, random) {
      const [table, ms] = [random.pick(TABLES), between(random, 1, 20)];
      const client = await connection(world);
      try {
        await client.query(`begin; lock table windrow.${table} in access exclusive mode`);
        await sleep(ms);
        await client.query('rollback');
      } finally {
        await client.end();
      }
    },
  },
  {
    name: 'connections to PostgreSQL terminated',
    async strike(world, random) {
      for (let n = 0; n < 3; n++) {
        await world.sql((sql) =>
          sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'windrow'`),
        );
        await sleep(between(random, 0.1, 1.5));
      }
    },
  },
  {
    name: 'connections to PostgreSQL exhausted',
    async strike(world, random) {
      const ms = between(random, 1, 10);
      const held: Client[] = [];
      // Until the server says that there are no more.
      for (let isFull = false; !isFull; )
        await connection(world).then(
          (client) => void held.push(client),
          () => {
            isFull = true;
          },
        );
      // What the roles lose now they cannot get back.
      await held[0]!.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'windrow'`);
      await sleep(ms);
      await Promise.all(held.map((client) => client.end()));
    },
  },
  {
    name: 'link to PostgreSQL: black hole',
    async strike(world, random) {
      const ms = between(random, 1, 20);
      LINK(world).blackHole();
      await sleep(ms);
      LINK(world).pass();
    },
  },
  {
    name: 'link to PostgreSQL: reset',
    async strike(world, random) {
      const ms = between(random, 1, 20);
      LINK(world).drop();
      await sleep(ms);
      LINK(world).pass();
    },
  },
];
