import { expect, test } from 'vitest';
import { requirementsOf } from './requirements.ts';

const NOTHING = { experience_years: null, degree: null, visa_sponsorship: null, contract_kinds: [], job_types: [] };

test.each([
  ["Bachelor's degree required, Master's preferred", { degree: 'bachelor' }],
  ['No degree required.', { degree: 'none' }],
  ['Ein Studium ist nicht erforderlich.', { degree: 'none' }],
  ['Aucun diplôme requis', { degree: 'none' }],
  ['Abgeschlossenes Studium oder eine vergleichbare Ausbildung', { degree: 'vocational' }],
  ['Niveau Bac +5 exigé', { degree: 'master' }],
  ['Een afgeronde hbo-opleiding', { degree: 'bachelor' }],
  ['Wykształcenie wyższe techniczne', { degree: 'university' }],
  ['We are unable to sponsor visas.', { visa_sponsorship: false }],
  ['Wir unterstützen dich beim Visum.', { visa_sponsorship: true }],
  ['Mindestens drei Jahre Berufserfahrung', { experience_years: { min: 3, max: null } }],
  ['De 2 a 4 años de experiencia', { experience_years: { min: 2, max: 4 } }],
  ['Débutants acceptés', { experience_years: { min: 0, max: null } }],
  ['Unbefristeter Vertrag in Vollzeit', { contract_kinds: ['permanent'], job_types: ['full_time'] }],
  ['CDD de 6 mois', { contract_kinds: ['fixed_term'] }],
])('%s', (text, said) => {
  expect(requirementsOf(text)).toEqual({ ...NOTHING, ...said });
});

test.each([
  'Our founder holds a PhD, and we have 40 years of experience in the trade.',
  'Wir sind seit 30 Jahren mit viel Erfahrung am Markt.',
  'Du betreust Bachelorarbeiten und Masterarbeiten.',
  'Ein Masterabschluss ist von Vorteil.',
  'A degree of precision found nowhere else is required.',
  'Will you now or in the future require visa sponsorship?',
  'You run our sponsorship programme for visa holders.',
  'Vous assurez le suivi des CDD et de l’intérim.',
  'Keine Zeitarbeit!',
  'You report to our FP&A team. Required: B2B sales.',
  'Somos una empresa con 15 años de experiencia en el mercado.',
])('nothing is concluded from: %s', (text) => {
  expect(requirementsOf(text)).toEqual(NOTHING);
});

test('what stands under a heading of wishes is not asked for', () => {
  const text =
    "Requirements:\n- Bachelor's degree in physics\nNice to have:\n- PhD in physics\nWe offer:\n- a permanent contract";
  expect(requirementsOf(text)).toEqual({ ...NOTHING, degree: 'bachelor', contract_kinds: ['permanent'] });
});

test('a text that says both of sponsorship says nothing', () => {
  expect(
    requirementsOf('Visa sponsorship is available. In Spain we do not sponsor visas.').visa_sponsorship,
  ).toBeNull();
});

test('time grows with the text, whatever it is made of', () => {
  const seconds = (text: string): number => {
    const before = process.cpuUsage();
    requirementsOf(text);
    return process.cpuUsage(before).user / 1e6;
  };
  for (const unit of ['degree no ', 'bachelor s, ', '3-5 ', '(', 'visa sponsor not. ', 'a', '. ', '\u0301'])
    expect(seconds(unit.repeat(Math.ceil(60_000 / unit.length)))).toBeLessThan(10);
});
