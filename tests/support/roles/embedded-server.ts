// An embedded server in a process of its own, as a PostgreSQL that others use by its URL. Restarts as a service manager would.
import { startEmbedded } from '../../../src/store/embedded/embedded.ts';

const store = await startEmbedded({
  home: process.argv[2]!,
  log: (event, fields) => console.log(JSON.stringify({ event, ...fields })),
});
const { host, user, database } = store.connection;
console.log(`ready postgres://${user}@localhost/${database}?host=${host}`);
process.on('SIGTERM', () => void store.stop().then(() => process.exit(0)));
