// `windrow worker` whose main loop stands still for BLOCK_MS when it is sent SIGUSR2: F11. Its threads and its sockets go on, unlike those of a process that is stopped.
const asleep = new Int32Array(new SharedArrayBuffer(4));
process.on('SIGUSR2', () => {
  console.log('blocked');
  Atomics.wait(asleep, 0, 0, Number(process.env.BLOCK_MS));
  console.log('unblocked');
});
await import('../../../src/cli/main.ts');
