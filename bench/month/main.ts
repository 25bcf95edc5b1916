// A simulated month on the whole engine: MONTH_COMPANIES (500) companies, MONTH_DAYS (30) daily scrapes, MONTH_FAULTS (0.1) of all addresses with faults.
// It promises that no position is ever closed while it is open, none announced twice or not at all, and that what is open at the end is the truth.
import { companyMonth } from '../../tests/support/worlds/company-month.ts';
import { found } from '../found.ts';

const companies = Number(process.env.MONTH_COMPANIES ?? 500);
const days = Number(process.env.MONTH_DAYS ?? 30);
const faultRate = Number(process.env.MONTH_FAULTS ?? 0.1);
const { wronglyClosed, announcedTwice, notAnnounced, wrongAtTheEnd, warnings, secondsPerDay, ...counts } =
  await companyMonth({
    companies,
    days,
    faultRate,
    onDay: (day, seconds) => process.stderr.write(`\rday ${day + 1} of ${days}: ${seconds.toFixed(1)} s   `),
  });
const seconds = secondsPerDay.reduce((sum, one) => sum + one, 0);
console.log(
  `\n${companies} companies, ${days} days, ${faultRate * 100} % of addresses with faults: ${seconds.toFixed(0)} s`,
);
console.log(counts);
const promises = { wronglyClosed, announcedTwice, notAnnounced, wrongAtTheEnd, warnings };
console.log(Object.fromEntries(Object.entries(promises).map(([name, list]) => [name, list.length])));
const broken = Object.values(promises).flat();
if (broken.length > 0) console.log(broken.slice(0, 20).join('\n'));
found('broken promises about the positions of a month', broken.length, 'promises', { atMost: 0 });
