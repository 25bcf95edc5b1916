// Personio's XML feed. Customers who have not enabled it (`locked-…`) answer with a page that holds the list in a script.
import { esc } from '../news/markup.ts';
import type { Replica } from '../replica.ts';
import { dutiesHtml, html, iso, paragraphsHtml, positionsFor, refusal, xml } from './replies.ts';
import { companyName, quirksOf, type TruePosition } from './truth.ts';

export const personio: Replica = {
  name: 'personio',
  title: 'Personio career pages of made-up companies',
  hosts: ['*.jobs.personio.de', '*.jobs.personio.com'],
  examples: [{ url: 'https://ironvale.jobs.personio.de/xml?language=en', note: 'all positions' }],
  handle(request) {
    const company = request.host.split('.')[0] as string;
    const refused = refusal(company, 'personio');
    if (refused && refused.status !== 401) return refused;
    if (request.path === '/' || refused) return html(careerPage(company, positionsFor(request, 'personio', company)));
    if (request.path !== '/xml') return undefined;
    const positions = positionsFor(request, 'personio', company).map(element);
    const quirks = quirksOf(company);
    if (quirks.untitledRow) positions.push('<position><id>1</id><name></name></position>');
    if (quirks.namelessRow) positions.push('<position><name>A position without an id</name></position>');
    return xml(`<?xml version="1.0" encoding="UTF-8"?>\n<workzag-jobs>\n${positions.join('\n')}\n</workzag-jobs>\n`);
  },
};

/** The list is in a script, in quotes of quotes. */
function careerPage(company: string, positions: TruePosition[]): string {
  const jobs = positions.map((position) => ({
    id: position.number,
    name: position.title,
    main_office: `${position.place.city}, ${position.place.country}`,
    department: position.department,
    employment_type: position.type === 'internship' ? 'intern' : 'permanent',
    schedule: position.type === 'part_time' ? 'part-time' : 'full-time',
    created_at: iso(position.bornMs),
  }));
  const payload = JSON.stringify(JSON.stringify({ jobs, subdomain: company }));
  return `<!doctype html><title>Jobs at ${esc(companyName(company))}</title><script>self.push([1,${payload}])</script>`;
}

function element(position: TruePosition): string {
  const { place, pay } = position;
  return `<position>
<id>${position.number}</id><subcompany></subcompany><office>${esc(`${place.city}, ${place.country}`)}</office>
<department>${esc(position.department)}</department><recruitingCategory>${esc(position.department)}</recruitingCategory>
<name>${esc(position.title)} (m/w/d)</name>
<jobDescriptions>
<jobDescription><name>About the role</name><value><![CDATA[${paragraphsHtml(position)}]]></value></jobDescription>
<jobDescription><name>What you will do</name><value><![CDATA[<ul>${dutiesHtml(position)}</ul>]]></value></jobDescription>
</jobDescriptions>
<employmentType>${{ full_time: 'permanent', part_time: 'permanent', contract: 'freelance', internship: 'intern' }[position.type]}</employmentType>
<seniority>${position.level === 'entry' ? 'entry-level' : 'experienced'}</seniority>
<schedule>${position.type === 'part_time' ? 'part-time' : 'full-time'}</schedule>
<yearsOfExperience>2-5</yearsOfExperience><keywords></keywords>
<createdAt>${iso(position.bornMs).replace(/\.\d+Z$/, '+0000')}</createdAt>
${pay === null ? '' : `<salaryInformation><min>${pay.min}.00</min><max>${pay.max}.00</max><currencyCode>${pay.currency}</currencyCode><type>yearly</type></salaryInformation>`}
</position>`;
}
