// Killed, frozen and stopped processes, one group a role.
import type { Random } from '../../support/random.ts';
import { type Place, ROLES, type SoakWorld } from '../world.ts';
import { between, type Fault, type FaultGroup } from './fault.ts';

const places = (role: string): Place[] => ROLES.filter((place) => place.startsWith(role));

const common = (role: string): Fault[] => [
  {
    name: `${role} killed`,
    strike: (world, random) => world.kill([random.pick(places(role))], between(random, 0, 5)),
  },
  {
    name: `${role} frozen`,
    losesPace: role === 'worker',
    strike: (world, random) => world.freeze(random.pick(places(role)), between(random, 1, 25)),
  },
  { name: `${role} stopped politely`, strike: (world, random) => world.stopPolitely(random.pick(places(role))) },
];

const killAll = (role: string, maxSeconds: number) => (world: SoakWorld, random: Random) =>
  world.kill(places(role), between(random, 1, maxSeconds));

export const workerFaults: FaultGroup = [
  ...common('worker'),
  { name: 'all workers killed', strike: killAll('worker', 30) },
];
export const orchestratorFaults: FaultGroup = [
  ...common('orchestrator'),
  { name: 'all orchestrators killed', strike: killAll('orchestrator', 15) },
];
export const apiFaults: FaultGroup = common('api');
