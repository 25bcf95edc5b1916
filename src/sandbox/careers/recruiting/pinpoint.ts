// Pinpoint's postings.json.
import type { Replica } from '../../replica.ts';
import { dutiesHtml, json, paragraphsHtml, positionsFor, refusal, withBadRows } from '../replies.ts';
import type { TruePosition } from '../truth.ts';

export const pinpoint: Replica = {
  name: 'pinpoint',
  title: 'Pinpoint career sites of made-up companies',
  hosts: ['*.pinpointhq.com'],
  examples: [{ url: 'https://aldermoor.pinpointhq.com/postings.json', note: 'one board' }],
  handle(request) {
    const company = request.host.split('.')[0]!;
    const refused = refusal(company, 'pinpoint');
    if (refused) return refused;
    if (request.path !== '/postings.json') return undefined;
    const rows = positionsFor(request, 'pinpoint', company).map((position) => row(position, company));
    const bad = { untitled: { id: '1', title: null }, nameless: { title: 'No id' } };
    return json({ data: withBadRows(company, rows, bad) });
  },
};

function row(position: TruePosition, company: string) {
  const { pay, place } = position;
  return {
    id: String(position.number),
    title: position.title,
    url: `https://${company}.pinpointhq.com/en/postings/${position.number}`,
    description: `<div><!--block-->${paragraphsHtml(position)}</div>`,
    key_responsibilities: `<ul>${dutiesHtml(position)}</ul>`,
    key_responsibilities_header: 'What you will do',
    skills_knowledge_expertise: '',
    benefits: null,
    compensation_visible: pay !== null,
    compensation_minimum: pay?.min ?? null,
    compensation_maximum: pay?.max ?? null,
    compensation_currency: pay?.currency ?? null,
    compensation_frequency: pay && 'year',
    deadline_at: null,
    employment_type: position.type,
    workplace_type: position.remote,
    job: { id: '1', requisition_id: `PIN-${position.number}`, department: { id: '1', name: position.department } },
    location: { id: '1', city: place.city, name: `${place.city}, ${place.country}`, province: place.region },
  };
}
