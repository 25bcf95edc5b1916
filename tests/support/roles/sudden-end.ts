// A process for suspects that says it is ready and dies before it takes an order, so that the order meets a closed channel.
process.send?.({ type: 'ready' }, undefined, undefined, () => process.kill(process.pid, 'SIGKILL'));
process.once('message', () => {});
