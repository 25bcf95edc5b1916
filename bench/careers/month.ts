// A simulated month on the sandbox: `node bench/careers/month.ts [companies] [days] [fault rate]`. Exits 1 when a position was closed wrongly,
// announced twice, or the open ones at the end are not the true ones.
import { simulateMonth } from '../../tests/support/worlds/career-month.ts';

const [companies = 500, days = 30, faultRate = 0.1] = process.argv.slice(2).map(Number);
const began = performance.now();
const report = await simulateMonth({
  companies,
  days,
  faultRate,
  onDay: (day) => process.stderr.write(`\rday ${day + 1} of ${days}`),
});
const seconds = (performance.now() - began) / 1_000;
const { wronglyClosed, announcedTwice, wrongAtTheEnd, ...counts } = report;
console.log(
  `\n${companies} companies, ${days} days, ${Math.round(faultRate * 100)} % of addresses with faults: ${seconds.toFixed(0)} s`,
);
console.log(counts);
console.log({
  wronglyClosed: wronglyClosed.length,
  announcedTwice: announcedTwice.length,
  wrongAtTheEnd: wrongAtTheEnd.length,
});
if (wronglyClosed.length + announcedTwice.length + wrongAtTheEnd.length > 0) {
  console.log([...wronglyClosed, ...announcedTwice, ...wrongAtTheEnd].slice(0, 20).join('\n'));
  process.exitCode = 1;
}
