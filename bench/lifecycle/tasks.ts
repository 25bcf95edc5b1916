// How many tasks every peer lives through: first some that are not counted, so that code is compiled and connections are up on all sides alike.
export const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 20_000);
export const TASKS = Number(process.env.BENCH_TASKS ?? 40_000);
